# SPDX-License-Identifier: MIT
"""Writes docs/tesla.md from page.md, and the plots of the page."""

import os
import re

from sim_experiment import TOP, written
from sim_json import die
from sim_page import number, table
from tesla import measure
from tesla import plots as pl

# Maximum number of names per table cell.
MOST = 6


def percent(share):
    return f'{100 * share:+.1f}'


def peak_rows(data, numbers):
    """Returns rows for the peak rates: (text, published, ours, difference in percent)."""
    return [(p['text'], written(p['published']), number(ours, p.get('digits')),
             f'{100 * (ours / p["published"] - 1):+.2f}')
            for p in data['peak'] for ours in [measure.ours_of(p, numbers)]]


def rows(e, measured):
    """Returns the heading and the rows of the table for the terminal."""
    return (('value', 'published', 'ours', 'error, %'),
            peak_rows(e.data, measured.numbers) +
            [(h['text'], written(h['published']), number(ours), percent(measure.error(h, ours)))
             for h in measure.hardware(e.data) for ours in [measure.ours_of(h, measured.numbers)]])


def peaks_table(data, numbers):
    found = []
    for p, row in zip(data['peak'], peak_rows(data, numbers)):
        verdict = 'met' if measure.met(data, p, measure.ours_of(p, numbers)) else 'not met'
        found.append((row[0], p['place'], *row[1:], verdict))
    return table(('peak', 'section', 'published', 'ours', 'difference, %', 'verdict'), found,
                 text=2, last=1)


def cause_of(data, entry):
    return data['cause'][entry['cause']] if 'cause' in entry else ''


def others_table(data, numbers):
    found = []
    for o in data['other']:
        ours = measure.ours_of(o, numbers)
        low = ours / o['bound'] < 1 - data['share']
        found.append((o['text'], written(o['bound']), number(ours),
                      f'{100 * ours / o["bound"]:.1f}', cause_of(data, o) if low else ''))
    return table(('rate', 'bound', 'ours', '%', 'cause'), found, last=1)


def analytic_table(data, numbers):
    return table(('answer', 'by hand', 'expected', 'ours', 'difference, %'),
                 [(a['text'], a['formula'], written(a['expected']), f'{numbers[a["ours"]]:,.3f}',
                   f'{100 * (numbers[a["ours"]] / a["expected"] - 1):+.3f}')
                  for a in data['analytic']], text=2)


def hardware_table(data, measured):
    """Returns a table for each group of values that were measured on hardware."""
    parts = []
    for group in data['hardware']:
        found = []
        for h in group['rows']:
            ours = measure.ours_of(h, measured.numbers)
            error = measure.error(h, ours)
            source = f'{h["source"]}, {h["place"]}{", *used*" if h.get("used") else ""}'
            found.append((h['text'], source, written(h['published']), number(ours),
                          percent(error), cause_of(data, h) if abs(error) > 0.05 else ''))
        parts.append(table((group['group'], 'source', 'published', 'ours', 'error, %', 'cause'),
                           found, text=2, last=1))
    return '\n\n'.join(parts)


def sources_table(data):
    return table(('source', 'hardware', 'read'),
                 [(f'`{name}`: {s["text"]}', s['card'],
                   'yes' if s['read'] else 'no: values from memory of the paper')
                  for name, s in data['source'].items()], text=3)


def changes(entries, before, after, share):
    """Returns [(text, before, after, change)] for entries whose numbers change by more than
    `share`.
    """
    found = []
    for entry in entries:
        if entry['ours'] in before and entry['ours'] in after:
            old, new = (measure.ours_of(entry, numbers) for numbers in (before, after))
            if abs(new / old - 1) > share:
                found.append((entry['text'], old, new, new / old - 1))
    return found


def settings_table(data, measured):
    """Returns tables of the parameters in [[setting]] and of the numbers that they change."""
    found = []
    for setting in data['setting']:
        section, name = setting['key'].split('.')
        found.append((f'`{setting["key"]}`', setting['why'], measured.parameters[section][name],
                      setting['value']))
    head = table(('parameter', 'why', 'default', 'then'), found, text=2)
    found = {}
    for text, old, new, change in changes(
            data['peak'] + data['other'] + measure.hardware(data), measured.numbers,
            measured.others, data['share']):
        found.setdefault(text, (text, number(old), number(new), percent(change)))
    return head + '\n\n' + table(('number', 'default', 'then', 'change, %'), found.values())


def table_1():
    """Returns the rows of docs/accuracy.md that correspond to rows of Table 1 in the paper."""
    with open(os.path.join(TOP, 'docs', 'accuracy.md'), encoding='utf-8') as file:
        rows = [[cell.strip() for cell in line.strip('|\n ').split('|')]
                for line in file if re.match(r'\| (1/|2\^x|log2|sin|cos)', line)]
    found = []
    for row in rows:
        if len(row) != 11 or not row[7]:
            continue
        name, interval, _, bits, ulp, exact, monotonic, *paper = row
        pairs = ((paper[0], bits), (paper[1], ulp), (paper[2], exact), (paper[3], monotonic))
        found.append((name, interval, *(cell for pair in pairs for cell in pair),
                      'met' if float(bits) >= float(paper[0]) and
                      (paper[1] == 'n/a' or float(ulp) <= float(paper[1])) else 'not met'))
    if len(found) != 6:
        die('docs/accuracy.md: the rows of Table 1 are not there')
    return table(('function', 'interval', 'good bits: Table 1', 'ours', 'ulp: Table 1', 'ours',
                  'exact: Table 1', 'ours', 'monotonic: Table 1', 'ours', 'verdict'), found, text=2,
                 last=3)


def footprints_table(numbers, name, footprints):
    return table(('KiB', *footprints),
                 [('clocks', *(number(numbers[f'{name}-{kib} clocks'], 1)
                               for kib in footprints))])


def changed(data, before, after):
    """Returns the texts of peaks whose verdict changes, and {name: change} for other numbers."""
    verdicts = []
    for p in data['peak']:
        if p['ours'] in after:
            old, new = (measure.ours_of(p, numbers) for numbers in (before, after))
            if measure.met(data, p, new) != measure.met(data, p, old):
                verdicts.append(f'{p["text"]}: {number(new)}')
    differ = {name: after[name] / before[name] - 1 for name in measure.names(data)
              if name in after and name in before}
    return verdicts, {name: change for name, change in differ.items()
                      if abs(change) > data['share']}


def listed(differ):
    """Formats the changes as text, largest first."""
    order = sorted(differ.items(), key=lambda item: -abs(item[1]))
    text = '; '.join(f'{name} {percent(change)} %' for name, change in order[:MOST])
    return text + (f'; {len(order) - MOST} more' if len(order) > MOST else '')


def sensitivity_values(data, measured):
    found, keys, verdicts_changed = [], {}, 0
    for point, numbers in measured.sensitivity:
        verdicts, differ = changed(data, measured.numbers, numbers)
        if not numbers:
            verdicts = ['the machine is refused']
        verdicts_changed += bool(verdicts)
        for key in point:
            keys[key] = keys.get(key) or bool(verdicts or differ)
        if verdicts or differ:
            text = ', '.join(f'`{key}={value}`' for key, value in point.items())
            found.append((text, '; '.join(verdicts) or 'none', listed(differ)))
    nothing = [key for key, changes_any in keys.items() if not changes_any]
    return {
        'sensitivity': table(('with', 'peaks that are no longer met', 'numbers that change'),
                             found, text=3),
        'nothing': ', '.join(f'`{key}`' for key in nothing),
        'points': str(len(measured.sensitivity)),
        'keys': str(len(keys)),
        'changing': str(len(keys) - len(nothing)),
        'verdicts': str(verdicts_changed),
    }


def write(e, measured):
    data, numbers, plots = e.data, measured.numbers, e.plots()
    pl.peaks_plot(plots, data, numbers)
    pl.caches_plot(plots, data['footprints'], numbers)
    pl.errors_plot(plots, data['hardware'], numbers)
    met = [measure.met(data, p, measure.ours_of(p, numbers)) for p in data['peak']]
    errors = [abs(measure.error(h, measure.ours_of(h, numbers))) for h in measure.hardware(data)
              if not h.get('used')]
    values = {
        'met': str(sum(met)),
        'peaks': str(len(met)),
        'peaks_table': peaks_table(data, numbers),
        'others_table': others_table(data, numbers),
        'analytic': analytic_table(data, numbers),
        'table_1': table_1(),
        'sources': sources_table(data),
        'hardware': hardware_table(data, measured),
        'independent': str(len(errors)),
        'near': str(sum(error <= 0.1 for error in errors)),
        'far': str(sum(error > 0.25 for error in errors)),
        'conflict': number(numbers['conflict clocks'], 1),
        'values': settings_table(data, measured),
        'rates_changed': str(len(changes(data['peak'] + data['other'], numbers, measured.others,
                                         data['share']))),
    }
    for name, footprints in data['footprints'].items():
        values[name] = footprints_table(numbers, name, footprints)
    if measured.sensitivity:
        values |= sensitivity_values(data, measured)
    e.write(values)
