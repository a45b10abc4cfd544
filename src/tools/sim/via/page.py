# SPDX-License-Identifier: MIT
"""Writes docs/via.md from page.md, and its plots."""

import os

from measure import FIFOS, LATENCIES, QUEUES, verdict
from sim_page import fill, table

HERE = os.path.dirname(os.path.abspath(__file__))


def span(values, digits=2):
    texts = [f'{v:.{digits}f}' for v in (min(values), max(values))]
    return texts[0] if texts[0] == texts[1] else ' to '.join(texts)


def verdict_rows(measured):
    """Returns (place, text, id, gain of its works, gain of others, verdict) for each claim."""
    rows = []
    for claim, _, _, gain in measured.claims:
        others = [g for work, g in gain.items() if work not in claim['works']]
        rows.append((claim['place'], claim['text'], claim['id'],
                     span([gain[work] for work in claim['works']]), span(others),
                     verdict(claim, gain)))
    return rows


def claims_table(claims):
    return table(('work', *(c['id'] for c, _, _, _ in claims)),
                 [(work, *(f'{gain[work]:.2f}' for _, _, _, gain in claims))
                  for work in claims[0][1]])


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
    _, on, off, _ = next(c for c in measured.claims if c[0]['id'] == 'broadcast')
    return table(('work', 'with', 'without'),
                 [(work, f'{on[work]["code_reads"] / on[work]["delivered"]:.3f}',
                   f'{off[work]["code_reads"] / off[work]["delivered"]:.3f}') for work in on])


def lines_table(points, name, work):
    return table((name, 'cycles', 'lines from memory', 'launch waits, cycles'),
                 [(n, f'{p[work]["cycles"]:,}', f'{p[work]["const_lines"]:,}',
                   f'{sum(p[work]["launch"][s] for s in ("context", "version", "mapping")):,}')
                  for n, p in points.items()])


def sensitivity_table(measured):
    rows = []
    for claim, _, _, gain in measured.claims:
        differ = measured.sensitivity[claim['id']]
        rows.append((claim['id'], verdict(claim, gain),
                     '; '.join(f'`{text}`: {v}' for text, v in differ) or 'none'))
    return table(('claim', 'verdict', 'another verdict with'), rows, text=3)


def values_of(measured):
    """Returns the values for the names in braces in page.md."""
    on = measured.claims[0][1]
    rows = verdict_rows(measured)
    control = measured.queues
    mixed = on['mixed']
    values = {
        'verdicts': table(('place', 'claim', 'off', 'gain of its works', 'of the others',
                           'verdict'),
                          [(place, text, f'`{name}`', gain, others, v)
                           for place, text, name, gain, others, v in rows], text=3),
        'holds': str(sum(row[5] == 'holds' for row in rows)),
        'claims': str(len(rows)),
        'works': works_table(on),
        'gains': claims_table(measured.claims),
        'broadcast': broadcast_table(measured),
        'queues': table(('fetch latency', *(f'{d}' for d in QUEUES)),
                        [(latency, *(f'{control[latency, d]["registers1"]["cycles"]:,}'
                                     for d in QUEUES)) for latency in LATENCIES]),
        'fifos': table(('requests', *FIFOS),
                       [(f'latency {latency}',
                         *(f'{measured.fifos[latency, d]["constants"]["cycles"]:,}'
                           for d in FIFOS)) for latency in sorted({k[0] for k in measured.fifos})]),
        'contexts': lines_table(measured.contexts, 'contexts', 'contexts'),
        'versions': lines_table(measured.versions, 'versions', 'versions'),
        'most': str(max(n for n, cycles in enumerate(mixed['operations']) if cycles)),
        'five': f'{100 * mixed["operations"][5] / mixed["cycles"]:.1f}',
    }
    if measured.programs:
        values['programs'] = works_table(measured.programs[0][1])
        values['program_gains'] = claims_table(measured.programs)
    if measured.sensitivity:
        values['sensitivity'] = sensitivity_table(measured)
        values['assumed'] = str(measured.assumed)
    return values


def write(folder, measured):
    import plots as pl
    from sim_svg import Plots
    plots = Plots(os.path.join(folder, 'via'))
    pl.claims_plot(plots, measured)
    pl.queues_plot(plots, measured)
    pl.fifos_plot(plots, measured)
    pl.operations_plot(plots, measured)
    text = fill(os.path.join(HERE, 'page.md'), values_of(measured))
    with open(os.path.join(folder, 'via.md'), 'w', encoding='utf-8') as file:
        file.write(text)
