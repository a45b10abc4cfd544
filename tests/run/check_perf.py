#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests sgpu perf with replays of captures, which need no display.

usage: check_perf.py PROJECT BUILD"""

import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = sys.argv.pop()
PROJECT = sys.argv.pop()
sys.path.insert(0, os.path.join(PROJECT, 'src/tools/front'))

# pylint: disable=wrong-import-position
import perf_flame
import perf_read
import perf_report
import perf_sums

CAPTURE = os.path.join(PROJECT, 'tests/captures/shadow.sgcap')
TOOL = os.path.join(BUILD, 'src/tools/capture/sgpu-cap')
PERF = [sys.executable, os.path.join(PROJECT, 'src/tools/front/perf.py'), '--build', BUILD]


def replay(folder, *options, **more):
    env = dict(os.environ, SGPU_DEBUG=f'profile={folder}')
    return subprocess.Popen([TOOL, 'replay', '--loop', '999999', *options, CAPTURE], env=env,
                            stdout=subprocess.PIPE, text=True, **more)


def await_loops(process, count):
    for line in process.stdout:
        if line.startswith(f'loop {count}:'):
            return


class Replay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = os.path.join(cls.folder.name, 'f.html')
        # The replay compares the hashes of the pictures.
        run = subprocess.run([*PERF, '--loops', '40', '--json', '-', '--flame', path, CAPTURE],
                             capture_output=True, text=True, check=True)
        cls.data = json.loads(run.stdout)
        with open(path, encoding='utf-8') as file:
            cls.page = file.read()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_sums(self):
        self.assertEqual(self.data['frames'], 40)
        self.assertEqual(sum(self.data['blocks'].values()), self.data['cpu_ns'])
        self.assertEqual(sum(self.data['groups'].values()), self.data['cpu_ns'])
        for block in ('program', 'raster', 'front end'):
            self.assertIn(block, self.data['blocks'])
        # Each sample stands for 2.5 ms of CPU time.  Timers have the resolution of ticks.
        (process,) = self.data['processes']
        cpu = sum(t['cpu_ns'] for t in process['threads'])
        delta = {'perf events': 0.3, 'timers': 0.5}[process['sampled_by']]
        self.assertAlmostEqual(self.data['cpu_ns'] / cpu, 1, delta=delta)
        self.assertEqual(self.data['threads_left_out'], 0)

    def test_operations(self):
        draws = [o for o in self.data['operations'] if o.get('kind') == 'draw']
        self.assertTrue(draws)
        for o in draws:
            self.assertEqual(o['calls'] % 40, 0)
            self.assertEqual(len(o['programs']), 2)
            self.assertIn('tests, ', o['plan'])
        self.assertIn('21516 vertices', draws[0]['text'] + draws[1]['text'])

    def test_textures(self):
        (row,) = self.data['textures']
        self.assertIn('TEX R1.x', row['instruction'])
        self.assertGreater(row['lanes'], 40 * 10000)

    def test_page(self):
        self.assertIn('const root = ["all",', self.page)
        self.assertIn('21516 vertices', self.page)


class Ends(unittest.TestCase):
    """The files are complete however the process ends."""

    def end(self, number):
        with tempfile.TemporaryDirectory() as folder:
            with replay(folder, '--threads', '1') as process:
                await_loops(process, 8)
                process.send_signal(number)
            (read,) = perf_read.load(folder)
            self.assertGreaterEqual(read.frames, 8)
            self.assertTrue(list(read.samples()))
            self.assertTrue(read.programs)
            return read

    def test_term(self):
        self.end(signal.SIGTERM)

    def test_kill(self):
        self.end(signal.SIGKILL)

    def test_crash(self):
        self.end(signal.SIGSEGV)

    def test_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            with replay(os.path.join(folder, 'none'), stderr=subprocess.PIPE) as process:
                await_loops(process, 1)
                process.terminate()
                self.assertIn('No such file', process.stderr.read())

    def test_seconds(self):
        start = time.monotonic()
        run = subprocess.run([*PERF, '--seconds', '2', '--json', '-', CAPTURE],
                             capture_output=True, text=True, check=True)
        self.assertGreater(time.monotonic() - start, 1.9)
        self.assertGreater(json.loads(run.stdout)['frames'], 0)


class Start(unittest.TestCase):
    """A profiler that cannot start, and the files of one that could."""

    def test_timers(self):
        """Timers replace perf events if few file descriptors are left."""
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        with tempfile.TemporaryDirectory() as folder:
            files = [os.open('/dev/null', os.O_RDONLY) for _ in range(40)]
            with replay(folder, '--threads', '2', preexec_fn=limit, pass_fds=files) as process:
                await_loops(process, 40)
                process.terminate()
            for file in files:
                os.close(file)
            (read,) = perf_read.load(folder)
            self.assertEqual(read.method, 2)
            cpu = sum(t.cpu for t in read.threads)
            self.assertAlmostEqual(sum(s.ns for s in read.samples()) / cpu, 1, delta=0.5)

    def test_limit(self):
        """A limit of the size of files: the message says so, no file stays, and the program runs."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        with tempfile.TemporaryDirectory() as folder:
            with replay(folder, stderr=subprocess.PIPE, preexec_fn=limit) as process:
                await_loops(process, 2)
                process.terminate()
                self.assertRegex(process.stderr.read(), r'profile=.*\.samples: File too large')
            self.assertEqual(os.listdir(folder), [])

    def test_disk(self):
        """A full disk."""
        mount = 'mount -t tmpfs -o size=2m none "$0"'
        space = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c']
        with tempfile.TemporaryDirectory() as folder:
            if subprocess.run([*space, mount, folder], stderr=subprocess.DEVNULL,
                              check=False).returncode:
                self.skipTest('no mounts')
            run = subprocess.run([*space, f'{mount} && "$@" > /dev/null && ls -A "$0"', folder, TOOL,
                                  'replay', CAPTURE], capture_output=True, text=True, check=True,
                                 env=dict(os.environ, SGPU_DEBUG=f'profile={folder}'))
            self.assertRegex(run.stderr, r'profile=.*\.samples: No space left on device')
            self.assertEqual(run.stdout, '')

    def test_keep(self):
        with tempfile.TemporaryDirectory() as folder:
            for path, more in ((folder, '--force'), (CAPTURE, '')):
                run = subprocess.run([*PERF, '--loops', '1', '--keep', path, CAPTURE],
                                     capture_output=True, text=True, check=False)
                self.assertNotEqual(run.returncode, 0)
                self.assertIn('exists', run.stderr)
                self.assertEqual('--force' in run.stderr, bool(more))
                self.assertEqual(run.stdout, '')
            subprocess.run([*PERF, '--loops', '1', '--force', '--keep', folder, CAPTURE],
                           capture_output=True, check=True)
            (samples,) = [name for name in os.listdir(folder) if name.endswith('.samples')]
            self.check_files(folder, os.path.join(folder, samples))

    def check_files(self, folder, samples):
        """Reads files with a count of threads, without text, and without a beginning."""
        with open(samples, 'r+b') as file:
            file.seek(perf_read.FIXED.size + 24 * perf_read.SPANS + 8)
            file.write(struct.pack('<I', 7))
        report = perf_report.Report(folder, perf_sums.Symbols(PROJECT, BUILD), 3)
        self.assertIn('7 threads are left out', report.text())
        os.remove(samples[:-len('samples')] + 'text')
        (read,) = perf_read.load(folder)
        self.assertIsNone(read.code(0x1000))
        shutil.copyfile(samples, samples + '.samples')
        with open(samples + '.samples', 'r+b') as file:
            file.write(bytes(8))
        self.assertEqual(len(perf_read.load(folder)), 1)


class Tables(unittest.TestCase):
    """The tools know the numbers of the device's files."""

    def test_numbers(self):
        with open(os.path.join(PROJECT, 'src/device/observe/profile/sgd_profile_file.h'),
                  encoding='utf-8') as file:
            text = file.read()
        numbers = dict(re.findall(r'#define SGD_PROFILE_([A-Z]+) (\d+)\n', text))
        for name in ('THREADS', 'SPANS', 'SHAPES', 'TEXTURES', 'COUNTERS'):
            self.assertEqual(getattr(perf_read, name), int(numbers[name]))
        magic = re.search(r'MAGIC UINT64_C\((0x[0-9a-f]+)\)', text).group(1)
        self.assertEqual(perf_read.MAGIC, int(magic, 16))
        paths = re.findall(r'SGD_PROFILE_[A-Z]+ = (\d+),', text)
        shifts = {'12', '16'}  # positions of fields
        self.assertEqual(set(perf_sums.PATHS), {int(n) for n in paths if n not in shifts})
        flags = {int(n) for n in re.findall(r'SGD_PROFILE_[A-Z]+ = 1 << (\d+),', text)}
        # The plain paths have no name.
        self.assertEqual({flag.bit_length() - 1 for flag, _ in perf_sums.PATH_FLAGS}, flags - {4})

    def test_files(self):
        """Each file of the texture unit has a kind, unless it does not read textures."""
        names = os.listdir(os.path.join(PROJECT, 'src/device/texture/unit'))
        files = {name for name in names if re.match(r'sgd_tex_.*\.c$', name)}
        self.assertEqual(files - {'sgd_tex_choose.c', 'sgd_tex_lookup.c', 'sgd_tex_observe.c'},
                         set(perf_sums.TEXTURE))


class Interpreter(unittest.TestCase):
    def test_interpreter(self):
        with tempfile.TemporaryDirectory() as folder:
            with replay(folder, '--threads', '2', '--exec', 'interp') as process:
                await_loops(process, 30)
                process.terminate()
            (read,) = perf_read.load(folder)
            symbols = perf_sums.Symbols(PROJECT, BUILD)
            sums = perf_sums.Sums([read], symbols)
            self.assertNotIn('machine code', sums.blocks)
            self.assertIn('interpreter', sums.blocks)
            details = {detail for places in sums.programs.values() for _, detail in places}
            self.assertIn('no machine code', details)


class Flame(unittest.TestCase):
    STACKS = {('a', 'b<'): 3000, ('a', 'c'): 1000, ('d',): 4000}

    def test_folded(self):
        self.assertEqual(perf_flame.folded(self.STACKS), 'a;b< 3\na;c 1\nd 4\n')

    def test_svg(self):
        text = perf_flame.svg(self.STACKS)
        self.assertIn('all / a / b&lt;: 0.0 ms, 37.5 %', text)


if __name__ == '__main__':
    unittest.main()
