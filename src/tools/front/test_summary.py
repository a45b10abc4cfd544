#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Summary of `sgpu test`: prints a line for each test that failed or was skipped, and
the counts of all tests.

usage: test_summary.py [--times | --write-times] [--known TIMES] RUNS

RUNS is a file with a line for each run of tests: NAME, STATUS, LOG, SUITES, SECONDS,
separated by tabs.

NAME    name of the run; '-' is the run in the usual build folder.
STATUS  exit status of the command that ran the tests, or 'unbuilt', or 'absent' if
        something that the run needs is missing, or 'left out'.
LOG     log file of `meson test`, with a JSON object per test ('name', 'result',
        'stdout', 'duration'); for 'absent', the reason; for 'left out', the names of
        the tests that only `sgpu test more` runs.
SUITES  names of suites, each of which must have run a test; for 'left out', the number
        of tests.
SECONDS time of the build in seconds, or empty.

TIMES contains the usual times of tests (test_times.py).

A test that passes may report that parts of it did not run, in lines 'skipped: PART', or
in the format of cmocka. These parts count as skipped tests.

A suite of which no test ran is reported. If CI is set, it counts as a failure.
"""

import argparse
import json
import os
import re
import sys
from collections import Counter

import test_times

PASSED = 'OK', 'EXPECTEDFAIL'
# messages about skipped parts of a test, excluding cmocka's line with the number of skipped parts
PART = re.compile(r'^skipped: (.+)$|^\[  SKIPPED \] (?!\d+ test\(s\))(\S.*)$', re.M)


def read_results(path):
    try:
        with open(path, encoding='utf-8') as log:
            return [json.loads(line) for line in log if line.strip()]
    except FileNotFoundError:
        return []


def skipped_parts(test):
    """Returns the parts of a test that it has reported as skipped."""
    output = test.get('stdout', '') + '\n' + test.get('stderr', '')
    return list(dict.fromkeys(
        (own or cmocka).strip() for own, cmocka in PART.findall(output)))


def suites_of(test):
    """Returns the suites of a Meson test, whose full name is 'PROJECT:A+B / NAME'."""
    found = re.match(r'sgpu:([\w+-]+) / ', test['name'])
    return found[1].split('+') if found else []


class Summary:
    """Counts of test results, and messages about some of the tests."""

    def __init__(self, in_ci):
        self.in_ci = in_ci
        self.counts = Counter()
        self.failed = []
        self.skipped = []
        self.not_run = []
        self.left_out = []
        self.times = test_times.Times()

    def fail(self, text):
        self.counts['failed'] += 1
        self.failed.append(text)

    def skip(self, text):
        self.counts['skipped'] += 1
        self.skipped.append(text)

    def miss(self, suite, why):
        """Records a suite of which no test was run."""
        self.counts['failed' if self.in_ci else 'skipped'] += 1
        self.not_run.append(f'{suite} ({why})')

    def add_run(self, name, status, log, suites, seconds=''):
        if status == 'absent':
            self.miss(name, log)
            return
        if status == 'left out':
            self.left_out.append(
                f'{suites[0]} tests ({log}), and the suites asan, tsan, aarch64, piglit; '
                '`./sgpu test more` runs them')
            return
        if seconds:
            self.times.add_build(name, float(seconds))
        if status == 'unbuilt':
            self.fail('the build' if name == '-' else f'{name} (the build)')
            return

        where = '' if name == '-' else f' ({name})'
        results = read_results(log)
        failed = self.counts['failed']
        listed = 0
        ran = Counter()
        defined = Counter()
        for test in results:
            kind = test['result']
            has_run = kind != 'SKIP'
            if has_run and 'duration' in test:
                self.times.add_test(name, suites_of(test), test['name'], test['duration'])
            for suite in suites_of(test) or [name]:
                defined[suite] += 1
                ran[suite] += has_run
            if kind in PASSED:
                self.counts['passed'] += 1
                for part in skipped_parts(test):
                    self.skip(f"{test['name']}: {part}{where}")
            elif has_run:
                self.fail(f"{test['name']}{where} ({kind.lower()})")
            elif test.get('listed'):
                self.counts['skipped'] += 1
                listed += 1
            else:
                self.skip(f"{test['name']}{where}")
        if listed:
            self.skipped.append(f'{listed} tests that fail or skip as '
                                f'listed{where}')

        for suite in suites or sorted(defined) or [name]:
            label = suite if suite == name else f'{suite}{where}'
            if not defined[suite]:
                self.fail(f'{label} (there is no such test)')
            elif not ran[suite]:
                self.miss(label, 'each of its tests was skipped')
        if status != '0' and self.counts['failed'] == failed:
            self.fail(f'the run{where} (status {status}, and no test failed)')

    def close(self, known=None):
        """Prints the summary, and returns the exit status.  `known` contains the usual times of
        tests."""
        for text in self.failed:
            print(f'failed: {text}')
        for text in self.skipped:
            print(f'skipped: {text}')
        for text in self.not_run:
            print(f'not run: {text}')
        for text in self.times.slow(known or {}):
            print(f'slow: {text}')
        for text in self.left_out:
            print(f'left out: {text}')
        counts = self.counts
        print(f"{counts['passed']} passed, {counts['failed']} failed, "
              f"{counts['skipped']} skipped")
        return 0 if counts['passed'] and not counts['failed'] else 1


def main(arguments):
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument('--times', action='store_true')
    parser.add_argument('--write-times', action='store_true')
    parser.add_argument('--known')
    parser.add_argument('runs')
    args = parser.parse_args(arguments)
    summary = Summary(in_ci=bool(os.environ.get('CI')))
    with open(args.runs, encoding='utf-8') as runs:
        for line in runs:
            name, status, log, suites, seconds = line.rstrip('\n').split('\t')
            summary.add_run(name, status, log, suites.split(), seconds)
    known = test_times.read(args.known) if args.known else {}
    if args.times:
        print('\n'.join(summary.times.table()))
    if args.write_times:
        test_times.write(args.known, known | summary.times.long_tests())
    return summary.close(known)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
