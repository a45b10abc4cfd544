#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Closes a run of the tests: one line of counts, from Meson's logs.

usage: test_summary.py {NAME STATUS TESTLOG.json}...

NAME says which build folder it was (-: the usual one); STATUS is that of
`meson test`, or `unbuilt`, `skipped`, or, of a suite that is one test, `passed`
or `failed`, without a log then.
"""

import json
import sys
from collections import Counter

PASSED = {'OK', 'EXPECTEDFAIL'}
SKIPPED = {'SKIP'}


def read_results(path):
    try:
        with open(path, encoding='utf-8') as log:
            return [json.loads(line) for line in log if line.strip()]
    except FileNotFoundError:
        return []


def count_folder(name, status, path, counts):
    """Adds one folder's results to the counts; False if it did not end well."""
    where = '' if name == '-' else f' ({name})'
    if status == 'unbuilt':
        print(f'failed: {name} (the build)')
        counts['failed'] += 1
        return False
    if status in ('passed', 'failed', 'skipped'):
        if status != 'passed':
            print(f'{status}: {name}')
        counts[status] += 1
        return status != 'failed'

    failed = False
    results = read_results(path)
    for test in results:
        kind = test['result']
        group = ('passed' if kind in PASSED else
                 'skipped' if kind in SKIPPED else 'failed')
        counts[group] += 1
        if group == 'failed':
            failed = True
            print(f"failed: {test['name']}{where} ({kind.lower()})")
        elif group == 'skipped':
            print(f"skipped: {test['name']}{where}")
    if not results:
        print(f'no test was run{where}')
    elif status != '0' and not failed:
        # Whatever stopped Meson is no result of a test.
        print(f'meson test ended with status {status}{where}')
    return status == '0'


def main(arguments):
    counts = Counter()
    well = True
    for i in range(0, len(arguments), 3):
        well &= count_folder(*arguments[i:i + 3], counts)
    print(f"{counts['passed']} passed, {counts['failed']} failed, "
          f"{counts['skipped']} skipped")
    return 0 if counts['passed'] and not counts['failed'] and well else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
