#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the capture of a program that writes to buffers while they are mapped: replays with
several policies and numbers of threads have the picture hashes of the captured run.

usage: check_persistent.py SGPU SGPU-CAP PROGRAM"""

import os
import re
import subprocess
import sys
import tempfile

FRAMES = 12


def main(folder):
    sgpu, tool, program = sys.argv[1:4]
    capture = os.path.join(folder, 'persistent.sgcap')
    env = {k: v for k, v in os.environ.items() if k not in ('DISPLAY', 'EGL_PLATFORM')}
    for captured_with in ('1', '2'):
        subprocess.run([sgpu, 'run', '--', program, 'frames'], check=True,
                       env=dict(env, SGPU_CAPTURE=capture, SGPU_THREADS=captured_with))
        hashes = re.findall(r'\bhash ([0-9a-f]{16})',
                            subprocess.run([tool, 'decode', capture], check=True,
                                           stdout=subprocess.PIPE, encoding='utf-8').stdout)
        if len(hashes) != FRAMES or len(set(hashes)) != FRAMES:
            sys.exit(f'{len(hashes)} frames, {len(set(hashes))} different ones; '
                     f'expected {FRAMES}')
        for threads, policy in (('1', 'inorder'), ('2', 'ooo'), ('2', 'ooo+split'),
                                ('2', 'ooo+split+break')):
            result = subprocess.run([tool, 'replay', '--hash', '--threads', threads,
                                     '--dispatch', policy, capture], stdout=subprocess.PIPE,
                                    check=False, encoding='utf-8')
            if result.returncode or any(h not in result.stdout for h in hashes):
                sys.exit(f'{threads} threads, {policy}: status {result.returncode}\n'
                         f'{result.stdout}captured: {hashes}')
        os.unlink(capture)


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as scratch:
        main(scratch)
