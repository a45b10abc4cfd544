# SPDX-License-Identifier: MIT
"""Times of builds and tests: a table of the times of a run, and the tests that took longer
than usual.

The usual times are in tests/times.txt.  It has a line SECONDS RUN TEST for each test that
takes at least LONG seconds on two cores of the machine that docs/building.md names.  RUN is
'-' for tests in the usual build folder, or the name of a suite with a separate build folder.
"""

import os
import statistics
from collections import defaultdict

LONG = 2.0
HEAD = ('# Seconds of the tests of at least two seconds: SECONDS RUN TEST.\n'
        '# Written by `./sgpu test --write-times`.\n')


def read(path):
    """Reads the usual times.  Returns {(run, test): seconds}."""
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
    """The times in seconds of the builds and tests in a run."""

    def __init__(self):
        self.builds = {}
        self.tests = {}
        # {(run, suite): [number of tests, sum of their seconds]}
        self.suites = defaultdict(lambda: [0, 0.0])

    def add_build(self, run, seconds):
        self.builds[run] = seconds

    def add_test(self, run, suites, name, seconds):
        """Adds the time of a test.  In the table, the test counts for its first suite."""
        self.tests[run, name] = seconds
        row = self.suites[run, suites[0] if suites else run]
        row[0] += 1
        row[1] += seconds

    def long_tests(self):
        return {key: seconds for key, seconds in self.tests.items() if seconds >= LONG}

    def slow(self, known):
        """Yields the tests that took more than LONG seconds plus twice their usual time.  If the
        median ratio of all tests shows that this machine is slower, scales the usual times."""
        ratios = [self.tests[key] / known[key] for key in known if key in self.tests]
        factor = max(1.0, statistics.median(ratios)) if ratios else 1.0
        for key, seconds in sorted(self.tests.items()):
            usual = known.get(key, LONG) * factor
            if known and seconds > 2 * usual + LONG:
                run, name = key
                where = '' if run == '-' else f' ({run})'
                yield f'{name}{where}: {seconds:.0f} s, usually {usual:.0f} s'

    def table(self):
        """Yields the lines of a Markdown table with the times in seconds of builds and suites."""
        yield '| | tests | seconds |'
        yield '| --- | ---: | ---: |'
        for run, seconds in self.builds.items():
            yield f'| build{"" if run == "-" else " " + run} | | {seconds:.0f} |'
        for (run, suite), (count, seconds) in self.suites.items():
            label = suite if run in ('-', suite) else f'{run}, {suite}'
            yield f'| {label} | {count} | {seconds:.0f} |'
