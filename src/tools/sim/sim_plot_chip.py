# SPDX-License-Identifier: MIT
"""Plots of a chip for sim_plot.py: work of the units over time, core states for each operation,
work of all units, and cycles against a swept key."""

import matplotlib.pyplot as plt
import sim_chip_json as chip
import sim_json
from sim_json import shrink

# Classes of units to plot over time, in pipeline order.
TIME_CLASSES = ['sm', 'eu', 'tex-filters', 'rop-depth', 'rop-color', 'partition', 'gddr']
TOP_OPERATIONS = 60


def title(point, frame, many):
    name = sim_json.name_of(point)
    return f"frame {frame['frame']}, {frame['cycles']} core cycles" + \
        (f', {name}' if many and name else '')


def plot_time(folder, data, colours, limit):
    """Plots the work of some classes of units over time, and the core states below."""
    many = len(data['points']) > 1
    for number, (point, frame) in enumerate(chip.frames(data)):
        over = frame.get('over_time')
        if not over:
            continue
        figure, axes = plt.subplots(2, 1, sharex=True, figsize=(9, 6))
        for k, name in enumerate(n for n in TIME_CLASSES if n in over['classes']):
            kind = frame['classes'][name]
            rows = over['classes'][name]
            work, _ = shrink([sum(v) for v in zip(*(rows[s] for s in kind['work'] if s in rows))], limit)
            all_states, step = shrink([sum(v) for v in zip(*rows.values())], limit)
            work = work or [0] * len(all_states)
            times = [i * step * over['interval'] for i in range(len(work))]
            axes[0].plot(times, [100 * w / max(1, a) for w, a in zip(work, all_states)],
                         linewidth=0.9, label=name, color=colours[k % len(colours)])
        axes[0].set_ylabel('% of their cycles')
        axes[0].set_ylim(0, 102)
        axes[0].set_title(title(point, frame, many))
        axes[0].legend(loc='center left', bbox_to_anchor=(1, 0.5), fontsize='small')
        rows = over['classes'][chip.cores(frame)]
        groups = {}
        for state, values in rows.items():
            values, step = shrink(values, limit)
            old = groups.setdefault(chip.group(state), [0] * len(values))
            groups[chip.group(state)] = [a + b for a, b in zip(old, values)]
        sums = [max(1, sum(v)) for v in zip(*groups.values())]
        times = [i * step * over['interval'] for i in range(len(sums))]
        axes[1].stackplot(times, [[100 * v / s for v, s in zip(values, sums)]
                                  for values in groups.values()], labels=list(groups),
                          colors=colours[:len(groups)])
        axes[1].set_ylim(0, 100)
        axes[1].set_ylabel("% of the cores' cycles")
        axes[1].set_xlabel('core cycles')
        axes[1].legend(loc='center left', bbox_to_anchor=(1, 0.5), fontsize='small')
        folder.save(figure, f'time-{number}.svg')


def bars(folder, name, rows, labels, xlabel, colours):
    """Plots a stacked bar for each row, with the parts in order of their first occurrence."""
    parts = list(dict.fromkeys(part for row in rows for part in row))
    figure, axes = plt.subplots(figsize=(8, 1 + 0.25 * len(rows)))
    left = [0.0] * len(rows)
    for i, part in enumerate(parts):
        values = [row.get(part, 0) for row in rows]
        if any(values):
            axes.barh(range(len(rows)), values, left=left, label=part,
                      color=colours[i % len(colours)])
        left = [a + b for a, b in zip(left, values)]
    axes.set_yticks(range(len(rows)), labels, fontsize='small')
    axes.invert_yaxis()
    axes.set_xlabel(xlabel)
    axes.legend(loc='center left', bbox_to_anchor=(1, 0.5), fontsize='small')
    folder.save(figure, name)


def plot_operations(folder, data, colours):
    """Plots the core cycles of the longest operations in each frame, by core state."""
    for number, (_, frame) in enumerate(chip.frames(data)):
        operations = frame.get('stacks') or []
        longest = sorted(operations, key=lambda o: -o['cycles'])[:TOP_OPERATIONS]
        chosen = [o for o in operations if any(o is x for x in longest) and o['cycles']]
        rows = []
        for o in chosen:
            row = {}
            for state, cycles in chip.states(chip.cores(frame), o).items():
                row[chip.group(state)] = row.get(chip.group(state), 0) + cycles
            rows.append(row)
        if rows:
            bars(folder, f'draws-{number}.svg', rows, [chip.label(o) for o in chosen],
                 'core cycles, by what the cores do', colours)


def plot_units(folder, data):
    """Plots the work of each class of units over the whole frame."""
    many = len(data['points']) > 1
    for number, (point, frame) in enumerate(chip.frames(data)):
        total = {}
        for o in frame.get('stacks', []) + [frame[k] for k in ['rest'] if k in frame]:
            for name, stack in o['stack'].items():
                mine = total.setdefault(name, {})
                for state, cycles in stack.items():
                    mine[state] = mine.get(state, 0) + cycles
        if not total:
            continue
        names = list(frame['classes'])
        whole = {'cycles': frame['cycles'], 'stack': total}
        work = [100 * chip.work(frame, n, whole) / max(1, frame['cycles']) for n in names]
        figure, axes = plt.subplots(figsize=(7, 1 + 0.25 * len(names)))
        axes.barh(range(len(names)), work, color='#4c72b0')
        axes.set_yticks(range(len(names)), names, fontsize='small')
        axes.invert_yaxis()
        axes.set_xlim(0, 100)
        axes.set_xlabel('% of the cycles in which a unit works, mean of the class')
        axes.set_title(title(point, frame, many), fontsize='medium')
        folder.save(figure, f'units-{number}.svg')


def plot_sweep(folder, data):
    """Plots cycles against the first swept key with numbers, with a curve for each frame and each
    value of the other keys."""
    points = data['points']
    numbers = [k for k in points[-1]['changes']
               if all(isinstance(p['changes'].get(k), int) for p in points)]
    if not numbers or len(points) < 2:
        return
    key = numbers[0]
    curves = {}
    for point, frame in chip.frames(data):
        others = ', '.join(f"{k.split('.')[1]} {v}" for k, v in point['changes'].items()
                           if k != key)
        curves.setdefault((frame['frame'], others), []).append(
            (point['changes'][key], frame['cycles']))
    figure, axes = plt.subplots(figsize=(7, 5))
    for (number, others), values in curves.items():
        axes.plot(*zip(*sorted(values)), marker='o', markersize=3,
                  label=f'frame {number}' + (f', {others}' if others else ''))
    axes.set_xlabel(key)
    axes.set_ylabel('core cycles')
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    if len(curves) <= 24:
        axes.legend(loc='center left', bbox_to_anchor=(1, 0.5), fontsize='small')
    folder.save(figure, 'sweep-cycles.svg')


def plot(folder, data, colours, limit):
    plot_time(folder, data, colours, limit)
    plot_operations(folder, data, colours)
    plot_units(folder, data)
    plot_sweep(folder, data)
