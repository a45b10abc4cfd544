#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the lines that `sgpu test` prints at the end.
usage: check_summary.py PROJECT"""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

PROJECT = sys.argv.pop(1)
sys.path.insert(0, os.path.join(PROJECT, 'src/tools/front'))

# pylint: disable=wrong-import-position
import test_summary
import test_times


def test(name, result='OK', **more):
    return {'name': name, 'result': result, **more}


class Summaries(unittest.TestCase):
    def close(self, *runs, in_ci=False):
        """Returns the lines and the exit status for runs, which are tuples: NAME, STATUS, tests,
        SUITES."""
        summary = test_summary.Summary(in_ci)
        with tempfile.TemporaryDirectory() as folder:
            for number, (name, status, log, suites) in enumerate(runs):
                if isinstance(log, list):
                    path = os.path.join(folder, str(number))
                    with open(path, 'w', encoding='utf-8') as file:
                        file.writelines(json.dumps(one) + '\n' for one in log)
                    log = path
                summary.add_run(name, status, log, suites.split())
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                status = summary.close()
        return output.getvalue().splitlines(), status

    def test_counts(self):
        lines, status = self.close(
            ('-', '0', [test('sgpu:isa+packets / a'), test('sgpu:isa / b', 'SKIP')], ''),
            ('asan', '0', [test('sgpu:isa / a'), test('sgpu:isa / c')], 'isa'))
        self.assertEqual(lines, ['skipped: sgpu:isa / b',
                                 '3 passed, 0 failed, 1 skipped'])
        self.assertEqual(status, 0)

    def test_failures(self):
        lines, status = self.close(
            ('-', '1', [test('sgpu:isa / a'), test('sgpu:isa / b', 'TIMEOUT')], ''),
            ('tsan', 'unbuilt', '-', ''), ('piglit', '1', [test('x')], ''))
        self.assertEqual(lines, [
            'failed: sgpu:isa / b (timeout)', 'failed: tsan (the build)',
            'failed: the run (piglit) (status 1, and no test failed)',
            '2 passed, 3 failed, 0 skipped'])
        self.assertEqual(status, 1)

    def test_parts(self):
        log = [test('sgpu:device / a', stdout='skipped: host level v4\nfine\n'
                    'skipped: host level v4\n[  SKIPPED ] test_shared\n'
                    '[  SKIPPED ] 1 test(s), listed below:\n')]
        lines, status = self.close(('-', '0', log, 'device'))
        self.assertEqual(lines, [
            'skipped: sgpu:device / a: host level v4',
            'skipped: sgpu:device / a: test_shared',
            '1 passed, 0 failed, 2 skipped'])
        self.assertEqual(status, 0)

    def test_nothing_ran(self):
        runs = (('-', '0', [test('sgpu:isa / a'), test('sgpu:run / b', 'SKIP')], 'isa run'),
                ('tsan', 'absent', 'setarch is not permitted', ''))
        lines, status = self.close(*runs)
        self.assertEqual(lines, [
            'skipped: sgpu:run / b',
            'not run: run (each of its tests was skipped)',
            'not run: tsan (setarch is not permitted)',
            '1 passed, 0 failed, 3 skipped'])
        self.assertEqual(status, 0)
        lines, status = self.close(*runs, in_ci=True)
        self.assertEqual(lines[-1], '1 passed, 2 failed, 1 skipped')
        self.assertEqual(status, 1)

    def test_unknown_suite(self):
        lines, status = self.close(('-', '0', [test('sgpu:isa / a')], 'isa nonsense'))
        self.assertIn('failed: nonsense (there is no such test)', lines)
        self.assertEqual(status, 1)
        for log in [], '/nonexistent/log':
            lines, status = self.close(('-', '0', log, 'isa'))
            self.assertEqual(lines[-1], '0 passed, 1 failed, 0 skipped')
            self.assertEqual(status, 1)
            lines, status = self.close(('piglit', '0', log, ''))
            self.assertEqual(status, 1)

    def test_only_skips(self):
        _, status = self.close(('-', '0', [test('sgpu:isa / a', 'SKIP')], 'isa'))
        self.assertEqual(status, 1)

    def test_listed(self):
        log = [test('spec@a'), test('spec@b / c', 'SKIP', listed=True),
               test('spec@d', 'SKIP', listed=True)]
        lines, status = self.close(('piglit', '0', log, ''))
        self.assertEqual(lines, [
            'skipped: 2 tests that fail or skip as listed (piglit)',
            '1 passed, 0 failed, 2 skipped'])
        self.assertEqual(status, 0)

    def test_slow(self):
        times = test_times.Times()
        for name, seconds in ('a', 10.0), ('b', 21.0), ('c', 50.0), ('new', 20.0):
            times.add_test('-', ['isa'], name, seconds)
        known = {('-', 'a'): 10.0, ('-', 'b'): 10.0, ('-', 'c'): 20.0, ('asan', 'a'): 1.0}
        # This machine takes twice as long for most tests, so only the new test is slow.
        self.assertEqual(list(times.slow(known)), ['new: 20 s, usually 4 s'])
        known['-', 'c'] = 100.0
        known['-', 'b'] = 21.0
        self.assertEqual(list(times.slow(known)), ['new: 20 s, usually 2 s'])
        known['-', 'b'] = 5.0
        self.assertEqual(list(times.slow(known)), ['b: 21 s, usually 5 s', 'new: 20 s, usually 2 s'])
        self.assertEqual(list(times.slow({})), [])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'times.txt')
            test_times.write(path, times.long_tests())
            self.assertEqual(test_times.read(path), times.tests)

    def test_file_of_runs(self):
        with tempfile.NamedTemporaryFile('w') as log, tempfile.NamedTemporaryFile('w') as runs:
            log.write(json.dumps(test('sgpu:isa / a')) + '\n')
            log.flush()
            runs.write(f'-\t0\t{log.name}\tisa\t12\nasan\tabsent\tno compiler\t\t\n'
                       '-\tleft out\ta, b\t2\t\n')
            runs.flush()
            with contextlib.redirect_stdout(io.StringIO()) as output:
                test_summary.main(['--times', runs.name])
        self.assertIn('not run: asan (no compiler)', output.getvalue())
        self.assertIn('left out: 2 tests (a, b), and the suites asan', output.getvalue())
        self.assertIn('| build | | 12 |', output.getvalue())


if __name__ == '__main__':
    unittest.main()
