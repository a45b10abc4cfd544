#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plots of `sgpu sim --json`: parallelism over time, states of the accelerators, and parallelism
against a swept key.  For the plots of a chip, see sim_plot_chip.py.  Needs Debian's
python3-matplotlib.

usage: sim_plot.py FILE.json DIR [--force]
"""

import os
import sys

import matplotlib
import sim_json
from sim_json import shrink

matplotlib.use('Agg')
import matplotlib.pyplot as plt  # noqa: E402
import sim_plot_chip  # noqa: E402

# Colors of the states, with one hue per kind of cause.  Busy is the first, at the bottom.
COLOURS = ['#4c9f70', '#c44e52', '#dd8452', '#ccb974', '#8172b3', '#937860', '#4c72b0', '#64b5cd',
           '#da8bc3', '#8c8c8c', '#555555', '#aec7e8', '#98df8a', '#ff9896', '#c5b0d5', '#c49c94']
TOP_POINTS = 60  # maximum number of bars per plot
TIME_POINTS = 2000  # maximum number of points in a plot over time


class Folder:
    """Writes plots to a directory. Replaces existing files only if `force` is true."""

    def __init__(self, path, force):
        self.path = path
        self.force = force
        self.written = []
        try:
            os.makedirs(path, exist_ok=True)
        except OSError as error:
            sim_json.die(f'{path}: {error.strerror}')

    def save(self, figure, name):
        path = os.path.join(self.path, name)
        if os.path.exists(path) and not self.force:
            sim_json.die(f'{path} exists; --force replaces it')
        try:
            figure.savefig(path, bbox_inches='tight', metadata={'Date': None})
        except OSError as error:
            sim_json.die(f'{path}: {error.strerror}')
        plt.close(figure)
        self.written.append(path)


def label(point, facts, many_points):
    name = sim_json.name_of(point)
    return f"frame {facts['frame']}" + (f', {name}' if many_points and name else '')


def plot_time(folder, data):
    """Plots the number of busy accelerators over time (Figure 14 of the paper), and all states
    below."""
    many = len(data['points']) > 1
    number = 0
    for point, facts, result in sim_json.runs(data):
        if 'over_time' not in result:
            continue
        over = result['over_time']
        accelerators = point['accelerators']
        figure, axes = plt.subplots(2, 1, sharex=True, figsize=(9, 6))
        states = {}
        for state, values in over['states'].items():
            states[state], step = shrink(values, TIME_POINTS)
        width = over['interval'] * step
        times = [i * width for i in range(len(states['busy']))]
        # The last interval ends with the frame.
        lengths = [min(width, result['cycles'] - t) for t in times]
        work = [a + b for a, b in zip(states['busy'], states['memory'])]
        axes[0].plot(times, [w / n for w, n in zip(work, lengths)], linewidth=0.8)
        axes[0].axhline(result['tlp'], color='gray', linestyle='--', linewidth=0.8)
        axes[0].set_ylabel('busy accelerators')
        axes[0].set_ylim(0, accelerators * 1.02)
        axes[0].set_title(label(point, facts, many) + f", mean {result['tlp']:.2f}")
        used = [s for s in states if any(states[s])]
        axes[1].stackplot(times, [[100 * v / n / accelerators for v, n in zip(states[s], lengths)]
                                  for s in used], labels=used,
                          colors=[COLOURS[list(states).index(s) % len(COLOURS)] for s in used])
        axes[1].set_ylim(0, 100)
        axes[1].set_ylabel('% of accelerators')
        axes[1].set_xlabel('cycles')
        axes[1].legend(loc='center left', bbox_to_anchor=(1, 0.5), fontsize='small')
        folder.save(figure, f'time-{number}.svg')
        number += 1


def plot_stalls(folder, data):
    """Plots a bar for each frame and point, with the fractions of the accelerators' cycles by
    state."""
    rows = list(sim_json.runs(data))
    if len(rows) > TOP_POINTS:
        print(f'sgpu: the plot of states has the first {TOP_POINTS} of {len(rows)} runs',
              file=sys.stderr)
    rows = rows[:TOP_POINTS]
    many = len(data['points']) > 1
    names = list(rows[0][2]['states'])
    figure, axes = plt.subplots(figsize=(8, 1 + 0.25 * len(rows)))
    left = [0.0] * len(rows)
    for i, state in enumerate(names):
        shares = [100 * r['states'][state] / max(1, sum(r['states'].values())) for _, _, r in rows]
        if any(shares):
            axes.barh(range(len(rows)), shares, left=left, label=state,
                      color=COLOURS[i % len(COLOURS)])
        left = [a + b for a, b in zip(left, shares)]
    axes.set_yticks(range(len(rows)), [label(p, f, many) for p, f, _ in rows], fontsize='small')
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of the accelerators' cycles")
    axes.legend(loc='center left', bbox_to_anchor=(1, 0.5), fontsize='small')
    folder.save(figure, 'states.svg')


def plot_sweep(folder, data):
    """Plots the number of busy accelerators against the first swept key with numbers (Figures 12
    and 13), with a curve for each frame and each value of the other keys."""
    points = data['points']
    changed = list(points[-1]['changes'])
    numbers = [k for k in changed
               if all(isinstance(p['changes'].get(k), int) for p in points)]
    if not numbers or len(points) < 2:
        return
    key = numbers[0]
    curves = {}
    for point, facts, result in sim_json.runs(data):
        others = ', '.join(f"{k.split('.')[1]} {v}" for k, v in point['changes'].items()
                           if k != key)
        curves.setdefault((facts['frame'], others), []).append(
            (point['changes'][key], result['tlp'], result['cycles']))
    for column, what, name in ((1, 'busy accelerators', 'sweep-parallelism.svg'),
                               (2, 'cycles', 'sweep-cycles.svg')):
        figure, axes = plt.subplots(figsize=(7, 5))
        for (frame, others), values in curves.items():
            values = sorted(values)
            axes.plot([v[0] for v in values], [v[column] for v in values], marker='o',
                      markersize=3, label=f'frame {frame}' + (f', {others}' if others else ''))
        axes.set_xlabel(key)
        axes.set_ylabel(what)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        if len(curves) <= 24:
            axes.legend(loc='center left', bbox_to_anchor=(1, 0.5), fontsize='small')
        folder.save(figure, name)


def main():
    arguments = [a for a in sys.argv[1:] if a != '--force']
    if len(arguments) != 2:
        sys.exit(__doc__)
    # Use a constant salt, so that identical data produces identical files.
    plt.rcParams['svg.hashsalt'] = 'sgpu'
    data = sim_json.load(arguments[0], (sim_json.ENGINE, sim_json.CHIP))
    folder = Folder(arguments[1], '--force' in sys.argv[1:])
    if data['format'] == sim_json.CHIP:
        sim_plot_chip.plot(folder, data, COLOURS, TIME_POINTS)
    else:
        plot_time(folder, data)
        plot_stalls(folder, data)
        plot_sweep(folder, data)
    print('\n'.join(folder.written))


if __name__ == '__main__':
    main()
