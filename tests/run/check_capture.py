#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures a program while it runs: frames by their numbers, of programs that
end when they are asked to and of one that does not; and of a touched file. All
replay to the pictures that they had.

usage: check_capture.py SGPU SGPU-CAP GLX_WINDOWS_X11
"""

import os
import re
import subprocess
import sys
import tempfile
import time

GEARS = ['glxgears', '-geometry', '100x100']
STUBBORN = ['sh', '-c', 'trap "" TERM; exec "$@"', 'sh', *GEARS]


def replayed(tool, path):
    """The frames of a capture that replays as it was."""
    frames = None
    for threads, policy in (('1', 'inorder'), ('2', 'ooo+split')):
        text = subprocess.run(
            [tool, 'replay', '--hash', '--threads', threads, '--dispatch', policy, path],
            check=True, stdout=subprocess.PIPE, encoding='utf-8').stdout
        found = [int(frame) for frame in re.findall(r'^frame +(\d+)', text, re.M)]
        assert f'{len(found)} pictures, 0 of {len(found)} hashes differ' in text, text
        assert frames in (None, found), text
        frames = found
    return frames


def main(sgpu, tool, windows):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'gears.sgcap')
        for program in (GEARS, STUBBORN):
            begin = time.monotonic()
            subprocess.run([sgpu, 'capture', '--frames', '3-5', '-o', path, '--', *program],
                           check=True)
            print(f'{program[0]}: captured in {time.monotonic() - begin:.1f} s')
            assert replayed(tool, path) == [3, 4, 5]

        # Two frames for each connection to the X server: the fourth is of the second.
        subprocess.run([sgpu, 'capture', '--keep-running', '--frames', '3', '-o', path, '--',
                        windows, 'displays'], check=True)
        assert replayed(tool, path) == [3]

        # The file is there from the start, so the first frame that can be is it.
        trigger = os.path.join(folder, 'now')
        open(trigger, 'w').close()
        path = os.path.join(folder, 'trigger.sgcap')
        subprocess.run([sgpu, 'run', '--frames', '10', '--', *GEARS], check=True,
                       env=dict(os.environ,
                                SGPU_CAPTURE=f'{path},trigger={trigger},count=2'))
        assert not os.path.exists(trigger)
        frames = replayed(tool, path)
        assert len(frames) == 2 and frames[1] == frames[0] + 1, frames


if __name__ == '__main__':
    main(*sys.argv[1:])
