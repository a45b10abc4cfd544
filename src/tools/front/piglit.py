#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs piglit tests, and compares their results with the lists of expected results and with other
drivers (sgpu piglit; see docs/piglit.md)."""

import argparse
import glob
import hashlib
import json
import os
import re
import signal
import sys

from gl_common import OURS, check_driver, environment_of, say
from piglit_lists import (Expectations, Selection, base_of, load_profile,
                          regex_of)
from piglit_report import differing, report, share_text
from piglit_run import Runner, counts_text, flatten, read_csv, write_csv
from printable import printable

# The piglit profiles that contain the tests for the lists in piglit-profiles/.
PROFILES = 'quick_gl', 'quick_shader'
DRIVERS = 'llvmpipe', 'softpipe'


def tests_folder():
    """Returns the directory of piglit's profiles.  Exits if piglit is not installed."""
    places = [os.path.join(place, 'tests') for place in
              (os.environ.get('PIGLIT_BUILD_DIR', '/usr/lib/piglit'),
               *glob.glob('/usr/lib/*/piglit'), '/usr/local/lib/piglit')]
    for place in places:
        if os.path.exists(os.path.join(place, 'sanity.xml.gz')):
            return place
    sys.exit('sgpu: piglit is not installed')


def choose_tests(args):
    """Returns all tests by name, and the names of the selected tests by piglit profile."""
    is_list = os.path.exists(os.path.join(args.lists, f'{args.profile}.txt'))
    groups = [args.profile] * is_list + args.group
    selections = [Selection.load(args.lists, group) for group in groups]
    folder = tests_folder()
    tests, chosen = {}, {}
    for profile in PROFILES if is_list else [args.profile]:
        here = load_profile(folder, profile)
        chosen[profile] = sorted(
            name for name, test in here.items() if name not in tests and
            all(selection.matches(test) for selection in selections))
        tests.update(here)
    for profile, names in chosen.items():
        if args.tests:
            names = [name for name in names if re.search(args.tests, name)]
        if args.shard:
            index, count = args.shard
            names = names[index - 1::count]
        chosen[profile] = names
    return tests, chosen


def parts_of(tests, chosen):
    """Returns the tests of each run of piglit as (profile, names).

    Tests that must run alone, because they read their windows from the screen, are in separate runs
    at the end. In a common run, piglit would run them one after the other, but concurrently with
    other tests, whose windows may be in the same place.
    """
    return [(profile, part) for is_alone in (False, True)
            for profile, names in chosen.items()
            if (part := [name for name in names
                         if tests[name].is_alone == is_alone])]


def identity(driver, renderer, build):
    """Returns the key for the kept results of a driver.  Each build of sgpu has a separate key."""
    if driver != OURS:
        return renderer
    with open(os.path.join(build, 'dri', 'swrast_dri.so'), 'rb') as file:
        return f'{renderer} {hashlib.sha256(file.read()).hexdigest()}'


def run_driver(args, driver, tests, chosen):
    """Runs the selected tests on a driver.  Returns the results so far by test name."""
    env = environment_of(driver, args.environment)
    # Check that the driver can be loaded.  Otherwise, piglit would silently skip all tests.
    renderer = check_driver(driver, env)
    folder = args.results
    if driver != OURS:
        folder = os.path.join(folder, driver)
    say(f'{sum(map(len, chosen.values()))} tests on {renderer}, '
        f'results in {folder}')
    runner = Runner(folder, env, identity(driver, renderer, args.build),
                    args.jobs, args.timeout)
    runner.load(args.fresh, args.resume or driver != OURS,
                args.again and driver == args.driver)
    shaders = {name: tests[name].shader for names in chosen.values() for name in names
               if tests[name].shader}
    runs = runner.run(parts_of(tests, chosen), args.minutes, {} if args.isolate else shaders)
    write_csv(os.path.join(folder, 'results.csv'), runs)
    return runs


def write_lines(path, lines):
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines(f'{line}\n' for line in lines)


def describe(results, unexpected):
    """Yields the commands and the output of tests with unexpected results."""
    for name in dict.fromkeys(name for name, *_ in unexpected):
        name = base_of(results, name)
        if name in results:
            test = results.pop(name)
            yield f"=== {name}: {test['result']}"
            yield f"{test.get('environment', '')} {test.get('command', '')}"
            yield f"{test.get('out', '')}\n{test.get('err', '')}".strip()


def log_lines(tests, runs, results, unexpected, stale):
    """Yields the results for `sgpu test` in the log format of `meson test`.

    Tests that fail or are skipped as expected are logged as skipped.
    """
    wrong = {}
    for name, expected, result in unexpected:
        wrong.setdefault(base_of(tests, name), []).append(
            f'{name}: expected {expected}, found {result}')
    for name in runs:
        log = {'name': name, 'result': 'OK'}
        if name in wrong:
            log = {'name': '; '.join(wrong[name]), 'result': 'FAIL'}
        elif results[name] != 'Pass':
            log.update(result='SKIP', listed=True)
        yield json.dumps(log)
    for line in stale:
        yield json.dumps({'name': line, 'result': 'FAIL'})


def compare(args, results, chosen, tests):
    """Writes the report, and prints the tests that pass on other drivers but not on sgpu."""
    others = {}
    for text in args.reference:
        name, is_named, path = text.partition('=')
        if not is_named:
            path, name = text, os.path.basename(text).removesuffix('.csv')
        others.setdefault(name, {}).update(read_csv(path))
    for driver in args.compare:
        others[driver] = flatten(run_driver(args, driver, tests, chosen))
    if not others:
        return
    names = {name for part in chosen.values() for name in part}
    path = os.path.join(args.results, 'compare.txt')
    write_lines(path, report(args.driver, results, others, names))
    for driver, theirs in others.items():
        worse, better = differing(results, theirs, sorted(results))
        for name in worse:
            print(printable(f'passes on {driver}, here {results[name]}: {name}'))
        print(f'{driver}: {len(worse)} results pass only there, '
              f'{len(better)} only here; of the tests that it passes '
              f'{share_text(results, theirs, names)} pass here ({path})')


def parse_shard(text):
    index, _, count = text.partition('/')
    shard = int(index), int(count)
    if not 1 <= shard[0] <= shard[1]:
        raise ValueError(text)
    return shard


def parse_drivers(text):
    drivers = text.split(',')
    if not set(drivers) <= set(DRIVERS):
        raise ValueError(text)
    return drivers


def parse_args():
    parser = argparse.ArgumentParser(prog='sgpu piglit', allow_abbrev=False)
    parser.add_argument('profile')
    parser.add_argument('--lists', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--environment', required=True)
    parser.add_argument('--jobs', type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument('--shard', type=parse_shard)
    parser.add_argument('--tests')
    parser.add_argument('--group', action='append', default=[])
    parser.add_argument('--minutes', type=float)
    parser.add_argument('--isolate', action='store_true')
    parser.add_argument('--timeout', type=int, default=60)
    parser.add_argument('--results')
    parser.add_argument('--driver', choices=(OURS, *DRIVERS), default=OURS)
    parser.add_argument('--compare', type=parse_drivers, default=[])
    parser.add_argument('--reference', action='append', default=[])
    parser.add_argument('--fresh', action='store_true')
    parser.add_argument('--resume', action='store_true')
    parser.add_argument('--again', action='store_true')
    args = parser.parse_args()
    if not args.results:
        args.results = os.path.join(
            args.build, 'piglit', '-'.join([args.profile, *args.group]))
        if args.shard:
            args.results += '-%d-of-%d' % args.shard
    return args


def main():
    args = parse_args()
    # On these signals, stop as after Ctrl-C: terminate piglit and keep its results.
    for number in signal.SIGTERM, signal.SIGHUP, signal.SIGINT:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    expectations = Expectations(args.lists)
    tests, chosen = choose_tests(args)
    count = sum(map(len, chosen.values()))
    if not count:
        sys.exit('sgpu: no test to run')
    runs = run_driver(args, args.driver, tests, chosen)
    results = flatten(runs)
    for name, run in runs.items():
        tests[name].output = f"{run.get('out', '')}\n{run.get('err', '')}"
    is_whole = len(runs) == count

    unexpected = []
    if args.driver == OURS:
        unexpected = list(expectations.unexpected(tests, results))
    lines = [f'{name}: expected {expected}, found {result}'
             for name, expected, result in unexpected]
    stale = []
    # Only profiles `full` and `ci` contain at least one test for each list entry.
    if (args.profile in ('full', 'ci') and is_whole and args.driver == OURS
            and not (args.shard or args.tests or args.group)):
        stale += expectations.stale(results)
    if not is_whole and not args.minutes:
        stale += [f'{name}: was not run' for names in chosen.values()
                  for name in names if name not in runs]
    lines += stale
    write_lines(os.path.join(args.results, 'unexpected.txt'), lines)
    write_lines(os.path.join(args.results, 'witnesses.txt'),
                map(regex_of, expectations.witnesses(tests)))
    write_lines(os.path.join(args.results, 'testlog.json'),
                log_lines(tests, runs, results, unexpected, stale))
    write_lines(os.path.join(args.results, 'output.txt'),
                describe(dict(runs), unexpected))
    for line in lines:
        print(printable(line))
    compare(args, results, chosen, tests)

    has_passed = 'Pass' in results.values()
    if not has_passed:
        print('no test passed')
    if not is_whole:
        print(f'{count - len(runs)} of {count} tests are left: the same '
              'command runs them')
    print(f'{args.profile}: {len(runs)} tests: {counts_text(results)}; '
          f'{len(lines)} unexpected')
    return 0 if has_passed and not lines else 1


if __name__ == '__main__':
    sys.exit(main())
