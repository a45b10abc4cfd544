# SPDX-License-Identifier: MIT
"""The measurements of the experiment: the runs, and numbers computed from their results."""

import json
import os
import subprocess
import sys
import time
from collections import Counter, namedtuple

THREADS = tuple(range(1, 13))
LATENCIES = (2, 4, 6, 8, 12)
BUFFERS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12)
# enough buffers for all numbers of threads
ENOUGH = ('--set', 'nv20.input_buffers=24', '--set', 'nv20.output_buffers=24')
# number of instructions of the vertex programs with which IPC and buffers are measured
LENGTH = 20

# base: rows of the default point.  grid: {(threads, latency): rows}.
# buffers: {key: {number: rows}}.  switches: {key: {value: rows}}.
# sensitivity: [(changes, rows)].  captures: as in the JSON.
# frames: [(name of the frame, counters)].
# Rows are those of --microbenchmark.
Measured = namedtuple('Measured', 'parameters base grid buffers switches sensitivity captures '
                      'frames')


def die(text):
    sys.exit(f'sgpu: {text}')


def find_captures(folders):
    """Returns the captures of folders, sorted by name.  The first one of each name is used."""
    found = {}
    for folder in folders:
        try:
            names = sorted(os.listdir(folder))
        except OSError as error:
            die(f'{folder}: {error.strerror}')
        for name in names:
            if name.endswith('.sgcap'):
                found.setdefault(name, os.path.join(folder, name))
    if not found:
        die(f'{", ".join(folders)}: there are no captures')
    return list(found.values())


class Simulator:
    """Runs the tool and prints progress."""

    def __init__(self, tool):
        self.tool = tool
        self.cycles = 0
        self.start = time.monotonic()

    def load(self, arguments):
        command = [self.tool, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            die(f'{" ".join(command)}: {done.stderr.strip()}')
        return json.loads(done.stdout)

    def frames(self, path):
        """Returns (name, counters) for each frame of a capture."""
        data = self.load(['--quiet', '--config', 'nv20', '--json', '-', path])
        name = os.path.basename(path).removesuffix('.sgcap')
        frames = data['points'][0]['frames']
        self.cycles += sum(frame['counters']['engine.cycles'] for frame in frames)
        print(f'{name}: {len(frames)} frames', file=sys.stderr, flush=True)
        return [(f'{name}, {frame["frame"]}' if len(frames) > 1 else name, frame['counters'])
                for frame in frames]

    def run(self, what, *arguments):
        """Returns the object that --microbenchmark nv20 writes."""
        data = self.load(['--microbenchmark', 'nv20', *arguments])
        for point in data['points']:
            self.cycles += sum(row['cycles'] for row in point['benchmarks'])
        print(f'{what}: {len(data["points"])} points, {time.monotonic() - self.start:.0f} s',
              file=sys.stderr, flush=True)
        return data


def sweep(key, values):
    return '--sweep', f'nv20.{key}={",".join(str(v) for v in values)}'


def by_value(data, *keys):
    """Returns {values of the keys: rows} for the points."""
    found = {}
    for point in data['points']:
        values = [point['changes'][f'nv20.{key}'] for key in keys]
        values = [int(v) if v.isdigit() else v for v in values]
        found[values[0] if len(values) == 1 else tuple(values)] = point['benchmarks']
    return found


def measure(sim, captures, few):
    base = sim.run('default', *captures)
    threads = (1, 3, 6) if few else THREADS
    latencies = (6,) if few else LATENCIES
    buffers = (1, 8) if few else BUFFERS
    grid = sim.run('threads, latency', *sweep('threads', threads), *sweep('latency', latencies),
                   *ENOUGH)
    return Measured(
        base['parameters']['nv20'], base['points'][0]['benchmarks'],
        by_value(grid, 'threads', 'latency'),
        {key: by_value(sim.run(key, *sweep(key, buffers)), key)
         for key in ('input_buffers', 'output_buffers')},
        {key: by_value(sim.run(key, *sweep(key, ('no', 'yes'))), key)
         for key in ('push_out', 'dirty_bits')},
        [] if few else [(point['changes'], point['benchmarks'])
                        for point in sim.run('sensitivity', '--sensitivity')['points']],
        base['captures'],
        [frame for path in captures for frame in sim.frames(path)])


def rows(benchmarks, group, **values):
    return [row for row in benchmarks if row['group'] == group and
            all(row[key] == value for key, value in values.items())]


def one(benchmarks, group, **values):
    found = rows(benchmarks, group, **values)
    if len(found) != 1:
        die(f'{group} {values}: {len(found)} rows')
    return found[0]


def ipc(benchmarks):
    """Returns the instructions per cycle for vertices with LENGTH instructions."""
    return LENGTH / one(benchmarks, 'instructions', x=LENGTH)['cycles_a_vertex']


def base_programs(captures):
    """Returns the programs of the base profile without duplicates.  Their numbers of vertices are
    sums over all captures.
    """
    found = {}
    for capture in captures:
        for program in capture['programs']:
            if program['base']:
                known = found.setdefault(program['hash'], dict(program, vertices=0))
                known['vertices'] += program['vertices']
    return list(found.values())


def mix(programs, weight):
    """Returns the shares of the classes of instructions, and of products by columns, in percent.
    `weight` returns the weight of a program.
    """
    counts = Counter()
    for program in programs:
        for name, count in program['classes'].items():
            counts[name] += count * weight(program)
        counts['columns'] += program['columns'] * weight(program)
    whole = sum(counts.values()) - counts['columns']
    return {name: 100 * count / whole for name, count in counts.items()} if whole else {}


def opcodes(programs, weight):
    counts = Counter()
    for program in programs:
        for name, count in program['opcodes'].items():
            counts[name] += count * weight(program)
    whole = sum(counts.values())
    return {name: 100 * count / whole for name, count in counts.items()} if whole else {}


def mixes(captures):
    """Returns the mix of the programs, unweighted and weighted by their numbers of vertices."""
    programs = base_programs(captures)
    return [m for m in (mix(programs, lambda p: 1), mix(programs, lambda p: p['vertices'])) if m]


def numbers(m):
    """Returns the lists of numbers that `ours` names in published.toml."""
    full = [row['cycles_a_vertex'] / row['instructions']
            for row in (*rows(m.base, 'instructions'), *rows(m.base, 'programs'))
            if row['writes'] <= row['instructions']]
    full += [p['cycles_a_vertex'] / p['instructions'] for p in base_programs(m.captures)
             if p['attributes'] <= p['instructions']]
    lit = one(m.base, 'programs', name='lit'), one(m.base, 'programs', name='lit-long')
    pushed = m.switches['push_out']['yes'], m.switches['push_out']['no']
    return {
        'instructions': full,
        'ipc': [ipc(r) / min(1, threads / latency) for (threads, latency), r in m.grid.items()],
        'buffer': [row['cycles_a_vertex'] / max(row['writes'], row['instructions'])
                   for row in rows(m.base, 'attributes')],
        'dirty': [row['moved_a_vertex'] / min(1 + row['x'], 1 + m.parameters['input_buffers'])
                  for row in rows(m.base, 'changes')],
        'push': [row['cycles_a_vertex'] / row['writes'] for row in rows(pushed[0], 'order')],
        'bubbles': [row['cycles_a_vertex'] / row['writes'] for row in rows(pushed[1], 'order')],
        'lit': [lit[1]['instructions'] / lit[0]['instructions']],
        'move': [x['move'] for x in mixes(m.captures)],
        'dot': [x['dot'] for x in mixes(m.captures)],
        'move_rows': [x['move'] - x['columns'] for x in mixes(m.captures)],
        'dot_rows': [x['dot'] + x['columns'] for x in mixes(m.captures)],
        'fixed_function': [],
        'accurate': [],
    }


def verdict(value, ours):
    """Returns 'met', 'N of M', 'not met' or 'not measured'."""
    if not ours:
        return 'not measured'
    about = value.get('about', 0)
    low, high = value['low'] * (1 - about), value['high'] * (1 + about)
    inside = [low <= n <= high for n in ours]
    if all(inside):
        return 'met'
    return f'{sum(inside)} of {len(inside)}' if any(inside) else 'not met'


def worst(benchmarks, base):
    """Returns the largest change of the cycles of the paper's programs: (percent, program)."""
    changes = []
    for row in rows(base, 'programs'):
        now = one(benchmarks, 'programs', name=row['name'])['cycles_a_vertex']
        changes.append((100 * (now / row['cycles_a_vertex'] - 1), row['name']))
    return max(changes, key=lambda c: (abs(c[0]), c[1]))
