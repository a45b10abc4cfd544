# SPDX-License-Identifier: MIT
"""The plot of sgpu bench: the ratios and their intervals, with one row per workload."""

import os
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(TOP, 'src/tools/sim'))

from sim_svg import COLOURS, MARKS, plt  # noqa: E402  pylint: disable=wrong-import-position


def plot(path, result):
    """Writes the plot as SVG or PNG, depending on the file name."""
    rows = result['workloads'][::-1]
    opponents = result['drivers'][1:]
    figure, ax = plt.subplots(figsize=(7, 1.2 + 0.2 * len(rows)))
    spread = 0.5 / max(1, len(opponents))
    for index, driver in enumerate(opponents):
        colour = COLOURS[index % len(COLOURS)]
        found = [(y, row['ratios'][driver]) for y, row in enumerate(rows) if row['ratios'][driver]]
        at = [y + (index - (len(opponents) - 1) / 2) * spread for y, _ in found]
        ax.plot([one['ratio'] for _, one in found], at, MARKS[index % len(MARKS)], markersize=4,
                color=colour, label=driver, linestyle='none')
        for y, (_, one) in zip(at, found, strict=True):
            if one['low'] is None:
                continue
            ax.plot([one['low'], one['high']], [y, y], color=colour, linewidth=1)
        means = result['means'][driver]
        if means and means['workloads'] > 1:
            ax.axvline(means['ratio'], color=colour, linewidth=0.8, linestyle='--',
                       label=f'{driver}: geometric mean {means["ratio"]:.2f}')
    ax.axvline(1, color='black', linewidth=0.8)
    ax.set_xscale('log', base=2)
    ax.xaxis.set_major_formatter(lambda value, _: f'{value:g}')
    ax.set_yticks(range(len(rows)), [os.path.basename(row['workload']) for row in rows])
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.grid(True, alpha=0.3)
    ax.set_axisbelow(True)
    ax.set_xlabel('frames per second, sgpu to the other driver; 95 % intervals')
    ax.legend(fontsize=7, loc='lower center', bbox_to_anchor=(0.5, 1.0), ncols=2)
    figure.tight_layout()
    figure.savefig(path, facecolor='white', dpi=110, bbox_inches='tight')
    plt.close(figure)
