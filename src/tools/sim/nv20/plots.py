# SPDX-License-Identifier: MIT
"""The plots of docs/nv20.md."""

from nv20 import measure
from sim_experiment import axis
from sim_svg import COLOURS, stack

CLASS_COLOURS = {'move': '#1b6ca8', 'by columns': '#7fb2d6', 'dot': '#3a7d44',
                 'compare': '#c98b1b', 'special': '#8e5ea2'}


def ipc_plot(plots, grid):
    threads, latencies = (axis(grid, i) for i in (0, 1))
    with plots.figure('ipc') as ax:
        for i, latency in enumerate(latencies):
            ax.plot(threads, [min(1, n / latency) for n in threads], color=COLOURS[i],
                    linewidth=0.8)
            ax.plot(threads, [measure.ipc(grid[n, latency]) for n in threads], 'o',
                    markersize=3.5, color=COLOURS[i], label=f'latency {latency}')


def attributes_plot(plots, benchmarks):
    lengths = sorted({row['instructions'] for row in measure.rows(benchmarks, 'attributes')})
    with plots.figure('attributes') as ax:
        for i, length in enumerate(lengths):
            rows = measure.rows(benchmarks, 'attributes', instructions=length)
            x = [row['writes'] for row in rows]
            ax.plot(x, [max(n, length) for n in x], color=COLOURS[i], linewidth=0.8)
            ax.plot(x, [row['cycles_a_vertex'] for row in rows], 'o', markersize=3.5,
                    color=COLOURS[i], label=f'{length} instructions')


def buffers_plot(plots, buffers):
    with plots.figure('buffers') as axes:
        for ax, (key, curve) in zip(axes, buffers.items(), strict=True):
            for i, name in enumerate(('transform', 'lit-long', 'light', 'skin')):
                rows = [measure.one(curve[n], 'programs', name=name) for n in curve]
                ax.plot(axis(curve), [row['instructions'] / row['cycles_a_vertex'] for row in rows],
                        'o-', markersize=3, linewidth=1.2, color=COLOURS[i], label=name)
            ax.set_xlabel(key.replace('_', ' '))


def mix_plot(plots, captures):
    """Plots the percentages of the instruction classes: over all programs, unweighted and weighted
    by vertices, and for each capture.
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
    parts = {label: [share.get(label, 0) for _, share in shares] for label in CLASS_COLOURS}
    parts['by columns'] = [share.get('columns', 0) for _, share in shares]
    parts['move'] = [share['move'] - share.get('columns', 0) for _, share in shares]
    with plots.figure('mix', bars=len(shares)) as ax:
        stack(ax, [name for name, _ in shares], parts, CLASS_COLOURS, height=0.75)
        ax.tick_params(axis='y', labelsize=6)
