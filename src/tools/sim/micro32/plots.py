# SPDX-License-Identifier: MIT
"""The plots of docs/micro32.md."""

import io
import os

from micro32.measure import MOST, weighted
from micro32.tables import wide_names
from sim_experiment import axis
from sim_svg import COLOURS, line, plt, stack

LINES = ('-', '--', '-.', ':')
STATE_COLOURS = {'busy': '#3a7d44', 'memory': '#9bc53d', 'raw': '#8e5ea2', 'waw': '#c8553d',
                 'war': '#c98b1b', 'conflict': '#1b6ca8', 'issue-rate': '#2b9eb3',
                 'window-full': '#f2c14e', 'starved': '#9a9a9a', 'drain': '#d9d9d9'}


def pictures_plot(plots, measured):
    """Plots the pictures of the frames, with one row per program."""
    found = [[m for m in frames if m.picture] for frames in groups(measured).values()]
    columns = max(len(row) for row in found)
    if not columns:
        return
    figure, axes = plt.subplots(len(found), columns, squeeze=False,
                                figsize=(2 * columns, 1.65 * len(found)))
    for ax in axes.flat:
        ax.axis('off')
    for i, row in enumerate(found):
        for j, m in enumerate(row):
            axes[i, j].imshow(plt.imread(io.BytesIO(m.picture)))
            axes[i, j].set_title(m.name, fontsize=7, pad=2)
    figure.tight_layout(pad=0.3)
    figure.savefig(os.path.join(plots.folder, 'frames.jpg'), facecolor='white', dpi=110)
    plt.close(figure)


def groups(measured):
    """Returns {program: its frames}, in the order of the frames."""
    found = {}
    for m in measured:
        found.setdefault(m.program, []).append(m)
    return found


def title(program, stand_ins):
    return f'{program} ({stand_ins[program]})' if program in stand_ins else program


def frames_plot(plots, measured):
    """Plots Figure 11."""
    programs = list(groups(measured))
    colours = [COLOURS[programs.index(m.program) % len(COLOURS)] for m in measured]
    with plots.figure('figure-11') as axes:
        for ax, key, label, limits in (
                (axes[0], 'triangles', 'triangles', (1000, 5000)),
                (axes[1], 'depth_complexity', 'depth complexity', (1, 5))):
            ax.bar([m.name for m in measured], [m.facts[key] for m in measured], color=colours)
            ax.axhspan(*limits, color='black', alpha=0.08)
            ax.set_ylabel(label)
        axes[1].tick_params(axis='x', rotation=60)


def curves(ax, rows, name, style):
    """Adds a curve for each row.  `rows` contains tuples (label, {accelerators: result})."""
    for i, (label, curve) in enumerate(rows):
        counts = sorted(curve)
        line(ax, i, counts, [curve[n]['tlp'] for n in counts], label + name, markersize=3,
             linewidth=1.2, linestyle=LINES[style % 4])


def by_program(plots, measured, stand_ins, name, kinds):
    """Plots a panel for each program, with a curve for each frame and kind. `kinds` contains
    tuples (suffix, attribute)."""
    found = list(groups(measured).items())
    columns = min(2, len(found))
    rows = -(-len(found) // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(4.4 * columns, 3.1 * rows), squeeze=False)
    for ax, (program, frames) in zip(axes.flat, found):
        for style, (suffix, attribute) in enumerate(kinds):
            curves(ax, [(m.name, getattr(m, attribute)) for m in frames], suffix, style)
        counts = sorted(frames[0].plain)
        ax.plot(counts, counts, color='black', alpha=0.3, linewidth=0.8)
        ax.set_title(title(program, stand_ins), fontsize=9)
        ax.set_xlabel('accelerators')
        ax.set_ylabel('parallelism')
        ax.set_xlim(0, MOST + 0.5)
        ax.set_ylim(0, MOST + 0.5 if len(kinds) > 1 else 4)
        ax.legend(fontsize=6, ncol=len(kinds))
    for ax in list(axes.flat)[len(found):]:
        ax.set_visible(False)
    plots.save(figure, name)


def windows_plot(plots, measured):
    """Plots Figure 13."""
    windows, counts = (axis(measured[0].windows, i) for i in (0, 1))
    with plots.figure('figure-13') as ax:
        for i, window in enumerate(windows):
            line(ax, i, counts, [weighted([m.windows[window, n] for m in measured])
                                 for n in counts], f'{window} x')


def time_plot(plots, like):
    """Plots Figure 14: the number of busy accelerators over time, without and with splitting."""
    with plots.figure('figure-14') as axes:
        for ax, detail, name in ((axes[0], like.detail_plain, 'without splitting'),
                                 (axes[1], like.detail_split, 'with splitting')):
            over = detail['over_time']
            busy = over['states']['busy']
            width = over['interval']
            lengths = [min(width, detail['cycles'] - i * width) for i in range(len(busy))]
            ax.plot([i * width / 1e3 for i in range(len(busy))],
                    [b / n for b, n in zip(busy, lengths)], linewidth=0.6, color=COLOURS[0])
            ax.set_ylabel('busy accelerators')
            ax.set_title(f'{like.name}, {name}: mean {detail["tlp"]:.2f}', fontsize=9)
        axes[1].set_xlabel('thousand cycles')


def states_plot(plots, rows, name):
    """Plots the fractions of the accelerators' cycles by state. `rows` contains tuples (label,
    result)."""
    parts = {state: [100 * r['states'][state] / max(1, sum(r['states'].values()))
                     for _, r in rows] for state in rows[0][1]['states']}
    with plots.figure(name, 'states', len(rows)) as ax:
        stack(ax, range(len(rows)), parts, STATE_COLOURS, least=0.05)
        ax.set_yticks(range(len(rows)), [label for label, _ in rows], fontsize=7)
        ax.invert_yaxis()


def wide_plot(plots, measured):
    """Plots the parallelism for different kinds of splitting and breaking, with up to 64
    accelerators."""
    wide = axis(measured[0].beyond['plain'])
    with plots.figure('wide') as ax:
        for i, name in enumerate(wide_names(measured)):
            line(ax, i, wide, [weighted([m.beyond[name][n] for m in measured]) for n in wide],
                 name)
        ax.plot(wide, wide, color='black', alpha=0.3, linewidth=0.8)


def select_plot(plots, measured):
    policies, wide = (axis(measured[0].beyond['select grid'], i) for i in (0, 1))
    with plots.figure('selection') as axes:
        for ax, kind in zip(axes, ('height', 'grid')):
            for i, policy in enumerate(policies):
                line(ax, i, wide, [weighted([m.beyond[f'select {kind}'][policy, n]
                                             for m in measured]) for n in wide], policy)
            ax.set_title(f'slices: {kind}', fontsize=9)


def budget_plot(plots, speedups, front):
    """Plots the speedup for each budget. `speedups` is {(accelerators, candidates): speedup}.
    `front` contains budgets to mark, whose speedup no smaller budget reaches."""
    accelerators, candidates = (axis(speedups, i) for i in (0, 1))
    with plots.figure('budgets') as ax:
        for i, n in enumerate(accelerators):
            ax.plot(candidates, [speedups[n, c] for c in candidates], color=COLOURS[i],
                    linewidth=1.2, label=f'{n} accelerators')
            best = [c for c in candidates if (n, c) in front]
            ax.plot(best, [speedups[n, c] for c in best], 'o', color=COLOURS[i], markersize=5)
