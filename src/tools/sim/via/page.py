# SPDX-License-Identifier: MIT
"""Writes docs/via.md from page.md, and the plots of the page."""

from collections import namedtuple

from sim_experiment import axis
from sim_page import span, table
from via import plots as pl
from via.measure import holds

# gain: text with the gains of the works that the claim covers. others: text with the gains of the
# other works.
Row = namedtuple('Row', 'place text id gain others verdict')


def verdicts(e, measured):
    found = []
    for c in measured.claims:
        others = [g for work, g in c.gains.items() if work not in c.claim['works']]
        found.append(Row(c.claim['place'], c.claim['text'], c.id,
                         span([c.gains[work] for work in c.claim['works']], 2), span(others, 2),
                         holds(c.claim, c.gains, e.data['share'])))
    return found


def rows(e, measured):
    return (('claim', 'gain', 'others', 'verdict'),
            [(row.text, row.gain, row.others, row.verdict) for row in verdicts(e, measured)])


def claims_table(claims):
    return table(('work', *(c.id for c in claims)),
                 [(work, *(f'{c.gains[work]:.2f}' for c in claims)) for work in claims[0].on])


def works_table(on):
    rows = []
    for work, r in on.items():
        alu = sum(r[f'alu{i}']['issue'] for i in range(2))
        waits = {s: n for s, n in r['threads_states'].items() if s not in ('empty', 'issue')}
        most = max(waits, key=waits.get)
        busy = sum(r['threads_states'].values()) - r['threads_states']['empty']
        rows.append((work, f'{r["cycles"]:,}', f'{r["instructions"] / r["cycles"]:.2f}',
                     f'{100 * alu / (2 * r["cycles"]):.1f}',
                     f'{r["code_reads"] / r["delivered"]:.2f}',
                     f'{most} ({100 * waits[most] / busy:.0f} %)'))
    return table(('work', 'cycles', 'instructions a cycle', 'ALUs execute, %',
                  'cache reads of an instruction that a queue takes', 'threads mostly wait for'),
                 rows)


def broadcast_table(measured):
    on, off = next((c.on, c.off) for c in measured.claims if c.id == 'broadcast')
    return table(('work', 'with', 'without'),
                 [(work, f'{on[work]["code_reads"] / on[work]["delivered"]:.3f}',
                   f'{off[work]["code_reads"] / off[work]["delivered"]:.3f}') for work in on])


def lines_table(points, name, work):
    return table((name, 'cycles', 'lines from memory', 'launch waits, cycles'),
                 [(n, f'{p[work]["cycles"]:,}', f'{p[work]["const_lines"]:,}',
                   f'{sum(p[work]["launch"][s] for s in ("context", "version", "mapping")):,}')
                  for n, p in points.items()])


def sweep_table(name, row, points, work):
    """Returns a table with the cycles of a work. name: heading of the rows; row: format of a
    row's value."""
    rows, columns = (axis(points, i) for i in (0, 1))
    return table((name, *columns), [(row.format(r), *(f'{points[r, c][work]["cycles"]:,}'
                                                      for c in columns)) for r in rows])


def sensitivity_table(e, measured):
    return table(('claim', 'verdict', 'another verdict with'),
                 [(c.id, holds(c.claim, c.gains, e.data['share']),
                   '; '.join(f'`{text}`: {v}' for text, v in measured.sensitivity[c.id]) or 'none')
                  for c in measured.claims], text=3)


def write(e, measured):
    plots, found, sweeps = e.plots(), verdicts(e, measured), measured.sweeps
    pl.claims_plot(plots, measured.claims)
    pl.sweep_plot(plots, 'queues', sweeps['queues'], 'instructions',
                  ('control', 'registers1', 'transform'))
    pl.sweep_plot(plots, 'fifo', sweeps['fifos'], 'const_requests', ('constants', 'transform'))
    pl.operations_plot(plots, measured.claims[0].on)
    mixed = measured.claims[0].on['mixed']
    values = {
        'verdicts': table(('place', 'claim', 'off', 'gain of its works', 'of the others',
                           'verdict'), [row._replace(id=f'`{row.id}`') for row in found], text=3),
        'holds': str(sum(row.verdict == 'holds' for row in found)),
        'claims': str(len(found)),
        'works': works_table(measured.claims[0].on),
        'gains': claims_table(measured.claims),
        'broadcast': broadcast_table(measured),
        'queues': sweep_table('fetch latency', '{}', sweeps['queues'], 'registers1'),
        'fifos': sweep_table('requests', 'latency {}', sweeps['fifos'], 'constants'),
        'contexts': lines_table(sweeps['contexts'], 'contexts', 'contexts'),
        'versions': lines_table(sweeps['versions'], 'versions', 'versions'),
        'most': str(max(n for n, cycles in enumerate(mixed['operations']) if cycles)),
        'five': f'{100 * mixed["operations"][5] / mixed["cycles"]:.1f}',
    }
    if measured.programs:
        values['programs'] = works_table(measured.programs[0].on)
        values['program_gains'] = claims_table(measured.programs)
    if measured.sensitivity:
        values['sensitivity'] = sensitivity_table(e, measured)
        values['assumed'] = str(measured.assumed)
    e.write(values)
