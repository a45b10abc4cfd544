# SPDX-License-Identifier: MIT
"""The plots of docs/via.md."""

from sim_experiment import axis
from sim_svg import COLOURS, line, plt, stack


def claims_plot(plots, claims):
    """Plots the ratio of cycles without and with each mechanism, for all works."""
    with plots.figure('claims') as ax:
        for i, work in enumerate(claims[0].on):
            line(ax, i, range(len(claims)), [c.gains[work] for c in claims], work, markersize=5,
                 linestyle='', fillstyle='full' if i < len(COLOURS) else 'none')
        ax.axhline(1, color='black', linewidth=0.8)
        ax.set_xticks(range(len(claims)), [c.id for c in claims], rotation=30, ha='right')


def sweep_plot(plots, name, points, counter, works):
    """Plots a counter per cycle, with a panel for each work."""
    latencies, sizes = (axis(points, i) for i in (0, 1))
    with plots.figure(name) as axes:
        for ax, work in zip(axes, works):
            for i, latency in enumerate(latencies):
                line(ax, i, sizes, [points[latency, n][work][counter] /
                                    points[latency, n][work]['cycles'] for n in sizes],
                     f'latency {latency}', markersize=3, linewidth=1.2)
            ax.set_title(work, fontsize=9)


def operations_plot(plots, on):
    parts = {str(n): [100 * work['operations'][n] / work['cycles'] for work in on.values()]
             for n in range(6)}
    with plots.figure('operations') as ax:
        stack(ax, list(on), parts, {str(n): plt.cm.viridis(n / 5) for n in range(6)})
        ax.invert_yaxis()
