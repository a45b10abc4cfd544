#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Applies the faults of faults/ one at a time to a copy of the tree, and runs tests
until one fails: the tests of the mirrored folder, of the module, then all others.

The copy is a clone of HEAD, WORK/tree.  results.txt has the result of each fault.  A run
tries the faults that have no result there.  For a fault that survives, add a
test, or change its result by hand to "no fault: REASON".  With --near, only the tests
of the folder and of the module run.  This takes a tenth of the time for a fault that
they do not find; such a fault gets no result.  The same is true of --tests, which names
the tests to run.

Exits with 0 if each chosen fault has a result and none survives.
"""

import argparse
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import fault_list
import test_plan

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
BAD = {'FAIL', 'ERROR', 'TIMEOUT', 'UNEXPECTEDPASS'}
# Build with -O1, since a hundred builds take longer than the tests.
OPTIONS = '-Doptimization=1'


def say(text):
    print(f'{time.strftime("%H:%M:%S")} {text}', flush=True)


def minutes(seconds):
    return f'{seconds / 60:.0f} min' if seconds < 5400 else f'{seconds / 3600:.1f} h'


class Failure(Exception):
    """Ends the run."""


class NotBuilt(Exception):
    """A build with a fault failed."""


class Copy:
    """A clone of HEAD, with its build folder."""

    def __init__(self, work, build, factor):
        self.work = os.path.realpath(work)
        self.tree = os.path.join(self.work, 'tree')
        self.build = os.path.realpath(build or os.path.join(self.tree, 'build'))
        self.log = os.path.join(self.work, 'log')
        self.factor = factor
        self.commit = None
        self.tests = []
        os.makedirs(self.work, exist_ok=True)
        self.lock = open(os.path.join(self.work, 'lock'), 'w')
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(f'another run works in {self.work}') from None

        options = f'{OPTIONS} {os.environ.get("SGPU_MESON_OPTIONS", "")}'.strip()
        self.env = {name: value for name, value in os.environ.items() if name not in
                    ('DISPLAY', 'WAYLAND_DISPLAY', 'LIBGL_DRIVERS_PATH', 'GALLIUM_DRIVER')}
        self.env.update(SGPU_BUILD=self.build, SGPU_MESON_OPTIONS=options,
                        MESA_SHADER_CACHE_DIR=os.path.join(self.work, 'shader-cache'))

    def run(self, *command):
        """Runs a command in the tree, with output to the log.  Returns its exit status."""
        with open(self.log, 'a', encoding='utf-8') as log:
            print('\n+', *command, file=log, flush=True)
            child = subprocess.Popen(command, cwd=self.tree, env=self.env,
                                     stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                     start_new_session=True)
            try:
                return child.wait()
            except BaseException:
                # Meson ends its tests, which run in separate sessions.
                os.killpg(child.pid, signal.SIGTERM)
                child.wait()
                raise

    def git(self, *args):
        env = {name: value for name, value in os.environ.items()
               if not name.startswith('GIT_')}
        done = subprocess.run(['git', *args], env=env, text=True, capture_output=True)
        if done.returncode:
            raise Failure(f'git {" ".join(args)}: {done.stderr.strip()}')
        return done.stdout.strip()

    def update(self):
        """Updates the copy to HEAD, also if an earlier run has left changes there."""
        git_dir = os.path.join(self.tree, '.git')
        if not os.path.isdir(git_dir):
            say(f'cloning HEAD into {self.tree}')
            self.git('clone', '--quiet', '--no-checkout', TOP, self.tree)
        # otherwise, git would search the folders above for .git
        copy = (f'--git-dir={git_dir}', f'--work-tree={self.tree}')
        self.git(*copy, 'fetch', '--quiet', TOP, 'HEAD')
        self.git(*copy, 'checkout', '--quiet', '--force', '--detach', 'FETCH_HEAD')
        self.commit = self.git(*copy, 'rev-parse', 'HEAD')
        packages = os.path.join('subprojects', 'packagecache')
        if os.path.isdir(os.path.join(TOP, packages)):
            shutil.copytree(os.path.join(TOP, packages), os.path.join(self.tree, packages),
                            dirs_exist_ok=True)

    def make(self, targets):
        """Builds targets of ninja.  Returns whether this succeeded."""
        return self.run('./sgpu', 'build', *sorted(targets)) == 0

    def make_all(self):
        return self.make(['products', 'meson-test-prereq'])

    def meson_test(self, suite, names, *options):
        """Runs tests of a suite by their names.  Returns {label: result}."""
        log = os.path.join(self.build, 'meson-logs', 'testlog.json')
        if os.path.exists(log):
            os.unlink(log)
        self.run('meson', 'test', '-C', self.build, '--no-rebuild', '--print-errorlogs',
                 '--timeout-multiplier', str(self.factor), '--suite', f'sgpu:{suite}',
                 *options, *names)
        if not os.path.exists(log):
            raise Failure(f'no test of {suite} ran, see {self.log}')
        with open(log, encoding='utf-8') as f:
            entries = [json.loads(line) for line in f]
        # a name is "sgpu:SUITE+SUITE / NAME", or NAME alone
        prefix = 'sgpu:' + suite
        return {f'{suite}: ' + (entry['name'].partition(' / ')[2]
                                if entry['name'].startswith(prefix) else entry['name']):
                entry['result'] for entry in entries}

    def run_tests(self, tests):
        """Runs tests until one fails.  Returns its label and result, or None."""
        for suite, chosen in test_plan.by_suite(tests):
            results = self.meson_test(suite, [t.name for t in chosen], '--maxfail', '1')
            bad = {label: result for label, result in results.items() if result in BAD}
            if bad:
                return next(iter(bad.items()))
        return None

    def baseline(self, exclude):
        """Builds and runs all tests without a fault, unless results of the same commit are
        known.  Excludes tests that fail, or raises Failure."""
        say(f'building {self.commit[:12]}')
        if not self.make_all():
            raise Failure(f'the tree does not build without a fault, see {self.log}')
        self.tests = test_plan.read_tests(self.tree, self.build)

        known = os.path.join(self.work, 'baseline.json')
        failing = None
        if os.path.exists(known):
            with open(known, encoding='utf-8') as f:
                failing = json.load(f).get(self.commit)
        if failing is None or (failing and not exclude):
            say(f'running {len(self.tests)} tests without a fault')
            results = {}
            for suite, tests in test_plan.by_suite(self.tests):
                results |= self.meson_test(suite, [t.name for t in tests])
            failing = [t.label for t in self.tests
                       if results.get(t.label, 'missing') in BAD | {'missing', 'INTERRUPT'}]
            skipped = [label for label, result in results.items() if result == 'SKIP']
            for label in skipped:
                say(f'skipped, finds no fault: {label}')
            if not failing or exclude:
                with open(known, 'w', encoding='utf-8') as f:
                    json.dump({self.commit: failing}, f)
        for label in failing:
            say(f'fails without a fault: {label}')
        if failing and not exclude:
            raise Failure(f'tests fail without a fault, see {self.log}; '
                          '--exclude-failing leaves them out')
        self.tests = [t for t in self.tests if t.label not in failing]

    def find(self, fault, known, sanitizers, near, chosen):
        """Returns the result of an applied fault; `known` is its result so far.  Returns
        None if the near or chosen tests do not find it and no others should run."""
        begin = time.monotonic()

        def found(label, how=''):
            return f'found {time.monotonic() - begin:.0f} s, {label}{how}'

        stages = ()
        if known is None and chosen:
            stages = [[t for t in self.tests if t.label in chosen]]
        elif known is None:
            stages = test_plan.stages(fault.file, self.tests, near)
        for tests in stages:
            if not self.make(set().union(*(t.targets for t in tests)) or ['products']):
                raise NotBuilt
            bad = self.run_tests(tests)
            if not bad:
                continue
            label, result = bad
            text = found(label, ' (timeout)' if result == 'TIMEOUT' else '')
            if result != 'TIMEOUT':
                # a fault in the order of work or in locks may not be visible in each run
                if not self.run_tests([t for t in self.tests if t.label == label]):
                    text += ' (at times)'
            return text
        if near or chosen:
            return None
        if stages and not self.make_all():
            raise NotBuilt
        if not fault.sanitizer:
            return 'SURVIVED'
        if fault.sanitizer in sanitizers:
            tests = self.sanitize(fault.sanitizer)
            return found(f'{fault.sanitizer}: {tests[0]}') if tests else 'SURVIVED'
        return f'SURVIVED (needs {fault.sanitizer})'

    def sanitize(self, name):
        """Runs the suite of a sanitizer.  Returns the tests that fail."""
        start = os.path.getsize(self.log)
        status = self.run('./sgpu', 'test', name)
        with open(self.log, encoding='utf-8', errors='replace') as f:
            f.seek(start)
            failed = [line[len('failed: '):].strip() for line in f
                      if line.startswith('failed: ')]
        if status and not failed:
            raise Failure(f'sgpu test {name} did not run, see {self.log}')
        return failed

    def apply(self, fault):
        """Changes the file of the fault.  Returns a function that restores it."""
        path = os.path.join(self.tree, fault.file)
        with open(path, encoding='utf-8', newline='') as f:
            text = f.read()

        def write(text):
            with open(path, 'w', encoding='utf-8', newline='') as f:
                f.write(text)
        write(text.replace(fault.old, fault.new))
        return lambda: write(text)


def choose(args, faults):
    """Returns the faults that --only and --shard choose."""
    if args.only:
        names = args.only.split(',')
        unknown = set(names) - {f.id for f in faults}
        if unknown:
            raise Failure(f'no fault {", ".join(sorted(unknown))}')
        faults = [f for f in faults if f.id in names]
    if args.shard:
        index, _, number = args.shard.partition('/')
        if not (index.isdigit() and number.isdigit() and 1 <= int(index) <= int(number)):
            raise Failure('--shard is I/N, with I from 1 to N')
        faults = faults[int(index) - 1::int(number)]
    return faults


def open_faults(faults, known, sanitizers):
    """Returns the faults without a result, or whose sanitizer has not run."""
    return [f for f in faults if f.id not in known or
            (f.sanitizer in sanitizers and known[f.id] == f'SURVIVED (needs {f.sanitizer})')]


def run_faults(args, faults, results):
    sanitizers = fault_list.SANITIZERS if args.sanitizers else set()
    if args.fresh:
        kept = results.read()
        results.change({f.id: None for f in faults
                        if fault_list.kind_of(kept.get(f.id, '')) != 'no fault'})
    known = results.read()
    left = open_faults(faults, known, sanitizers)
    if not left:
        return 0

    work = args.work or os.path.join(TOP, 'build-mutate' + (
        '-' + args.shard.partition('/')[0] if args.shard else ''))
    copy = Copy(work, args.build, args.timeout_multiplier)
    copy.update()
    problems = [f'{f.id}: {problem}' for f in left if (problem := f.problem(copy.tree))]
    if problems:
        raise Failure('\n'.join(problems))
    copy.baseline(args.exclude_failing)
    if unknown := args.tests - {t.label for t in copy.tests}:
        raise Failure(f'no test {", ".join(sorted(unknown))}')
    for name in sorted({f.sanitizer for f in left} & sanitizers):
        say(f'running the suite {name} without a fault')
        if failing := copy.sanitize(name):
            raise Failure(f'the suite {name} fails without a fault: {", ".join(failing)}')

    begin, errors = time.monotonic(), 0
    for i, fault in enumerate(left):
        say(f'{i + 1} of {len(left)}: {fault.id}, {fault.file}: {fault.what.strip()}')
        restore = copy.apply(fault)
        try:
            text = copy.find(fault, known.get(fault.id), sanitizers, args.near,
                             args.tests)
        except NotBuilt:
            errors += 1
            text = f'ERROR: does not build, see {copy.log}'
        finally:
            restore()
        if text and not text.startswith('ERROR'):
            results.change({fault.id: text})
        spent = time.monotonic() - begin
        say(f'   {text or "not found by these tests"}; {minutes(spent / (i + 1) * (len(left) - i - 1))} left')
    return errors


def print_totals(faults, known):
    kinds = [fault_list.kind_of(known.get(f.id, '')) for f in faults]
    for fault, kind in zip(faults, kinds):
        if kind == 'survived':
            print(f'{known[fault.id]}: {fault.id}, {fault.file}: {fault.what.strip()}')
    print(f'{len(faults)} faults, {kinds.count("found")} found, '
          f'{kinds.count("survived")} survived, {kinds.count("no fault")} no fault, '
          f'{kinds.count(None)} without a result')
    return kinds.count('survived') == 0 and kinds.count(None) == 0


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--check', action='store_true',
                        help="only check that each fault's text occurs once in its file")
    parser.add_argument('--only', metavar='ID,...', help='these faults only')
    parser.add_argument('--shard', metavar='I/N',
                        help='every Nth fault from the Ith; its default WORK ends with -I')
    parser.add_argument('--fresh', action='store_true',
                        help='run faults with a result, too; "no fault" stays')
    parser.add_argument('--exclude-failing', action='store_true',
                        help='leave out tests that fail without a fault')
    parser.add_argument('--near', action='store_true',
                        help='run the tests of the folder and of the module only')
    parser.add_argument('--tests', metavar='LABEL,...', default=set(),
                        type=lambda text: set(text.split(',')),
                        help='run these tests only, for example "device: hash"')
    parser.add_argument('--sanitizers', action='store_true',
                        help='run sgpu test tsan or asan for faults that need it')
    parser.add_argument('--timeout-multiplier', type=float, default=2, metavar='X',
                        help="factor of the tests' time limits (default 2)")
    parser.add_argument('--work', metavar='DIR',
                        help='folder of the copy (default build-mutate)')
    parser.add_argument('--build', metavar='DIR',
                        help='build folder (default WORK/tree/build)')
    parser.add_argument('--results', metavar='FILE', default=os.path.join(HERE, 'results.txt'),
                        help='default tests/mutate/results.txt')
    return parser.parse_args()


def main():
    args = parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    try:
        faults = fault_list.read_faults(os.path.join(HERE, 'faults'))
        results = fault_list.Results(args.results, [f.id for f in faults])
        problems = fault_list.check(TOP, faults, results.read())
        if args.check:
            for line in problems:
                print(line, file=sys.stderr)
            print(f'{len(faults)} faults, {len(problems)} problems')
            return 1 if problems else 0
        chosen = choose(args, faults)
        errors = run_faults(args, chosen, results)
        return 0 if print_totals(chosen, results.read()) and not errors else 1
    except (Failure, fault_list.ListError) as e:
        print(f'mutate: {e}', file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print('mutate: interrupted', file=sys.stderr)
        return 130


if __name__ == '__main__':
    sys.exit(main())
