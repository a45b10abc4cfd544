# SPDX-License-Identifier: MIT
"""The seconds of builds and tests: a table of a run, and the tests that took longer than
usual.

The usual times are those of tests/times.txt: a line for each test of at least LONG seconds,
SECONDS RUN TEST, on two cores of the machine that docs/building.md names.  RUN is '-' for
the tests in the usual build folder, else the suite with a build folder of its own.
"""

import os
import statistics
from collections import defaultdict

LONG = 2.0
HEAD = ('# Seconds of the tests of at least two seconds: SECONDS RUN TEST.\n'
        '# Written by `./sgpu test --write-times`.\n')


def read(path):
    """The usual times: {(run, test): seconds}."""
    known = {}
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            for line in file:
                if not line.startswith('#') and line.strip():
                    seconds, run, test = line.rstrip('\n').split(' ', 2)
                    known[run, test] = float(seconds)
    return known


def write(path, times):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(HEAD)
        for (run, test), seconds in sorted(times.items()):
            file.write(f'{seconds:.1f} {run} {test}\n')


class Times:
    """The seconds of a run's builds and tests."""

    def __init__(self):
        self.builds = {}
        self.tests = {}
        # (run, suite): [number of tests, their seconds]
        self.suites = defaultdict(lambda: [0, 0.0])

    def add_build(self, run, seconds):
        self.builds[run] = seconds

    def add_test(self, run, suites, name, seconds):
        """suites: a test of several counts for the first."""
        self.tests[run, name] = seconds
        row = self.suites[run, suites[0] if suites else run]
        row[0] += 1
        row[1] += seconds

    def long_tests(self):
        return {key: seconds for key, seconds in self.tests.items() if seconds >= LONG}

    def slow(self, known):
        """The tests that took more than twice as long as usual, for this machine: its speed
        is the median of all tests' ratios, if it is slower than the one of the file."""
        ratios = [self.tests[key] / known[key] for key in known if key in self.tests]
        factor = max(1.0, statistics.median(ratios)) if ratios else 1.0
        for key, seconds in sorted(self.tests.items()):
            usual = known.get(key, LONG) * factor
            if known and seconds > 2 * usual + LONG:
                run, name = key
                where = '' if run == '-' else f' ({run})'
                yield f'{name}{where}: {seconds:.0f} s, usually {usual:.0f} s'

    def table(self):
        """Lines of a Markdown table: builds, then suites, in seconds."""
        yield '| | tests | seconds |'
        yield '| --- | ---: | ---: |'
        for run, seconds in self.builds.items():
            yield f'| build{"" if run == "-" else " " + run} | | {seconds:.0f} |'
        for (run, suite), (count, seconds) in self.suites.items():
            label = suite if run in ('-', suite) else f'{run}, {suite}'
            yield f'| {label} | {count} | {seconds:.0f} |'
