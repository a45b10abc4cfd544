#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One table of many results of `sgpu sim --json`: a row per file, point and frame.

usage: sim_table.py OUT.csv NAME=FILE.json...

NAME is CAPTURE:CONFIGURATION.
"""

import csv
import sys

import sim_json

COLUMNS = 'triangles', 'depth_complexity', 'pixels'
RESULTS = 'cycles', 'tlp', 'utilisation'


def rows_of(name, data):
    capture, _, configuration = name.partition(':')
    for point, facts, result in sim_json.runs(data):
        total = sum(result['states'].values())
        row = {'capture': capture, 'configuration': configuration}
        row.update(point['changes'])
        row['frame'] = facts['frame']
        row.update({c: facts[c] for c in COLUMNS})
        row.update({c: result[c] for c in RESULTS})
        row.update({f'{state} %': f'{100 * value / total if total else 0:.3f}'
                    for state, value in result['states'].items()})
        yield row


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rows = []
    for argument in sys.argv[2:]:
        name, equals, path = argument.partition('=')
        if not equals:
            sys.exit(__doc__)
        rows += rows_of(name, sim_json.load(path))
    # Keys that only some configurations sweep are columns of all, before the frame.
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
