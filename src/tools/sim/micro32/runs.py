# SPDX-License-Identifier: MIT
"""Runs sgpu-sim on captures; nothing is kept from one experiment to the next."""

import json
import os
import re
import subprocess
import sys
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
    """The captures of a folder, by name."""
    try:
        names = sorted(n for n in os.listdir(folder) if n.endswith('.sgcap'))
    except OSError as error:
        die(f'{folder}: {error.strerror}')
    if not names:
        die(f'{folder} has no captures')
    return [Frame(os.path.join(folder, n)) for n in names]


class Simulator:
    """Runs the tool with progress.  `total` is the number of runs that are expected."""

    def __init__(self, tool, total, threads=None):
        self.tool = tool
        self.total = total
        self.threads = threads
        self.done = 0
        self.cycles = 0
        self.start = time.monotonic()

    def run(self, frame, what, sets=(), sweeps=(), detail=False, config='micro32'):
        """[(changes, result)] of the points, and the frame's facts.

        A result is the object of the frame in the JSON (docs/timing.md).  detail: with
        `over_time` and `operations`.
        """
        command = [self.tool, '--quiet', '--json', '-', '--config', config]
        for option, values in (('--set', sets), ('--sweep', sweeps)):
            for value in values:
                command += [option, value]
        if detail:
            command += ['--draws', '--over-time']
        if self.threads:
            command += ['--threads', str(self.threads)]
        done = subprocess.run([*command, frame.path], capture_output=True, text=True,
                              check=False)
        if done.returncode:
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
