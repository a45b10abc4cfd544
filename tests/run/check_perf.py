#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests sgpu perf with replays of captures, which need no display.

usage: check_perf.py PROJECT BUILD"""

import json
import os
import signal
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
        # Each sample stands for 2.5 ms of CPU time.
        (process,) = self.data['processes']
        cpu = sum(t['cpu_ns'] for t in process['threads'])
        if process['sampled_by'] == 'perf events':
            self.assertAlmostEqual(self.data['cpu_ns'] / cpu, 1, delta=0.3)

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
