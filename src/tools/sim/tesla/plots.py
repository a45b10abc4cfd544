# SPDX-License-Identifier: MIT
"""The plots of docs/tesla.md."""

import measure
from page import ours_of
from sim_svg import COLOURS, MARKS, plt


def peaks_plot(plots, published, measured):
    """Plots each peak in percent of the published value."""
    entries = published['peak'] + published['other']
    shares = [100 * ours_of(e, measured.numbers) / e.get('published', e.get('bound'))
              for e in entries]
    figure, ax = plt.subplots(figsize=(8, 6))
    ax.barh([e['text'] for e in entries], shares,
            color=[COLOURS['bound' in e] for e in entries], height=0.6)
    ax.axvline(100, color='black', linewidth=0.8)
    for i, share in enumerate(shares):
        ax.text(2, i, f'{share:.1f}', va='center', fontsize=7, color='white')
    ax.set_xlabel('% of the published peak; red: of the bound that follows from peaks')
    ax.set_xlim(0, 105)
    ax.invert_yaxis()
    plots.save(figure, 'peaks')


def caches_plot(plots, measured):
    """Plots the cost of an access by the footprint of a pointer chase."""
    figure, ax = plt.subplots(figsize=(8, 3.4))
    for i, (name, footprints) in enumerate(measure.FOOTPRINTS.items()):
        ax.plot(footprints, [measured.numbers[f'{name}-{kib} clocks'] for kib in footprints],
                MARKS[i] + '-', color=COLOURS[i], markersize=4, linewidth=1.2, label=name)
    ax.set_xscale('log', base=2)
    ticks = (1, 2, 4, 8, 16, 32, 64, 128, 256)
    ax.set_xticks(ticks, ticks)
    ax.set_xlabel('KiB')
    ax.set_ylabel('SP clocks')
    ax.set_ylim(bottom=0)
    ax.legend(fontsize=7)
    plots.save(figure, 'caches')


def errors_plot(plots, published, measured):
    """Plots our numbers against those measured on hardware."""
    figure, ax = plt.subplots(figsize=(5, 4.6))
    groups = list(dict.fromkeys(h['group'] for h in published['hardware']))
    for i, group in enumerate(groups):
        points = [(measure.middle(h), ours_of(h, measured.numbers))
                  for h in published['hardware'] if h['group'] == group]
        ax.plot(*zip(*points), MARKS[i % 4], color=COLOURS[i], markersize=5, label=group,
                fillstyle='none')
    ends = (0.2, 1000)
    ax.plot(ends, ends, color='black', linewidth=0.8)
    for factor in (0.5, 2):
        ax.plot(ends, [factor * end for end in ends], color='grey', linewidth=0.6, linestyle='--')
    ax.set_xscale('log')
    ax.set_yscale('log')
    ax.set_xlim(ends)
    ax.set_ylim(ends)
    ax.set_xlabel('hardware')
    ax.set_ylabel('ours; dashed: half and twice')
    ax.legend(fontsize=7)
    plots.save(figure, 'hardware')
