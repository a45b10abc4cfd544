# SPDX-License-Identifier: MIT
"""Writes docs/nv20.md from page.md, and the plots of the page."""

from nv20 import measure
from nv20 import plots as pl
from sim_experiment import axis, compare, met
from sim_page import number, table


def rows(e, m):
    return (('value', 'published', 'ours', 'verdict'),
            [(row.text, row.published, row.ours, row.verdict)
             for row in compare(e.data['value'], measure.numbers(m))])


def grid_table(grid):
    threads, latencies = (axis(grid, i) for i in (0, 1))
    return table(('latency', *(f'{n} threads' if n > 1 else '1 thread' for n in threads)),
                 [(latency, *(number(measure.ipc(grid[n, latency]), 3) for n in threads))
                  for latency in latencies])


def programs_table(benchmarks):
    rows = []
    for row in measure.rows(benchmarks, 'programs'):
        classes = row['counters']['core.classes']
        whole = sum(classes.values())
        rows.append((f'`{row["name"]}`', row['instructions'], row['writes'], row['outputs'],
                     number(row['cycles_a_vertex'], 2),
                     *(number(100 * classes[name] / whole, 0)
                       for name in ('move', 'dot', 'compare', 'special')),
                     number(row['life_of_a_vertex'], 1)))
    return table(('program', 'instructions', 'attributes', 'outputs', 'cycles a vertex',
                  'move %', 'dot %', 'compare %', 'special %', 'cycles of life'), rows)


def order_table(switches):
    rows = []
    for order in ('up', 'down'):
        rows.append((f'attributes 1 to 15 {order}wards, then 0',
                     *(number(measure.one(switches[value], 'order', name=order)['cycles_a_vertex'],
                              2) for value in ('yes', 'no')),
                     number(measure.one(switches['yes'], 'order', name=order)['pushed_a_vertex'],
                            2)))
    return table(('16 writes a vertex, 1 instruction', 'with pushing', 'without',
                  'pushed a vertex'), rows)


def dirty_table(switches):
    rows = []
    for changes in (1, 4, 8, 15):
        found = [measure.one(switches[value], 'changes', x=changes) for value in ('yes', 'no')]
        rows.append((changes, *(number(row['moved_a_vertex'], 2) for row in found),
                     *(number(row['cycles_a_vertex'], 2) for row in found)))
    return table(('attributes that change in turn', 'moved, dirty bits', 'moved, without',
                  'cycles, dirty bits', 'cycles, without'), rows)


def mix_table(captures):
    programs = measure.base_programs(captures)
    if not programs:
        return ''
    both = [measure.opcodes(programs, weight)
            for weight in (lambda p: 1, lambda p: p['vertices'])]
    names = sorted(both[0], key=lambda name: (-both[0][name], name))
    return table(('operation', 'programs, each once, %', 'by vertices, %'),
                 [(name, *(number(shares.get(name, 0), 1) for shares in both))
                  for name in names])


def captures_table(captures):
    rows = []
    for capture in captures:
        programs = capture['programs']
        base = measure.base_programs([capture])
        vertices = sum(p['vertices'] for p in programs)
        ours = sum(p['vertices'] for p in base)
        shares = measure.mix(base, lambda p: p['vertices'])
        slots = sum(p['vertices'] * p['instructions'] for p in base)
        cycles = sum(p['vertices'] * p['cycles_a_vertex'] for p in base)
        rows.append((capture['file'].removesuffix('.sgcap'), len(programs), len(base),
                     number(vertices, 0), number(100 * ours / vertices, 0) if vertices else '',
                     number(slots / ours, 1) if ours else '',
                     number(cycles / ours, 1) if ours else '',
                     *(number(shares[name], 0) if shares else ''
                       for name in ('move', 'dot', 'columns', 'compare', 'special'))))
    return table(('capture', 'programs', 'base', 'vertices', 'of base programs, %',
                  'instructions a vertex', 'cycles a vertex', 'move %', 'dot %',
                  'by columns %', 'compare %', 'special %'), rows)


def frames_table(frames):
    rows = []
    for name, c in frames:
        cycles, vertices, core = c['engine.cycles'], c['engine.vertices'], c['core.states']
        rows.append((name, number(vertices, 0),
                     number(100 * c['engine.base-vertices'] / vertices, 0), c['engine.programs'],
                     number(cycles, 0), number(c['core.instructions'] / vertices, 2),
                     number(c['attribute-buffer.moved'] / vertices, 2),
                     number(cycles / vertices, 2), number(c['core.instructions'] / cycles, 3),
                     *(number(100 * core[state] / cycles, 1)
                       for state in ('input', 'output', 'program', 'drain'))))
    return table(('frame', 'vertices', 'base %', 'programs', 'cycles', 'instructions a vertex',
                  'moved', 'cycles a vertex', 'IPC', 'input %', 'output %', 'program %',
                  'drain %'), rows)


def sensitivity_table(m):
    rows = []
    for changes, benchmarks in m.sensitivity:
        if not changes:
            continue
        (key, value), = changes.items()
        change, name = measure.worst(benchmarks, m.base)
        bound = one_bound(benchmarks) / one_bound(m.base) - 1
        rows.append((f'`{key}` = {value}', number(change, 1), f'`{name}`' if change else '',
                     number(100 * bound, 1)))
    return table(('assumption', 'cycles of a program, most changed, %', 'program',
                  'cycles of 16 attributes, 24 instructions, %'), rows)


def one_bound(benchmarks):
    return measure.one(benchmarks, 'attributes', x=16, instructions=24)['cycles_a_vertex']


def write(e, m):
    plots, found = e.plots(), compare(e.data['value'], measure.numbers(m))
    pl.ipc_plot(plots, m.grid)
    pl.attributes_plot(plots, m.base)
    pl.buffers_plot(plots, m.buffers)
    pl.mix_plot(plots, m.captures)
    counters = measure.one(m.base, 'programs', name='light')['counters']
    e.write(met(found) | {
        'verdicts': table(('section', 'value', 'published', 'ours', 'verdict', 'cause'), found,
                          text=2, last=2),
        'grid': grid_table(m.grid),
        'programs': programs_table(m.base),
        'order': order_table(m.switches['push_out']),
        'dirty': dirty_table(m.switches['dirty_bits']),
        'mix': mix_table(m.captures),
        'captures': captures_table(m.captures),
        'frames': frames_table(m.frames),
        'sensitivity': sensitivity_table(m),
        'num_captures': str(len(m.captures)),
        'num_programs': str(len(measure.base_programs(m.captures))),
        'counters': str(sum(len(value) if isinstance(value, (dict, list)) else 1
                            for value in counters.values())),
    })
