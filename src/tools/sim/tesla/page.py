# SPDX-License-Identifier: MIT
"""Writes docs/tesla.md from page.md, and its plots."""

import os
import re
from collections import namedtuple

import measure
from sim_page import fill, table

HERE = os.path.dirname(os.path.abspath(__file__))

# Row of the table on the terminal.
Row = namedtuple('Row', 'text published ours error')
# Maximum number of names in a cell.
MOST = 6


def number(value, digits=None):
    """Formats a number with about four digits."""
    if digits is None:
        digits = 0 if value >= 1000 else 1 if value >= 100 else 2 if value >= 1 else 3
    return f'{value:,.{digits}f}'


def plain(value):
    return f'{value:,g}' if not isinstance(value, list) else f'{value[0]:g} to {value[1]:g}'


def percent(share):
    return f'{100 * share:+.1f}'


def ours_of(entry, numbers):
    return numbers[entry['ours']] / entry.get('scale', 1)


def peak_rows(published, numbers):
    rows = []
    for p in published['peak']:
        ours = ours_of(p, numbers)
        rows.append(Row(p['text'], plain(p['published']), number(ours, p.get('digits')),
                        f'{100 * (ours / p["published"] - 1):+.2f}'))
    return rows


def hardware_rows(published, measured):
    return [Row(h['text'], plain(h['published']), number(ours_of(h, measured.numbers)),
                percent(measure.error(h, ours_of(h, measured.numbers))))
            for h in published['hardware']]


def peaks_table(published, numbers):
    rows = []
    for p, row in zip(published['peak'], peak_rows(published, numbers)):
        verdict = 'met' if measure.met(p, ours_of(p, numbers)) else 'not met'
        rows.append((row.text, p['place'], *row[1:], verdict))
    return table(('peak', 'section', 'published', 'ours', 'difference, %', 'verdict'), rows, text=2,
                 last=1)


def others_table(published, numbers):
    rows = []
    for o in published['other']:
        ours = ours_of(o, numbers)
        low = ours / o['bound'] < 1 - measure.SHARE
        rows.append((o['text'], plain(o['bound']), number(ours), f'{100 * ours / o["bound"]:.1f}',
                     o.get('cause', '') if low else ''))
    return table(('rate', 'bound', 'ours', '%', 'cause'), rows, last=1)


def analytic_table(published, numbers):
    rows = [(a['text'], a['formula'], plain(a['expected']), f'{numbers[a["ours"]]:,.3f}',
             f'{100 * (numbers[a["ours"]] / a["expected"] - 1):+.3f}')
            for a in published['analytic']]
    return table(('answer', 'by hand', 'expected', 'ours', 'difference, %'), rows, text=2)


def cause_of(published, entry):
    cause = entry.get('cause', '')
    return published['cause'].get(cause, cause)


def hardware_table(published, measured):
    """Returns a table for each group."""
    parts, groups = [], []
    for h in published['hardware']:
        if h['group'] not in groups:
            groups.append(h['group'])
    for group in groups:
        rows = []
        for h in published['hardware']:
            if h['group'] != group:
                continue
            ours = ours_of(h, measured.numbers)
            error = measure.error(h, ours)
            source = f'{h["source"]}, {h["place"]}{", *used*" if h.get("used") else ""}'
            rows.append((h['text'], source, plain(h['published']), number(ours), percent(error),
                         cause_of(published, h) if abs(error) > 0.05 else ''))
        parts.append(table((group, 'source', 'published', 'ours', 'error, %', 'cause'), rows,
                           text=2, last=1))
    return '\n\n'.join(parts)


def sources_table(published):
    return table(('source', 'hardware', 'read'),
                 [(f'`{name}`: {s["text"]}', s['card'],
                   'yes' if s['read'] else 'no: values from memory of the paper')
                  for name, s in published['source'].items()], text=3)


def values_table(published, measured):
    """Returns the parameters with which latencies equal those of hardware, and their effects."""
    rows = []
    for value in published['value']:
        section, name = value['key'].split('.')
        rows.append((f'`{value["key"]}`', value['why'], measured.parameters[section][name],
                     value['value']))
    head = table(('parameter', 'why', 'default', 'then'), rows, text=2)
    rows = []
    for entry in (*published['peak'], *published['other'], *published['hardware']):
        if entry['ours'] not in measured.others or (entry['text'],) in [r[:1] for r in rows]:
            continue
        before, after = (ours_of(entry, n) for n in (measured.numbers, measured.others))
        if abs(after / before - 1) > measure.SHARE:
            rows.append((entry['text'], number(before), number(after), percent(after / before - 1)))
    return head + '\n\n' + table(('number', 'default', 'then', 'change, %'), rows)


def rates_changed(published, measured):
    """Returns the number of peaks and rates that these parameters change."""
    entries = published['peak'] + published['other']
    return sum(abs(ours_of(e, measured.others) / ours_of(e, measured.numbers) - 1) > measure.SHARE
               for e in entries if e['ours'] in measured.others)


def table_1(top):
    """Returns the rows of docs/accuracy.md for which Table 1 of the paper has values."""
    with open(os.path.join(top, 'docs', 'accuracy.md'), encoding='utf-8') as file:
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
        measure.die('docs/accuracy.md: the rows of Table 1 are not there')
    return table(('function', 'interval', 'good bits: Table 1', 'ours', 'ulp: Table 1', 'ours',
                  'exact: Table 1', 'ours', 'monotonic: Table 1', 'ours', 'verdict'), found, text=2,
                 last=3)


def footprints_table(numbers, name):
    footprints = measure.FOOTPRINTS[name]
    return table(('KiB', *footprints),
                 [('clocks', *(number(numbers[f'{name}-{kib} clocks'], 1)
                               for kib in footprints))])


def changed(published, measured, numbers):
    """Returns the peaks whose verdict changes, and the relative changes of numbers."""
    verdicts, differ = [], {}
    for p in published['peak']:
        if p['ours'] not in numbers:
            continue
        before, after = (ours_of(p, n) for n in (measured.numbers, numbers))
        if measure.met(p, after) != measure.met(p, before):
            verdicts.append(f'{p["text"]}: {number(after)}')
    for name in measure.names(published):
        if name in numbers and name in measured.numbers:
            change = numbers[name] / measured.numbers[name] - 1
            if abs(change) > measure.SHARE:
                differ[name] = change
    return verdicts, differ


def listed(differ):
    """Lists changes, the largest ones first."""
    order = sorted(differ.items(), key=lambda item: -abs(item[1]))
    text = '; '.join(f'{name} {percent(change)} %' for name, change in order[:MOST])
    return text + (f'; {len(order) - MOST} more' if len(order) > MOST else '')


def sensitivity_values(published, measured):
    rows, nothing, all_keys, verdicts_changed = [], [], [], 0
    for changes, numbers in measured.sensitivity:
        keys = list(changes)
        all_keys += [key for key in keys if key not in all_keys]
        verdicts, differ = changed(published, measured, numbers)
        missing = [n for n in measure.names(published)
                   if n in measured.numbers and n not in numbers and 'compression' not in n]
        if missing and not numbers:
            verdicts = ['the machine is refused']
        verdicts_changed += bool(verdicts)
        if verdicts or differ:
            text = ', '.join(f'`{key}={value}`' for key, value in changes.items())
            rows.append((text, '; '.join(verdicts) or 'none', listed(differ)))
    with_rows = ' '.join(row[0] for row in rows)
    nothing = [key for key in all_keys if f'`{key}=' not in with_rows]
    return {
        'sensitivity': table(('with', 'peaks that are no longer met', 'numbers that change'), rows,
                             text=3),
        'nothing': ', '.join(f'`{key}`' for key in nothing),
        'points': str(len(measured.sensitivity)),
        'keys': str(len(all_keys)),
        'changing': str(len(all_keys) - len(nothing)),
        'verdicts': str(verdicts_changed),
    }


def values_of(top, published, measured):
    """Returns the values for the names in braces in page.md."""
    numbers = measured.numbers
    met = [measure.met(p, ours_of(p, numbers)) for p in published['peak']]
    errors = [abs(measure.error(h, ours_of(h, numbers))) for h in published['hardware']
              if not h.get('used')]
    values = {
        'met': str(sum(met)),
        'peaks': str(len(met)),
        'peaks_table': peaks_table(published, numbers),
        'others_table': others_table(published, numbers),
        'analytic': analytic_table(published, numbers),
        'table_1': table_1(top),
        'sources': sources_table(published),
        'hardware': hardware_table(published, measured),
        'independent': str(len(errors)),
        'near': str(sum(e <= 0.1 for e in errors)),
        'far': str(sum(e > 0.25 for e in errors)),
        'conflict': number(numbers['conflict clocks'], 1),
        'values': values_table(published, measured),
        'rates_changed': str(rates_changed(published, measured)),
    }
    for name in measure.FOOTPRINTS:
        values[name] = footprints_table(numbers, name)
    if measured.sensitivity:
        values |= sensitivity_values(published, measured)
    return values


def write(top, folder, published, measured):
    import plots as pl
    from sim_svg import Plots
    plots = Plots(os.path.join(folder, 'tesla'))
    pl.peaks_plot(plots, published, measured)
    pl.caches_plot(plots, measured)
    pl.errors_plot(plots, published, measured)
    text = fill(os.path.join(HERE, 'page.md'), values_of(top, published, measured))
    with open(os.path.join(folder, 'tesla.md'), 'w', encoding='utf-8') as file:
        file.write(text)
