#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures two frames of each scene of gl_scenes while it runs.  Replays must have the same
pictures, with all state that they depend on from earlier frames: a query that was begun there,
and buffers that were written there.  Also tests that `sgpu diff` of two frames with grids finds
the memory that a grid writes differently.

usage: check_captured.py SGPU SGPU-CAP GL_SCENES"""

import os
import re
import subprocess
import sys
import tempfile

from check_scenes import SCENES


def check_diff(sgpu, tool, program, folder):
    """Compares two frames with grids.  The first difference must be what the first grid writes."""
    files = [os.path.join(folder, f'grids-{frame}.sgcap') for frame in (3, 4)]
    for frame, path in zip((3, 4), files, strict=True):
        subprocess.run([sgpu, 'capture', '--frames', str(frame), '-o', path, '--', program,
                        'grids'], check=True)
    done = subprocess.run([tool, 'diff', *files], check=False, stdout=subprocess.PIPE,
                          encoding='utf-8')
    if done.returncode == 1 and re.search(r'\(grid 0\) writes otherwise:\n   COMPUTE, buf\[0\], '
                                          'first at byte 0x0$', done.stdout, re.M):
        return 0
    print(f'diff of two frames of grids:\n{done.stdout}')
    return 1


def main(sgpu, tool, program):
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for scene in SCENES:
            path = os.path.join(folder, scene + '.sgcap')
            subprocess.run([sgpu, 'capture', '--frames', '3-4', '-o', path, '--', program, scene],
                           check=True)
            for threads, policy in (('1', 'inorder'), ('2', 'ooo+split+break')):
                text = subprocess.run([tool, 'replay', '--hash', '--threads', threads,
                                       '--dispatch', policy, path], check=False,
                                      stdout=subprocess.PIPE, encoding='utf-8').stdout
                if '2 pictures, 0 of 2 hashes differ' not in text:
                    print(f'{scene}, {threads} threads, {policy}:\n{text}')
                    bad = 1
        bad |= check_diff(sgpu, tool, program, folder)
    return bad


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
