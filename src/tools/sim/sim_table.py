#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Combines files of `sgpu sim --json` to a CSV table with a row for each file, point and frame.

usage: sim_table.py OUT.csv NAME=FILE.json...

NAME is CAPTURE:CONFIGURATION.
"""

import csv
import sys

import sim_chip_json
import sim_json

COLUMNS = 'triangles', 'depth_complexity', 'pixels'
RESULTS = 'cycles', 'tlp', 'utilisation'
CHIP_RESULTS = 'cycles', 'sm_cycles', 'ns'


def percent(part, whole):
    return f'{100 * part / whole if whole else 0:.3f}'


def engine_cells(result):
    total = sum(result['states'].values())
    return {c: result[c] for c in RESULTS} | {
        f'{state} %': percent(value, total) for state, value in result['states'].items()}


def chip_cells(frame):
    """Returns the cells of a frame, with the percentage of cycles in which each class of units
    works."""
    cells = {c: frame[c] for c in CHIP_RESULTS}
    for name, kind in frame['classes'].items():
        states = frame['total']['stack'].get(name, {})
        work = sum(cycles for state, cycles in states.items() if state in kind['work'])
        cells[f'{name} %'] = percent(work, sum(states.values()))
    return cells


def rows_of(name, data):
    capture, _, configuration = name.partition(':')
    chip = data['format'] == sim_json.CHIP
    runs = sim_chip_json.frames(data) if chip else sim_json.runs(data)
    for point, facts, *results in runs:
        row = {'capture': capture, 'configuration': configuration}
        row.update(point['changes'])
        row['frame'] = facts['frame']
        row.update({c: facts[c] for c in COLUMNS})
        row.update(chip_cells(facts) if chip else engine_cells(*results))
        yield row


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rows = []
    for argument in sys.argv[2:]:
        name, equals, path = argument.partition('=')
        if not equals:
            sys.exit(__doc__)
        rows += rows_of(name, sim_json.load(path, (sim_json.ENGINE, sim_json.CHIP)))
    # Give all rows columns for the keys that any configuration sweeps, before the frame column.
    order = list(dict.fromkeys(column for row in rows for column in row))
    swept = [c for c in order if '.' in c]
    fixed = [c for c in order if '.' not in c]
    order = fixed[:2] + swept + fixed[2:]
    with open(sys.argv[1], 'w', newline='', encoding='utf-8') as f:
        table = csv.DictWriter(f, order, restval='', lineterminator='\n')
        table.writeheader()
        table.writerows(rows)


if __name__ == '__main__':
    main()
