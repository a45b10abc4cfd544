# SPDX-License-Identifier: MIT
"""The plots of docs/via.md: SVG on white, identical for identical numbers."""

from measure import CONST_LATENCIES, FIFOS, LATENCIES, QUEUES
from sim_svg import COLOURS, MARKS, plt


def claims_plot(plots, measured):
    """Plots the cycles without a mechanism divided by those with it, for all works."""
    works = list(measured.claims[0][1])
    figure, ax = plt.subplots(figsize=(8, 3.6))
    for i, work in enumerate(works):
        ax.plot(range(len(measured.claims)), [gain[work] for _, _, _, gain in measured.claims],
                MARKS[i % 4], color=COLOURS[i % len(COLOURS)], markersize=5, label=work,
                fillstyle='full' if i < len(COLOURS) else 'none')
    ax.axhline(1, color='black', linewidth=0.8)
    ax.set_xticks(range(len(measured.claims)), [c['id'] for c, _, _, _ in measured.claims],
                  rotation=30, ha='right')
    ax.set_ylabel('cycles without / with')
    ax.legend(fontsize=7, ncol=1, bbox_to_anchor=(1.01, 1), loc='upper left')
    plots.save(figure, 'claims')


def queues_plot(plots, measured):
    figure, axes = plt.subplots(1, 3, figsize=(8, 2.6), sharex=True)
    for ax, work in zip(axes, ('control', 'registers1', 'transform')):
        for i, latency in enumerate(LATENCIES):
            ax.plot(QUEUES, [measured.queues[latency, d][work]['instructions'] /
                             measured.queues[latency, d][work]['cycles'] for d in QUEUES],
                    MARKS[i % 4] + '-', color=COLOURS[i], markersize=3, linewidth=1.2,
                    label=f'latency {latency}')
        ax.set_xscale('log', base=2)
        ax.set_xticks(QUEUES, QUEUES)
        ax.set_xlabel('instructions of a queue')
        ax.set_title(work, fontsize=9)
        ax.set_ylim(bottom=0)
    axes[0].set_ylabel('instructions a cycle')
    axes[-1].legend(fontsize=7)
    plots.save(figure, 'queues')


def fifos_plot(plots, measured):
    figure, axes = plt.subplots(1, 2, figsize=(6, 2.6), sharex=True)
    for ax, work in zip(axes, ('constants', 'transform')):
        for i, latency in enumerate(CONST_LATENCIES):
            ax.plot(FIFOS, [measured.fifos[latency, d][work]['const_requests'] /
                            measured.fifos[latency, d][work]['cycles'] for d in FIFOS],
                    MARKS[i % 4] + '-', color=COLOURS[i], markersize=3, linewidth=1.2,
                    label=f'latency {latency}')
        ax.set_xscale('log', base=2)
        ax.set_xticks(FIFOS, FIFOS)
        ax.set_xlabel('requests of the FIFO')
        ax.set_title(work, fontsize=9)
        ax.set_ylim(bottom=0)
    axes[0].set_ylabel('constants a cycle')
    axes[-1].legend(fontsize=7)
    plots.save(figure, 'fifo')


def operations_plot(plots, measured):
    on = measured.claims[0][1]
    works = list(on)
    figure, ax = plt.subplots(figsize=(8, 3))
    left = [0.0] * len(works)
    for n in range(6):
        share = [100 * on[w]['operations'][n] / on[w]['cycles'] for w in works]
        ax.barh(works, share, left=left, color=plt.cm.viridis(n / 5), label=str(n))
        left = [a + b for a, b in zip(left, share)]
    ax.set_xlabel('% of the cycles')
    ax.invert_yaxis()
    ax.legend(title='operations', fontsize=7, bbox_to_anchor=(1.01, 1), loc='upper left')
    plots.save(figure, 'operations')
