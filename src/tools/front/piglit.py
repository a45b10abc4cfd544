#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a piglit profile and compares with the lists of expectations.

The lists have Mesa's form: fails.txt has lines `TEST,RESULT` with Fail,
Crash, Timeout or Warn; flakes.txt has regular expressions of tests that may
end either way; skips.txt has those of tests that are not run.  A subtest's
name follows its test's after an @.  Lines that begin with # are comments.

A group is a file GROUP.txt of regular expressions for whole names of tests; a
line that begins with - takes out again what it matches.
"""

import argparse
import bz2
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter

from gl_common import Progress, say

# piglit's own words for a result
NAMES = {
    'pass': 'Pass', 'fail': 'Fail', 'crash': 'Crash', 'timeout': 'Timeout',
    'warn': 'Warn', 'skip': 'Skip', 'notrun': 'Skip', 'incomplete': 'Crash',
    'dmesg-warn': 'Warn', 'dmesg-fail': 'Fail',
}
GOOD = {'Pass', 'Skip'}


def read_lines(path):
    try:
        with open(path, encoding='utf-8') as file:
            lines = [line.strip() for line in file]
    except FileNotFoundError:
        return []
    return [line for line in lines if line and not line.startswith('#')]


class Expectations:
    """What the three lists of a profile say."""

    def __init__(self, folder, profile):
        def lines(kind):
            return read_lines(os.path.join(folder, f'{profile}-{kind}.txt'))

        self.fails = dict(line.rsplit(',', 1) for line in lines('fails'))
        self.flakes = [re.compile(line) for line in lines('flakes')]
        self.skips = [re.compile(line) for line in lines('skips')]

    def is_flake(self, name):
        return any(flake.search(name) for flake in self.flakes)

    def is_skipped(self, name):
        return any(skip.search(name) for skip in self.skips)

    def unexpected(self, results):
        """Yields the names whose results are not as listed."""
        for name, result in results.items():
            expected = self.fails.get(name, 'Pass')
            as_listed = (result == expected or
                         (result == 'Skip' and name not in self.fails))
            if not as_listed and not self.is_flake(name):
                yield name, expected, result

    def stale(self, results):
        """Names that are listed but belong to no test."""
        return [name for name in self.fails
                if name not in results and not self.is_skipped(name)]


def group_filter(path):
    lines = read_lines(path)
    if not lines:
        sys.exit(f'sgpu: no group in {path}')
    within = [re.compile(line) for line in lines if line[0] != '-']
    without = [re.compile(line[1:]) for line in lines if line[0] == '-']

    def belongs(name):
        return (any(regex.fullmatch(name) for regex in within) and
                not any(regex.fullmatch(name) for regex in without))
    return belongs


def list_tests(args, expectations):
    command = ['piglit', 'print-cmd', '--format', '{name}', args.profile]
    names = subprocess.run(command, check=True, capture_output=True,
                           text=True).stdout.splitlines()
    names = sorted(name for name in names
                   if not expectations.is_skipped(name))
    if args.tests:
        names = [name for name in names if re.search(args.tests, name)]
    if args.group:
        belongs = group_filter(os.path.join(args.lists, f'{args.group}.txt'))
        names = [name for name in names if belongs(name)]
    if args.shard:
        index, count = args.shard
        names = names[index - 1::count]
    return names


# Tests of one run of piglit where the runs are kept and gone on with.
SLICE = 100


def run_slices(args, names):
    """Runs what an earlier run has not; gives what is there by now.

    Ends after a slice when the time is up.
    """
    path = os.path.join(args.results, 'kept.json')
    kept = {}
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            kept = json.load(file)
    left = [name for name in names if name not in kept]
    end = time.monotonic() + args.minutes * 60
    while left and time.monotonic() < end:
        part, left = left[:SLICE], left[SLICE:]
        kept.update(run_piglit(args, part))
        with open(f'{path}.new', 'w', encoding='utf-8') as file:
            json.dump(kept, file)
        os.replace(f'{path}.new', path)
        say(f'{len(left)} tests left')
    return {name: kept[name] for name in names if name in kept}, left


def run_piglit(args, names):
    """Runs the named tests, telling how far it is."""
    os.makedirs(args.results, exist_ok=True)
    shutil.rmtree(os.path.join(args.results, 'raw'), ignore_errors=True)
    test_list = os.path.join(args.results, 'tests.txt')
    with open(test_list, 'w', encoding='utf-8') as file:
        file.writelines(f'{name}\n' for name in names)

    # Each compilation is to be tested, and nobody's cache to be filled.
    env = dict(os.environ, MESA_SHADER_CACHE_DISABLE='true')
    log_path = os.path.join(args.results, 'piglit.log')
    raw = os.path.join(args.results, 'raw')
    with open(log_path, 'w', encoding='utf-8') as log:
        piglit = subprocess.Popen(
            ['piglit', 'run', '--log-level', 'quiet', '--test-list', test_list,
             '--timeout', str(args.timeout), '--jobs', str(args.jobs),
             args.profile, raw],
            env=env, stdin=subprocess.DEVNULL, stdout=log,
            stderr=subprocess.STDOUT)
        try:
            watch(piglit, raw, len(names))
        except BaseException:
            piglit.terminate()
            piglit.wait()
            raise
    if piglit.returncode:
        with open(log_path, encoding='utf-8', errors='replace') as log:
            sys.stderr.writelines(log.readlines()[-20:])
        sys.exit(f'sgpu: piglit itself failed, see {log_path}')
    with bz2.open(os.path.join(raw, 'results.json.bz2'), 'rt') as file:
        return json.load(file)['tests']


def watch(piglit, raw, total):
    progress = Progress()
    while True:
        try:
            piglit.wait(1)
            break
        except subprocess.TimeoutExpired:
            pass
        try:
            done = len(os.listdir(os.path.join(raw, 'tests')))
        except FileNotFoundError:
            continue
        progress.tell(f'piglit {done}/{total}')
    progress.end()


def subtests_of(test):
    """Name and result, in piglit's words."""
    return [(name, result) for name, result in
            sorted(test.get('subtests', {}).items())
            if name != '__type__']


def flatten(tests):
    """A result per test, and per subtest where there are some."""
    results = {}
    for name, test in tests.items():
        results[name] = NAMES[test['result']]
        for subtest, result in subtests_of(test):
            results[f'{name}@{subtest}'] = NAMES[result]
    return results


def write_csv(path, tests):
    with open(path, 'w', encoding='utf-8', newline='') as file:
        for name in sorted(tests):
            rows = [(name, tests[name]['result'])]
            rows += [(f'{name}|{subtest}', result)
                     for subtest, result in subtests_of(tests[name])]
            file.writelines(f'"{row}",{result}\n' for row, result in rows)


def compare_with(reference, results):
    """Prints where another run, as results.csv, passes and this one not."""
    with open(reference, encoding='utf-8', newline='') as file:
        others = {row[0].replace('|', '@'): NAMES[row[-1]]
                  for row in csv.reader(file)}
    common = [name for name in results if name in others]
    worse = [name for name in common
             if others[name] == 'Pass' and results[name] != 'Pass']
    better = [name for name in common
              if others[name] != 'Pass' and results[name] == 'Pass']
    for name in worse:
        print(f'passes in the reference, here {results[name]}: {name}')
    print(f'against {os.path.basename(reference)}: {len(common)} in common, '
          f'{len(worse)} pass only there, {len(better)} only here')


def parse_shard(text):
    index, _, count = text.partition('/')
    shard = int(index), int(count)
    if not 1 <= shard[0] <= shard[1]:
        raise ValueError(text)
    return shard


def parse_args():
    parser = argparse.ArgumentParser(prog='sgpu piglit', allow_abbrev=False)
    parser.add_argument('profile')
    parser.add_argument('--lists', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--jobs', type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument('--shard', type=parse_shard)
    parser.add_argument('--tests')
    parser.add_argument('--group')
    parser.add_argument('--minutes', type=float)
    parser.add_argument('--timeout', type=int, default=60)
    parser.add_argument('--results')
    parser.add_argument('--reference')
    args = parser.parse_args()
    if not args.results:
        args.results = os.path.join(args.build, 'piglit', args.profile)
        if args.shard:
            args.results += '-%d-of-%d' % args.shard
    return args


def main():
    args = parse_args()
    expectations = Expectations(args.lists, args.profile)
    names = list_tests(args, expectations)
    if not names:
        sys.exit('sgpu: no test to run')
    say(f'{len(names)} tests, results in {args.results}')
    if args.minutes:
        tests, left = run_slices(args, names)
        names = [name for name in names if name not in left]
    else:
        shutil.rmtree(args.results, ignore_errors=True)
        tests, left = run_piglit(args, names), []
    results = flatten(tests)
    write_csv(os.path.join(args.results, 'results.csv'), tests)

    unexpected = [f'{name}: expected {expected}, found {result}' for
                  name, expected, result in expectations.unexpected(results)]
    if not args.shard and not args.tests and not args.group and not left:
        unexpected += [f'{name}: listed, but there is no such test'
                       for name in expectations.stale(results)]
    unexpected += [f'{name}: was not run' for name in names
                   if name not in tests]
    with open(os.path.join(args.results, 'unexpected.txt'), 'w',
              encoding='utf-8') as file:
        file.writelines(f'{line}\n' for line in unexpected)
    for line in unexpected:
        print(line)
    if args.reference:
        compare_with(args.reference, results)

    counts = Counter(results.values())
    if not counts['Pass']:
        print('no test passed')
    print(f'{args.profile}: ' + ', '.join(
        f'{counts[result]} {result.lower()}' for result in
        ('Pass', 'Fail', 'Crash', 'Timeout', 'Warn', 'Skip')) +
        f'; {len(unexpected)} unexpected')
    return 1 if unexpected or not counts['Pass'] else 0


if __name__ == '__main__':
    sys.exit(main())
