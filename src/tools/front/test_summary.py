#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Closes a run of the tests: one line of counts, from Meson's log.

usage: test_summary.py TESTLOG.json MESON_STATUS
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


def main(path, status):
    results = read_results(path)
    counts = Counter()
    for test in results:
        kind = test['result']
        group = ('passed' if kind in PASSED else
                 'skipped' if kind in SKIPPED else 'failed')
        counts[group] += 1
        if group == 'failed':
            print(f"failed: {test['name']} ({kind.lower()})")
        elif group == 'skipped':
            print(f"skipped: {test['name']}")
    if not results:
        print('no test was run')
    elif status != 0 and not counts['failed']:
        # Whatever stopped Meson is no result of a test.
        print(f'meson test ended with status {status}')
    print(f"{counts['passed']} passed, {counts['failed']} failed, "
          f"{counts['skipped']} skipped")
    return 0 if counts['passed'] and not counts['failed'] and not status else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
