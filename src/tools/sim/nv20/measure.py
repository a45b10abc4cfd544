# SPDX-License-Identifier: MIT
"""The vertex engine of Lindholm, Kilgard, Moreton (SIGGRAPH 2001): microbenchmarks, vertex programs
of captures, and the values in the paper's text compared with measured values.

usage: sgpu sim --experiment nv20 [--captures DIR]... [--out DIR] [--few] [--threads N]

  --captures DIR  captures whose vertex programs are run; can be given several times
                  (default: tests/captures and the folders of tests/frames)
  --out DIR       writes DIR/nv20.md and DIR/nv20/*.svg (default: docs)
  --few           few points
  --threads N     number of threads of the device (default: number of CPUs)

Needs Debian's python3-matplotlib.
"""

import os
from collections import Counter, namedtuple

from sim_experiment import TOP, by_value, find_captures
from sim_json import die

CAPTURES = [os.path.join(TOP, 'tests', *folder) for folder in
            (('captures',), ('frames', 'micro32'), ('frames', 'modern'))]
# Number of instructions per vertex for the measurements of IPC and buffers.
LENGTH = 20

# All results. "Rows" are the benchmarks of --microbenchmark.
# base: rows of the default point. grid: {(threads, latency): rows}.
# buffers: {key: {number of buffers: rows}}. switches: {key: {value: rows}}.
# sensitivity: [(changes, rows)]. captures: the member of the JSON.
# frames: [(name of the frame, counters)].
Measured = namedtuple('Measured', 'parameters base grid buffers switches sensitivity captures '
                      'frames')


def add_options(parser):
    parser.add_argument('--captures', action='append')


def frames_of(e, path):
    """Simulates a capture. Returns [(name, counters)] for its frames."""
    name = os.path.basename(path).removesuffix('.sgcap')
    frames = e.tell(e.json('--config', 'nv20', path), name)['points'][0]['frames']
    return [(f'{name}, {frame["frame"]}' if len(frames) > 1 else name, frame['counters'])
            for frame in frames]


def measure(e):
    captures, runs = find_captures(*(e.args.captures or CAPTURES)), e.data['run']
    e.total = len(runs) - e.args.few + len(captures)
    base = e.run(runs['default'], *captures, what='default')

    def swept(name):
        return by_value(e.run(runs[name], what=name)['points'], lambda p: p['benchmarks'])

    return Measured(
        base['parameters']['nv20'], base['points'][0]['benchmarks'], swept('grid'),
        {key: swept(key) for key in ('input_buffers', 'output_buffers')},
        {key: swept(key) for key in ('push_out', 'dirty_bits')},
        [] if e.args.few else [(point['changes'], point['benchmarks']) for point in
                               e.run(runs['sensitivity'], what='sensitivity')['points']],
        base['captures'], [frame for path in captures for frame in frames_of(e, path)])


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
    """Returns the programs of the base profile without duplicates. Their vertex counts are totals
    over all captures.
    """
    found = {}
    for capture in captures:
        for program in capture['programs']:
            if program['base']:
                known = found.setdefault(program['hash'], dict(program, vertices=0))
                known['vertices'] += program['vertices']
    return list(found.values())


def mix(programs, weight):
    """Returns the percentages of the instruction classes, and of products that are computed by
    columns. `weight` returns the weight of a program.
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
    """Returns the mix of the programs, unweighted and weighted by vertex count."""
    programs = base_programs(captures)
    return [m for m in (mix(programs, lambda p: 1), mix(programs, lambda p: p['vertices'])) if m]


def numbers(m):
    """Returns {name of a published value: list of measured numbers}."""
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


def worst(benchmarks, base):
    """Returns the largest change in cycles of the paper's programs, as (percent, program)."""
    changes = []
    for row in rows(base, 'programs'):
        now = one(benchmarks, 'programs', name=row['name'])['cycles_a_vertex']
        changes.append((100 * (now / row['cycles_a_vertex'] - 1), row['name']))
    return max(changes, key=lambda c: (abs(c[0]), c[1]))
