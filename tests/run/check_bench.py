#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests sgpu bench: its statistics, its groups of workloads, and its parsers.  Also tests the
pictures of the micro-benchmarks on sgpu.

usage: check_bench.py PROJECT SGPU-MICRO SGPU-SHOT"""

import collections
import contextlib
import io
import os
import re
import signal
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

SHOT = sys.argv.pop()
MICRO = sys.argv.pop()
PROJECT = sys.argv.pop()
sys.path.insert(0, os.path.join(PROJECT, 'src/tools/front'))

# pylint: disable=wrong-import-position
import bench
import bench_cold
import bench_groups
import bench_instructions
import bench_micro
import bench_programs
import bench_statistics
import bench_workers
import gl_common
import gl_traces
import limited
from printable import printable

COUNTS = """version: 1
events: Ir

ob=/build/src/tools/capture/sgpu-cap
fl=???
fn=run
0 100
cob=/lib/libc.so.6
cfn=memcpy
calls=3 0
0 5000
0 20

ob=/lib/libc.so.6
fn=memcpy
0 5000
fn=main'2
0 7
"""


class Statistics(unittest.TestCase):
    def test_interval(self):
        """The interval of seven values reaches from the smallest to the largest: 2 / 2^7 is less
        than 5 %."""
        self.assertEqual(bench_statistics.median_interval([5, 1, 4, 2, 7, 3, 6]), (1, 7))
        self.assertEqual(bench_statistics.median_interval([1, 2, 3]), (None, None))
        found = bench_statistics.summarize({'sgpu': [3, 3], 'b': [2, 2]})['b']
        self.assertEqual(bench_statistics.interval_text(found, 2), 'no interval of 2 pairs')
        found = bench_statistics.summarize({'sgpu': [3] * 6, 'b': [2] * 6})['b']
        self.assertEqual(bench_statistics.interval_text(found, 6), '1.50 to 1.50')

    def test_mean(self):
        workloads = [{'sgpu': [4, 4, 4], 'b': [1, 1, 1]}, {'sgpu': [1, 1, 1], 'b': [1, 1, 1]},
                     {'sgpu': [9], 'b': None}]
        mean = bench_statistics.geometric_mean(workloads, 'b')
        self.assertEqual((mean['ratio'], mean['low'], mean['high'], mean['workloads']),
                         (2, 2, 2, 2))
        self.assertIsNone(bench_statistics.geometric_mean(workloads[2:], 'b'))

    def test_mean_interval(self):
        values = [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6]
        mean = bench_statistics.geometric_mean([{'sgpu': values, 'b': [1] * 7}], 'b')
        self.assertLess(1, mean['low'])
        self.assertLess(mean['low'], mean['ratio'])
        self.assertLess(mean['ratio'], mean['high'])
        self.assertLess(mean['high'], 1.6)

    def test_absent(self):
        self.assertIsNone(bench_statistics.summarize({'sgpu': [1], 'b': None})['b'])


class Instructions(unittest.TestCase):
    def test_counts(self):
        """Counts exclude those of called functions, and combine all depths of a recursion."""
        with tempfile.NamedTemporaryFile('w', suffix='.out') as file:
            file.write(COUNTS)
            file.flush()
            self.assertEqual(bench_instructions.read_counts(file.name), collections.Counter({
                ('sgpu-cap', 'run'): 120, ('libc.so.6', 'memcpy'): 5000,
                ('libc.so.6', 'main'): 7}))

    def check(self, value, tolerance=0.02):
        with contextlib.redirect_stdout(io.StringIO()):
            return bench_instructions.check('gears', value, {'instructions': {'gears': 1000}},
                                            tolerance)

    def test_tolerance(self):
        self.assertTrue(self.check(1000))
        self.assertTrue(self.check(1019))
        self.assertFalse(self.check(1021))
        self.assertTrue(self.check(1021, 0.25))
        self.assertTrue(self.check(500))

    def test_unknown(self):
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertFalse(bench_instructions.check('other', 1, {'instructions': {}}, 0.02))

    def test_record(self):
        """Each capture that the record names exists."""
        for name in bench_instructions.read_record()['instructions']:
            self.assertTrue(os.path.exists(bench_instructions.find_capture(name)))


class Workers(unittest.TestCase):
    TEXT = """loop 0: 9.000 ms, 2 frames, 222.22 frames/s
loop 1: 4.000 ms, 2 frames, 500.00 frames/s
loop 2: 6.000 ms, 2 frames, 333.33 frames/s
4 workers in virtual time: 95.5 % work, 2.5 % wait for the lock
"""

    def test_run(self):
        """Times are in milliseconds per frame and exclude the first loop."""
        self.assertEqual(bench_workers.read_run(self.TEXT), ([2.0, 3.0], 95.5, 2.5))
        self.assertEqual(bench_workers.read_run(self.TEXT.replace('2 frames', '0 frames'))[0],
                         [4.0, 6.0])
        self.assertIsNone(bench_workers.read_run(self.TEXT.partition('4 workers')[0]))

    def test_summary(self):
        runs = [([2.0, 3.0], 90, 1), ([4.0, 5.0], 70, 2), ([6.0], 80, 9)]
        self.assertEqual(bench_workers.summarize(runs), {'ms': 4.0, 'work': 80, 'lock': 2})


class Groups(unittest.TestCase):
    def test_traces(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a.trace')
            with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
                bench_groups.expand(['traces'], folder, '')
            with open(path, 'w', encoding='utf-8'):
                pass
            self.assertEqual(bench_groups.expand(['traces', 'glxgears'], folder, ''),
                             [path, 'glxgears'])

    def test_no_folder(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit):
            bench_groups.expand(['traces'], None, '')
        self.assertIn('--traces DIR', errors.getvalue())

    def test_limit(self):
        bench_micro.facts['x'] = {'work': 1e6, 'unit': 'pixels', 'bytes': 1e7, 'lanes': 0.5,
                                  'busy': 0.75}
        found = bench_micro.limit('micro:x', 100, 1e10)
        self.assertEqual(bench_micro.limit_text(found), '100.0 M pixels/s, 10.0 % of a copy, '
                         '50 % of lanes, workers 75 % busy')


# shows frames, then none for a second, and then frames again
PAUSE = 'glxgears >/dev/null & sleep 2; kill -STOP $!; sleep 1; kill -CONT $!; sleep 1; kill $!'


class Cold(unittest.TestCase):
    def test_output(self):
        self.assertEqual(bench_cold.longest('67 0.125\n'), 0.125)
        self.assertEqual(bench_cold.longest('a line of the program\n3 2.000\n'), 2)
        for output in '', 'a b', '1 0.000', '1 0.500', '0 0.000', '2 0.000':
            self.assertIsNone(bench_cold.longest(output))

    def test_whole(self):
        said = 'a line\nRendered 5 frames in 1.25 secs, average of 4 fps\n'
        self.assertEqual(bench_cold.whole(said), 1.25)
        for output in '', 'a line\n', 'Rendered 5 frames':
            self.assertIsNone(bench_cold.whole(output))

    def test_shares(self):
        """A replay is compared with the replay of the same pair that draws nothing."""
        nothing = bench_cold.NOTHING
        bench_cold.replays['x'] = {'sgpu': [1.25, None, 3.5], 'llvmpipe': [1.5, 2, 4],
                                   'softpipe': [None, 9, None], nothing: [1, None, 3]}
        found = bench_cold.shares('x', ['sgpu', 'llvmpipe', 'softpipe'])
        self.assertEqual(found, {'sgpu': 0.375, 'llvmpipe': 0.75})
        self.assertEqual(bench_cold.share_text(found),
                         ', the driver alone: sgpu 375 ms, llvmpipe 750 ms (2.00)')
        self.assertEqual(bench_cold.share_text({'sgpu': -0.5, 'llvmpipe': 0.25}),
                         ', the driver alone: sgpu -500 ms, llvmpipe 250 ms')
        self.assertEqual(bench_cold.shares('y', ['sgpu']), {})
        self.assertEqual(bench_cold.share_text({}), '')

    def test_replay(self):
        """Runs of sgpu are followed by a run that draws nothing; runs of other drivers are not."""
        seen = []

        def replay(_tools, _workload, env, _limit):
            seen.append(env)
            return subprocess.CompletedProcess([], 0, '5 0.500\n',
                                               'Rendered 5 frames in 1.25 secs\n')

        with unittest.mock.patch.object(bench_cold, 'replay', replay):
            for driver in 'sgpu', 'llvmpipe':
                self.assertEqual(bench_cold.measure('', 'z', {'A': driver}, driver, 9), 2)
        self.assertEqual(seen, [{'A': 'sgpu'}, {'A': 'sgpu', 'GALLIUM_NOOP': '1'},
                                {'A': 'llvmpipe'}])
        self.assertEqual(bench_cold.shares('z', ['sgpu', 'llvmpipe']),
                         {'sgpu': 0, 'llvmpipe': 0})

    @unittest.skipUnless(shutil.which('glxgears'), 'there is no glxgears')
    def test_pause(self):
        """sgpu-shot finds the longest time between two frames."""
        with tempfile.TemporaryDirectory() as folder:
            cookie = os.path.join(folder, 'auth')
            gl_common.write_cookie(cookie)
            server = subprocess.Popen(['Xvfb', '-displayfd', '1', '-nolisten', 'tcp', '-noreset',
                                       '-auth', cookie], stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, text=True)
            try:
                env = os.environ | {'DISPLAY': ':' + server.stdout.readline().strip(),
                                    'XAUTHORITY': cookie}
                run = subprocess.run([SHOT, '-l', 'sh', '-c', PAUSE], env=env, check=False,
                                     capture_output=True, text=True)
            finally:
                server.terminate()
                server.communicate()
        found = bench_cold.longest(run.stdout)
        self.assertIsNotNone(found, run.stderr)
        self.assertGreater(found, 0.9, run.stderr)


class Limits(unittest.TestCase):
    """Commands that do not end."""

    def test_late(self):
        """The message has the stacks of the threads, and no process of the command is left."""
        with self.assertRaises(limited.Late) as late:
            limited.run(['sh', '-c', 'sleep 77 & sleep 78 & wait'], 0.5)
        self.assertRegex(str(late.exception), r'(?s)did not end within 0.5 s.*process \d+: sleep 77'
                         r'.*process \d+: sleep 78')
        for pid in re.findall(r'^process (\d+):', str(late.exception), re.MULTILINE):
            self.assertIsNone(limited.status_of(int(pid)))

    def test_command(self):
        """`sgpu --limit` does the same for a command.  A command that ends in time is not
        affected."""
        def sgpu(seconds, *command):
            return subprocess.run([os.path.join(PROJECT, 'sgpu'), '--limit', seconds, 'run', '--',
                                   *command], env=env, check=False, capture_output=True, text=True)

        env = os.environ | {'SGPU_NO_BUILD': '1', 'EGL_PLATFORM': 'surfaceless'}
        self.assertEqual(sgpu('60', 'sh', '-c', 'exit 7').returncode, 7)
        done = sgpu('1', 'sleep', '76')
        self.assertEqual(done.returncode, 124, done.stderr)
        self.assertRegex(done.stderr, r'(?s)did not end within 1 s.*process \d+: sleep 76')
        done = sgpu('x', 'true')
        self.assertIn('--limit x: expected seconds', done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_kernel(self):
        """Without a debugger, the message has the information of the kernel."""
        with unittest.mock.patch.object(limited, 'debugger_stacks', lambda pid: None):
            text = limited.stacks([os.getpid()])
        self.assertIn(f'thread {os.getpid()} (', text)

    def test_ended(self):
        """A process that a tool has started ends when the tool ends."""
        script = ('import limited; limited.exit_on_signals(); print("x", flush=True); '
                  'limited.run(["sleep", "79"], 100)')
        for number in signal.SIGTERM, signal.SIGKILL:
            with subprocess.Popen([sys.executable, '-c', script], stdout=subprocess.PIPE,
                                  env=os.environ | {'PYTHONPATH': sys.path[0]}) as tool:
                tool.stdout.readline()
                children = []
                while not children:
                    children = [pid for pid in limited.family(tool.pid)
                                if limited.read(f'/proc/{pid}/cmdline').startswith('sleep')]
                tool.send_signal(number)
                tool.wait()
            while limited.status_of(children[0]):
                pass

    def test_text(self):
        self.assertEqual(printable('a\x1b[31m\n\u20ac\x9b\u202e\udc9b'),
                         'a\\x1b[31m\n\u20ac\\xc2\\x9b\\xe2\\x80\\xae\\x9b')


class Traces(unittest.TestCase):
    @unittest.skipUnless(shutil.which('apitrace'), 'there is no apitrace')
    def test_tail(self):
        """The last frame of a trace can be repeated even if calls follow it."""
        path = os.path.join(PROJECT, 'tests/traces/glxgears.trace')
        whole = gl_traces.open_trace(path)
        self.assertFalse(whole.has_tail)
        with tempfile.TemporaryDirectory() as folder:
            self.assertIs(gl_traces.without_tail(whole, folder), whole)
            cut = os.path.join(folder, 'cut.trace')
            subprocess.run(['apitrace', 'trim', f'--calls=0-{whole.frames[-2][1] + 1}', '-o', cut,
                            path], check=True, capture_output=True)
            trace = gl_traces.open_trace(cut)
            self.assertTrue(trace.has_tail)
            with contextlib.redirect_stderr(io.StringIO()) as said:
                found = gl_traces.without_tail(trace, folder)
            self.assertIn('calls after the last frame', said.getvalue())
            self.assertFalse(found.has_tail)
            self.assertEqual(found.frames, whole.frames[:-1])


class Missing(unittest.TestCase):
    def test_program(self):
        with unittest.mock.patch.object(bench_programs, 'PATHS', '/nowhere'):
            self.assertIn('apt-get install mpv', bench_programs.why_missing('program:mpv')[0])

    def run_bench(self, results, drivers=('sgpu', 'llvmpipe')):
        """Returns the order of the runs, the samples, and the text on stderr."""
        args = unittest.mock.Mock(pairs=2)
        order = []

        def measure(_args, _workload, driver, _env):
            order.append(driver)
            return results[driver]

        with unittest.mock.patch.object(bench, 'measure', measure), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            samples = bench.run_workload('x', list(drivers), args, dict.fromkeys(drivers))
        return order, samples, said.getvalue()

    def test_other(self):
        """A workload that the other driver cannot run is reported before sgpu's first run."""
        order, samples, said = self.run_bench({'sgpu': 5, 'llvmpipe': None})
        self.assertEqual(order, ['llvmpipe', 'sgpu', 'sgpu'])
        self.assertEqual(samples, {'sgpu': [5, 5], 'llvmpipe': None})
        self.assertIn('x does not run on llvmpipe', said)

    def test_ours(self):
        order, samples, _ = self.run_bench({'sgpu': None, 'llvmpipe': 5})
        self.assertEqual(order, ['llvmpipe', 'sgpu'])
        self.assertIsNone(samples['sgpu'])


class Pictures(unittest.TestCase):
    """The tool checks a picture before it measures."""

    def test_micro(self):
        listed = subprocess.run([MICRO], capture_output=True, text=True, check=True).stdout
        for line in listed.splitlines():
            name = line.split()[0]
            with self.subTest(name):
                run = subprocess.run([MICRO, '-w', '0', '-s', '0', name], capture_output=True,
                                     text=True, check=False)
                self.assertEqual((run.returncode, 'sgpu' in run.stderr), (0, True), run.stderr)
                if name != 'shaders':
                    self.assertIn('lanes ', run.stdout)


if __name__ == '__main__':
    unittest.main()
