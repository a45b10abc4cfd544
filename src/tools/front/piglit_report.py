# SPDX-License-Identifier: MIT
"""Reports that show the results of several drivers side by side."""

from collections import Counter, defaultdict

COLUMNS = 'pass', 'fail', 'crash', 'skip'
# The table column in which each result is counted.
KINDS = {'Pass': 'pass', 'Fail': 'fail', 'Warn': 'fail', 'Crash': 'crash',
         'Timeout': 'crash', 'Skip': 'skip'}


def group_of(name):
    """Returns the name of the table row for a test: spec@X, or the first part of the test name
    otherwise."""
    parts = name.split('@')
    return '@'.join(parts[:2] if parts[0] == 'spec' else parts[:1])


def table(drivers, names):
    """Yields the rows of a table with the number of results per group and driver.  The last row
    has the totals."""
    counts = defaultdict(Counter)
    for name in names:
        for driver, results in drivers.items():
            kind = KINDS[results[name]] if name in results else 'none'
            counts[group_of(name)][driver, kind] += 1
            counts['all'][driver, kind] += 1
    groups = sorted(group for group in counts if group != 'all')
    if counts:
        groups.append('all')
    width = max([len(group) for group in groups], default=0)
    cells = ' '.join(f'{column:>6}' for column in COLUMNS)
    yield ' ' * width + ''.join(f' | {driver:<{len(cells)}}'
                                for driver in drivers).rstrip()
    yield ' ' * width + f' | {cells}' * len(drivers)
    for group in groups:
        yield f'{group:<{width}}' + ''.join(
            ' | ' + ' '.join(f'{counts[group][driver, column] or "":>6}'
                             for column in COLUMNS)
            for driver in drivers)


def share_text(ours, theirs, names):
    """Formats how many of the tests that pass on the other driver also pass on sgpu.  Skipped tests
    don't pass."""
    there = [name for name in names if theirs.get(name) == 'Pass']
    here = sum(ours.get(name) == 'Pass' for name in there)
    percent = f', {100 * here / len(there):.2f} %' if there else ''
    return f'{here} of {len(there)}{percent}'


def differing(ours, theirs, names):
    """Returns the tests that pass only on the other driver, and the tests that pass only on
    sgpu."""
    worse, better = [], []
    for name in names:
        if name not in ours or name not in theirs:
            continue
        if theirs[name] == 'Pass' and ours[name] != 'Pass':
            worse.append(name)
        elif theirs[name] != 'Pass' and ours[name] == 'Pass':
            better.append(name)
    return worse, better


def report(ours, results, others, tests):
    """Yields the lines of the report.

    `ours` is the name of the driver with `results`, and `others` contains the results of the other
    drivers by name.  `tests` contains the names of the tests; `results` may also contain their
    subtests.
    """
    names = sorted(name for name in tests if name in results)
    subtests = sorted(name for name in results if name not in tests)
    yield from table({ours: results, **others}, names)
    for driver, theirs in others.items():
        yield ''
        yield (f'Of the tests that {driver} passes {ours} passes '
               f'{share_text(results, theirs, names)}; of their subtests '
               f'{share_text(results, theirs, subtests)}.')
        worse, better = differing(results, theirs, names + subtests)
        yield ''
        yield f'{driver} passes, {ours} does not: {len(worse)}'
        yield from (f'  {results[name]:<7} {name}' for name in worse)
        yield ''
        yield f'{ours} passes, {driver} does not: {len(better)}'
        yield from (f'  {theirs[name]:<7} {name}' for name in better)
