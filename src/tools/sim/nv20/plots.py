# SPDX-License-Identifier: MIT
"""The plots of docs/nv20.md: SVG on white, so that they are readable on any background."""

import measure
from sim_svg import COLOURS, plt

CLASS_COLOURS = {'move': '#1b6ca8', 'by columns': '#7fb2d6', 'dot': '#3a7d44',
                 'compare': '#c98b1b', 'special': '#8e5ea2'}


def ipc_plot(plots, grid):
    figure, ax = plt.subplots(figsize=(6, 3.4))
    threads, latencies = (sorted({key[i] for key in grid}) for i in (0, 1))
    for i, latency in enumerate(latencies):
        ax.plot(threads, [min(1, n / latency) for n in threads], color=COLOURS[i], linewidth=0.8)
        ax.plot(threads, [measure.ipc(grid[n, latency]) for n in threads], 'o', markersize=3.5,
                color=COLOURS[i], label=f'latency {latency}')
    ax.set_xlabel('threads')
    ax.set_ylabel('instructions a cycle')
    ax.set_ylim(0, 1.05)
    ax.legend(fontsize=7)
    plots.save(figure, 'ipc')


def attributes_plot(plots, benchmarks):
    figure, ax = plt.subplots(figsize=(6, 3.4))
    lengths = sorted({row['instructions'] for row in measure.rows(benchmarks, 'attributes')})
    for i, length in enumerate(lengths):
        rows = measure.rows(benchmarks, 'attributes', instructions=length)
        x = [row['writes'] for row in rows]
        ax.plot(x, [max(n, length) for n in x], color=COLOURS[i], linewidth=0.8)
        ax.plot(x, [row['cycles_a_vertex'] for row in rows], 'o', markersize=3.5,
                color=COLOURS[i], label=f'{length} instructions')
    ax.set_xlabel('attributes of a vertex')
    ax.set_ylabel('cycles a vertex')
    ax.set_ylim(0)
    ax.legend(fontsize=7)
    plots.save(figure, 'attributes')


def buffers_plot(plots, buffers):
    figure, axes = plt.subplots(1, 2, figsize=(8, 3), sharey=True)
    for ax, (key, curve) in zip(axes, buffers.items(), strict=True):
        x = sorted(curve)
        for i, name in enumerate(('transform', 'lit-long', 'light', 'skin')):
            rows = [measure.one(curve[n], 'programs', name=name) for n in x]
            ax.plot(x, [row['instructions'] / row['cycles_a_vertex'] for row in rows],
                    marker='o', markersize=3, linewidth=1.2, color=COLOURS[i], label=name)
        ax.set_xlabel(key.replace('_', ' '))
    axes[0].set_ylabel('instructions a cycle')
    axes[0].set_ylim(0, 1.05)
    axes[0].legend(fontsize=7)
    plots.save(figure, 'buffers')


def mix_plot(plots, captures):
    """Plots the shares of the classes of instructions: of all programs, unweighted and weighted by
    vertices, and of each capture.
    """
    shares = [('paper', {'move': 50, 'dot': 40})]
    programs = measure.base_programs(captures)
    shares += [('programs', measure.mix(programs, lambda p: 1)),
               ('by vertices', measure.mix(programs, lambda p: p['vertices']))]
    for capture in captures:
        found = measure.mix(measure.base_programs([capture]), lambda p: p['vertices'])
        if found:
            shares.append((capture['file'].removesuffix('.sgcap'), found))
    shares = [(name, share) for name, share in shares if share][::-1]
    figure, ax = plt.subplots(figsize=(7, 0.9 + 0.19 * len(shares)))
    left = [0] * len(shares)
    for label, colour in CLASS_COLOURS.items():
        if label == 'by columns':
            width = [share.get('columns', 0) for _, share in shares]
        elif label == 'move':
            width = [share['move'] - share.get('columns', 0) for _, share in shares]
        else:
            width = [share.get(label, 0) for _, share in shares]
        ax.barh([name for name, _ in shares], width, left=left, color=colour, label=label,
                height=0.75)
        left = [a + b for a, b in zip(left, width, strict=True)]
    ax.set_xlim(0, 100)
    ax.set_xlabel('% of instructions')
    ax.tick_params(axis='y', labelsize=6)
    ax.legend(fontsize=6, ncol=5, loc='lower center', bbox_to_anchor=(0.5, 1))
    plots.save(figure, 'mix')
