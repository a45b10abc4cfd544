# SPDX-License-Identifier: MIT
"""The plots of docs/micro32.md: SVG on white, so that they are readable on any background."""

import io
import os

from measure import (BUDGETS, CANDIDATES, MOST, POLICIES, WIDE, weighted)
from sim_svg import COLOURS, MARKS, plt

LINES = ('-', '--', '-.', ':')
STATE_COLOURS = {'busy': '#3a7d44', 'memory': '#9bc53d', 'raw': '#8e5ea2', 'waw': '#c8553d',
                 'war': '#c98b1b', 'conflict': '#1b6ca8', 'issue-rate': '#2b9eb3',
                 'window-full': '#f2c14e', 'starved': '#9a9a9a', 'drain': '#d9d9d9'}


def pictures_plot(plots, measured):
    """Shows the pictures of the frames, with a row for each program."""
    found = [[m for m in frames if m.pictures[0]] for frames in groups(measured).values()]
    columns = max(len(row) for row in found)
    if not columns:
        return
    figure, axes = plt.subplots(len(found), columns, squeeze=False,
                                figsize=(2 * columns, 1.65 * len(found)))
    for ax in axes.flat:
        ax.axis('off')
    for i, row in enumerate(found):
        for j, m in enumerate(row):
            axes[i, j].imshow(plt.imread(io.BytesIO(m.pictures[0])))
            axes[i, j].set_title(m.frame.name, fontsize=7, pad=2)
    figure.tight_layout(pad=0.3)
    figure.savefig(os.path.join(plots.folder, 'frames.jpg'), facecolor='white', dpi=110)
    plt.close(figure)


def groups(measured):
    """Returns {program: its frames}, in the order of the frames."""
    found = {}
    for m in measured:
        found.setdefault(m.frame.program, []).append(m)
    return found


def title(program, stand_ins):
    return f'{program} ({stand_ins[program]})' if program in stand_ins else program


def frames_plot(plots, measured):
    """Plots triangles and depth complexity of the frames (Figure 11)."""
    figure, axes = plt.subplots(2, 1, figsize=(8, 4.6), sharex=True)
    names = [m.frame.name for m in measured]
    programs = list(groups(measured))
    colours = [COLOURS[programs.index(m.frame.program) % len(COLOURS)] for m in measured]
    for ax, key, label, limits in ((axes[0], 'triangles', 'triangles', (1000, 5000)),
                                   (axes[1], 'depth_complexity', 'depth complexity', (1, 5))):
        ax.bar(names, [m.facts[key] for m in measured], color=colours)
        ax.axhspan(*limits, color='black', alpha=0.08)
        ax.set_ylabel(label)
    axes[1].tick_params(axis='x', rotation=60)
    plots.save(figure, 'figure-11')


def curves(ax, rows, name, style):
    """Adds a curve for each row.  `rows` has tuples (label, {accelerators: result})."""
    for i, (label, curve) in enumerate(rows):
        counts = sorted(curve)
        ax.plot(counts, [curve[n]['tlp'] for n in counts], LINES[style % 4],
                color=COLOURS[i % len(COLOURS)], marker=MARKS[i % 4], markersize=3, linewidth=1.2,
                label=label + name)


def by_program(plots, measured, stand_ins, name, kinds, only=None):
    """Plots a panel for each program, with a curve for each frame and kind.  `kinds` has tuples
    (suffix of the label, attribute of Measured)."""
    found = [(p, f) for p, f in groups(measured).items() if not only or p in only]
    columns = min(2, len(found))
    rows = -(-len(found) // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(4.4 * columns, 3.1 * rows), squeeze=False)
    for ax, (program, frames) in zip(axes.flat, found):
        for style, (suffix, attribute) in enumerate(kinds):
            curves(ax, [(m.frame.name, getattr(m, attribute)) for m in frames], suffix, style)
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
    """Plots parallelism by number of candidates (Figure 13)."""
    figure, ax = plt.subplots(figsize=(5, 3.6))
    for i, window in enumerate(sorted(measured[0].windows)):
        counts = sorted(measured[0].windows[window])
        ax.plot(counts, [weighted([m.windows[window][n] for m in measured]) for n in counts],
                marker=MARKS[i % 4], markersize=4, color=COLOURS[i], label=f'{window} x')
    ax.set_xlabel('accelerators')
    ax.set_ylabel('parallelism, weighted by cycles')
    ax.set_ylim(bottom=0)
    ax.legend(title='candidates')
    plots.save(figure, 'figure-13')


def time_plot(plots, like):
    """Plots busy accelerators over time, without and with splitting (Figure 14)."""
    figure, axes = plt.subplots(2, 1, figsize=(8, 4.6), sharex=True)
    for ax, detail, name in ((axes[0], like.detail_plain, 'without splitting'),
                             (axes[1], like.detail_split, 'with splitting')):
        over = detail['over_time']
        busy = over['states']['busy']
        width = over['interval']
        lengths = [min(width, detail['cycles'] - i * width) for i in range(len(busy))]
        ax.plot([i * width / 1e3 for i in range(len(busy))],
                [b / n for b, n in zip(busy, lengths)], linewidth=0.6, color=COLOURS[0])
        ax.set_ylim(0, MOST + 0.5)
        ax.set_ylabel('busy accelerators')
        ax.set_title(f'{like.frame.name}, {name}: mean {detail["tlp"]:.2f}', fontsize=9)
    axes[1].set_xlabel('thousand cycles')
    plots.save(figure, 'figure-14')


def states_plot(plots, rows, name):
    """Plots the shares of the accelerators' cycles.  `rows` has tuples (label, result)."""
    figure, ax = plt.subplots(figsize=(8, 0.8 + 0.2 * len(rows)))
    left = [0.0] * len(rows)
    for state in rows[0][1]['states']:
        shares = [100 * r['states'][state] / max(1, sum(r['states'].values())) for _, r in rows]
        if max(shares) >= 0.05:
            ax.barh(range(len(rows)), shares, left=left, label=state,
                    color=STATE_COLOURS.get(state, 'black'))
        left = [a + b for a, b in zip(left, shares)]
    ax.set_yticks(range(len(rows)), [label for label, _ in rows], fontsize=7)
    ax.invert_yaxis()
    ax.set_xlim(0, 100)
    ax.set_xlabel("% of the accelerators' cycles")
    ax.legend(loc='center left', bbox_to_anchor=(1, 0.5), fontsize=7)
    plots.save(figure, name)


def wide_plot(plots, measured):
    """Plots kinds of splitting and breaking with up to 64 accelerators, beyond the paper."""
    figure, ax = plt.subplots(figsize=(6, 3.8))
    names = [n for n, v in measured[0].beyond.items()
             if all(isinstance(k, int) for k in v)]
    for i, name in enumerate(names):
        ax.plot(WIDE, [weighted([m.beyond[name][n] for m in measured]) for n in WIDE],
                marker=MARKS[i % 4], markersize=4, color=COLOURS[i % len(COLOURS)], label=name)
    ax.plot(WIDE, WIDE, color='black', alpha=0.3, linewidth=0.8)
    ax.set_xlabel('accelerators')
    ax.set_ylabel('parallelism, weighted by cycles')
    ax.set_ylim(bottom=0)
    ax.legend(fontsize=7)
    plots.save(figure, 'wide')


def select_plot(plots, measured):
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), sharey=True)
    for ax, kind in zip(axes, ('height', 'grid')):
        for i, policy in enumerate(POLICIES):
            ax.plot(WIDE, [weighted([m.beyond[f'select {kind}'][policy, n] for m in measured])
                           for n in WIDE], marker=MARKS[i], markersize=4, color=COLOURS[i],
                    label=policy)
        ax.set_title(f'slices: {kind}', fontsize=9)
        ax.set_xlabel('accelerators')
        ax.legend()
    axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel('parallelism, weighted by cycles')
    plots.save(figure, 'selection')


def budget_plot(plots, speedups, front):
    """Plots the speedup of budgets.  `speedups` is {(accelerators, candidates): speedup}.  `front`
    has the budgets whose speedup no smaller budget reaches."""
    figure, ax = plt.subplots(figsize=(6.5, 4))
    for i, n in enumerate(BUDGETS):
        row = [(c, speedups[n, c]) for c in CANDIDATES if (n, c) in speedups]
        ax.plot([c for c, _ in row], [s for _, s in row], color=COLOURS[i], linewidth=1.2,
                label=f'{n} accelerators')
        best = [(c, s) for c, s in row if (n, c) in front]
        ax.plot([c for c, _ in best], [s for _, s in best], 'o', color=COLOURS[i], markersize=5)
    ax.set_xscale('log', base=2)
    ax.set_yscale('log', base=2)
    ax.set_xticks(CANDIDATES, [str(c) for c in CANDIDATES])
    ax.set_yticks(BUDGETS, [str(n) for n in BUDGETS])
    ax.set_xlabel('candidate buffers')
    ax.set_ylabel('speedup over one accelerator')
    ax.legend(fontsize=7)
    plots.save(figure, 'budgets')
