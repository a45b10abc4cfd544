# SPDX-License-Identifier: MIT
"""The plots of docs/tesla.md."""

from sim_svg import COLOURS, MARKS, line
from tesla.measure import middle, ours_of


def peaks_plot(plots, data, numbers):
    """Plots each peak rate in percent of the published value."""
    entries = data['peak'] + data['other']
    shares = [100 * ours_of(e, numbers) / e.get('published', e.get('bound')) for e in entries]
    with plots.figure('peaks') as ax:
        ax.barh([e['text'] for e in entries], shares,
                color=[COLOURS['bound' in e] for e in entries], height=0.6)
        ax.axvline(100, color='black', linewidth=0.8)
        for i, share in enumerate(shares):
            ax.text(2, i, f'{share:.1f}', va='center', fontsize=7, color='white')
        ax.invert_yaxis()


def caches_plot(plots, caches, numbers):
    """Plots the clocks per access of pointer chases against the footprint."""
    with plots.figure('caches') as ax:
        for i, (name, footprints) in enumerate(caches.items()):
            line(ax, i, footprints, [numbers[f'{name}-{kib} clocks'] for kib in footprints], name,
                 linewidth=1.2)


def errors_plot(plots, groups, numbers):
    """Plots simulated numbers against numbers that were measured on hardware."""
    with plots.figure('hardware') as ax:
        for i, group in enumerate(groups):
            points = [(middle(h), ours_of(h, numbers)) for h in group['rows']]
            ax.plot(*zip(*points), MARKS[i % 4], color=COLOURS[i], markersize=5,
                    label=group['group'], fillstyle='none')
        ends = (0.2, 1000)
        ax.plot(ends, ends, color='black', linewidth=0.8)
        for factor in (0.5, 2):
            ax.plot(ends, [factor * end for end in ends], color='grey', linewidth=0.6,
                    linestyle='--')
