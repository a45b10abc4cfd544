# SPDX-License-Identifier: MIT
"""Runs sgpu-sim on captures.  No results are kept for later experiments."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time


def die(text):
    sys.exit(f'sgpu: {text}')


class Frame:
    """A capture of one frame."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path).removesuffix('.sgcap')
        self.program = re.sub(r'\d+$', '', self.name)


def find_frames(folder):
    """Returns the captures of a folder, sorted by name."""
    try:
        names = sorted(n for n in os.listdir(folder) if n.endswith('.sgcap'))
    except OSError as error:
        die(f'{folder}: {error.strerror}')
    if not names:
        die(f'{folder} has no captures')
    return [Frame(os.path.join(folder, n)) for n in names]


def picture(tool, frame):
    """Returns the picture of a frame as a PNG file, or None if there is no tool for captures."""
    player = os.path.join(os.path.dirname(tool), '..', 'capture', 'sgpu-cap')
    if not os.path.exists(player):
        return None
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([player, 'replay', '--png', folder, frame.path], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, sorted(os.listdir(folder))[-1]), 'rb') as file:
            return file.read()


class Simulator:
    """Runs the tool and prints progress.  `total` is the expected number of runs."""

    def __init__(self, tool, total, threads=None):
        self.tool = tool
        self.total = total
        self.threads = threads
        self.done = 0
        self.cycles = 0
        self.start = time.monotonic()

    def run(self, frame, what, sets=(), sweeps=(), detail=False, verify=False,
            config='micro32'):
        """Returns [(changes, result)] for the points, and the facts of the frame.

        A result is the object of the frame in the JSON (docs/timing.md).  With `detail`, it has
        `over_time` and `operations`.  With `verify`, it has the member `verify`, and a wrong
        picture is not an error.
        """
        command = [self.tool, '--quiet', '--json', '-', '--config', config]
        for option, values in (('--set', sets), ('--sweep', sweeps)):
            for value in values:
                command += [option, value]
        if detail:
            command += ['--draws', '--over-time']
        if verify:
            command += ['--verify', '--set', 'fetch.items=all']
        if self.threads:
            command += ['--threads', str(self.threads)]
        done = subprocess.run([*command, frame.path], capture_output=True, text=True,
                              check=False)
        if done.returncode and not (verify and done.returncode == 1 and done.stdout):
            die(f'{" ".join(command)} {frame.path}: {done.stderr.strip()}')
        data = json.loads(done.stdout)
        if len(data['frames']) != 1:
            die(f'{frame.path} has {len(data["frames"])} frames, expected one')
        points = [(point['changes'], dict(point['frames'][0], parameters=point['parameters'],
                                          accelerators=point['accelerators'],
                                          candidates=point['candidates']))
                  for point in data['points']]
        self.cycles += sum(point['cycles'] for point in data['points'])
        self.done += 1
        print(f'[{self.done}/{self.total}] {frame.name}: {what}, {len(points)} points, '
              f'{time.monotonic() - self.start:.0f} s', file=sys.stderr, flush=True)
        return points, data['frames'][0]
