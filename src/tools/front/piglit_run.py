# SPDX-License-Identifier: MIT
"""Runs piglit, and keeps the results between runs."""

import bz2
import csv
import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter

import limited
from gl_common import Progress, say
from piglit_batches import PREFIX, Batches

# result names in the lists, by piglit's result names
NAMES = {
    'pass': 'Pass', 'fail': 'Fail', 'crash': 'Crash', 'timeout': 'Timeout',
    'warn': 'Warn', 'skip': 'Skip', 'notrun': 'Skip', 'incomplete': 'Crash',
    'dmesg-warn': 'Warn', 'dmesg-fail': 'Fail',
}
ORDER = 'Pass', 'Fail', 'Crash', 'Timeout', 'Warn', 'Skip'


def subtests_of(test):
    """Returns (name, result) of all subtests, with piglit's result names."""
    return [(name, result) for name, result in
            sorted(test.get('subtests', {}).items())
            if name != '__type__']


def flatten(tests):
    """Returns the results of tests and their subtests by name."""
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


def read_csv(path):
    """Reads the results.csv of a run.  Returns the results in the same form as flatten()."""
    try:
        with open(path, encoding='utf-8', newline='') as file:
            return {row[0].replace('|', '@'): NAMES[row[-1]]
                    for row in csv.reader(file) if row}
    except (OSError, KeyError, IndexError) as error:
        sys.exit(f'sgpu: {path} has no piglit results: {error}')


def counts_text(results):
    counts = Counter(results.values())
    return ', '.join(f'{counts[result]} {result.lower()}'
                     for result in ORDER if counts[result]) or 'nothing'


class Runner:
    """Runs tests on one driver, and keeps their results in a directory.

    `driver` identifies the driver.  Results of other drivers are not kept.
    """

    def __init__(self, folder, env, driver, jobs, timeout):
        self.folder = folder
        # Mesa only supports program binaries if it has a shader cache, so use a separate empty
        # cache instead of the user's. Set PYTHONHASHSEED, so that piglit always names the same
        # extension if a test lacks several.
        self.cache = os.path.abspath(os.path.join(folder, 'shader-cache'))
        self.env = dict(env, MESA_SHADER_CACHE_DISABLE='false',
                        MESA_SHADER_CACHE_DIR=self.cache,
                        MESA_SHADER_CACHE_MAX_SIZE='256M', PYTHONHASHSEED='0')
        self.driver = driver
        self.jobs = jobs
        self.timeout = timeout
        self.kept = {}
        self.locked = None
        self.end = None
        self.batches = Batches({})

    def path(self, name):
        return os.path.join(self.folder, name)

    def lock(self):
        """Keeps other runs from using the folder.  They would remove each other's results."""
        os.makedirs(self.folder, exist_ok=True)
        self.locked = open(self.path('lock'), 'w', encoding='utf-8')
        try:
            fcntl.flock(self.locked, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f'sgpu: another run of piglit uses {self.folder}: wait for its end, or give '
                     'another folder with --results')

    def load(self, fresh, resume, again):
        """Loads the results of an earlier run."""
        self.lock()
        if not fresh and os.path.exists(self.path('kept.json')):
            with open(self.path('kept.json'), encoding='utf-8') as file:
                data = json.load(file)
            if resume or data['driver'] == self.driver:
                self.kept = data['tests']
                self.harvest()
            else:
                say('the driver differs from that of the previous run: '
                    'starting over')
        if again:
            self.kept = {name: test for name, test in self.kept.items()
                         if set(flatten({name: test}).values()) <=
                         {'Pass', 'Skip'}}
        self.save()

    def save(self):
        with open(self.path('kept.new'), 'w', encoding='utf-8') as file:
            json.dump({'driver': self.driver, 'tests': self.kept}, file)
        os.replace(self.path('kept.new'), self.path('kept.json'))

    def harvest(self):
        """Keeps the results that piglit had written before it was stopped."""
        folder = self.path('raw/tests')
        if not os.path.isdir(folder):
            return
        for name in os.listdir(folder):
            try:
                with open(os.path.join(folder, name), encoding='utf-8') as file:
                    tests = json.load(file)
            except (OSError, ValueError):
                continue
            self.keep({name: test for name, test in tests.items()
                       if test['result'] != 'incomplete'})

    def keep(self, tests):
        """Keeps results of piglit.  For batches, only keeps the tests that have passed."""
        for name, test in tests.items():
            if name.startswith(PREFIX):
                self.kept.update(self.batches.passed(name, test))
            else:
                self.kept[name] = test

    def run(self, parts, minutes, shaders=()):
        """Runs those tests of all parts, (profile, names), that have no kept result.

        `shaders` contains the program and file by test name, for tests that may run in batches.
        Stops after `minutes` unless it is None.  Returns the results so far by name.
        """
        if minutes:
            self.end = time.monotonic() + minutes * 60
        wanted = [name for _, names in parts for name in names]
        left = sum(name not in self.kept for name in wanted)
        if not left:
            say('all results are from an earlier run (--fresh runs them again)')
        elif left < len(wanted):
            say(f'resuming: {left} of {len(wanted)} tests are left')
        shutil.rmtree(self.cache, ignore_errors=True)
        try:
            for profile, names in parts:
                names = [name for name in names if name not in self.kept]
                self.batches = Batches({name: shaders[name] for name in names
                                        if name in shaders})
                if self.batches.tests and not self.is_late():
                    path = os.path.abspath(self.path('batches.xml.gz'))
                    self.batches.write(path)
                    self.run_profile(path, list(self.batches.tests), f'{profile} in batches',
                                     sum(map(len, self.batches.tests.values())))
                    names = [name for name in names if name not in self.kept]
                if names and not self.is_late():
                    self.run_profile(profile, names, profile, len(names))
        finally:
            self.harvest()
            self.save()
            shutil.rmtree(self.path('raw'), ignore_errors=True)
            shutil.rmtree(self.cache, ignore_errors=True)
        return {name: self.kept[name] for name in wanted if name in self.kept}

    def is_late(self):
        return self.end is not None and time.monotonic() > self.end

    def run_profile(self, profile, names, label, total):
        """Runs these tests of a profile.  `total` is the number of tests, including each test in a
        batch."""
        raw = self.path('raw')
        shutil.rmtree(raw, ignore_errors=True)
        with open(self.path('tests.txt'), 'w', encoding='utf-8') as file:
            file.writelines(f'{name}\n' for name in names)
        log_path = self.path('piglit.log')
        with open(log_path, 'w', encoding='utf-8') as log:
            piglit = subprocess.Popen(
                ['piglit', 'run', '--log-level', 'quiet', '--test-list',
                 self.path('tests.txt'), '--timeout', str(self.timeout),
                 '--jobs', str(self.jobs), profile, raw],
                env=self.env, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, preexec_fn=limited.end_with_parent)
            try:
                is_whole = self.watch(piglit, label, total)
            finally:
                if piglit.poll() is None:
                    piglit.terminate()
                    piglit.wait()
        if not is_whole:
            self.harvest()
            return
        if piglit.returncode:
            with open(log_path, encoding='utf-8', errors='replace') as log:
                sys.stderr.writelines(log.readlines()[-20:])
            sys.exit(f'sgpu: piglit itself failed, see {log_path}')
        with bz2.open(os.path.join(raw, 'results.json.bz2'), 'rt') as file:
            self.keep(json.load(file)['tests'])

    def watch(self, piglit, label, total):
        """Prints the progress of piglit.  Returns whether piglit has ended by itself.  piglit
        terminates slow tests, so it must hang if there are no new results for much longer than
        that."""
        progress = Progress()
        counts = Counter()
        seen = set()
        before, since, limit = 0, time.monotonic(), 60 + 10 * self.timeout
        while not self.is_late():
            if len(seen) != before:
                before, since = len(seen), time.monotonic()
            elif time.monotonic() - since > limit:
                progress.end()
                sys.exit(f'sgpu: no test ended: {limited.late(piglit, piglit.args, limit)}')
            try:
                piglit.wait(1)
                progress.end()
                return True
            except subprocess.TimeoutExpired:
                pass
            self.count(seen, counts)
            told = ', '.join(f'{counts[result]} {result}' for result in
                             ('pass', 'fail', 'crash', 'timeout', 'warn',
                              'skip') if counts[result])
            progress.tell(f'{label} {counts.total()}/{total}: {told}')
        progress.end()
        return False

    def count(self, seen, counts):
        """Adds new results to `seen` and `counts`."""
        folder = self.path('raw/tests')
        try:
            names = set(os.listdir(folder)) - seen
        except FileNotFoundError:
            return
        for name in names:
            try:
                with open(os.path.join(folder, name), encoding='utf-8') as file:
                    tests = json.load(file)
            except (OSError, ValueError):
                continue
            if 'incomplete' not in [test['result'] for test in tests.values()]:
                seen.add(name)
                for test, result in tests.items():
                    counts.update([result['result']] if not test.startswith(PREFIX) else
                                  [subtest for _, subtest in subtests_of(result)])
