#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures programs while they run: frames with given numbers, of programs that end when asked to
and of one that does not, and frames after a file was touched.  Replays of all captures must
have the original pictures, also if the file could not grow, and if the program consists of two
processes.

usage: check_capture.py SGPU SGPU-CAP GLX_WINDOWS_X11"""

import os
import re
import resource
import subprocess
import sys
import tempfile
import time

GEARS = ['glxgears', '-geometry', '100x100']
STUBBORN = ['sh', '-c', 'trap "" TERM; exec "$@"', 'sh', *GEARS]


def replayed(tool, path):
    """Replays a capture and checks its pictures.  Returns the numbers of its frames."""
    frames = None
    for threads, policy in (('1', 'inorder'), ('2', 'ooo+split+break')):
        text = subprocess.run(
            [tool, 'replay', '--hash', '--threads', threads, '--dispatch', policy, path],
            check=True, stdout=subprocess.PIPE, encoding='utf-8').stdout
        found = [int(frame) for frame in re.findall(r'^frame +(\d+)', text, re.M)]
        assert f'{len(found)} pictures, 0 of {len(found)} hashes differ' in text, text
        assert frames in (None, found), text
        frames = found
    return frames


def refused(sgpu, text, *options):
    """Checks that the command reports the error before it runs the program."""
    done = subprocess.run([sgpu, 'capture', *options, '--', 'false'], check=False,
                          stderr=subprocess.PIPE, encoding='utf-8')
    assert done.returncode == 1 and text in done.stderr, (options, done)


def check_files(sgpu, tool, windows, folder):
    path = os.path.join(folder, 'file.sgcap')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('precious')
    refused(sgpu, '--force', '-o', path)
    refused(sgpu, 'not a writable folder', '-o', os.path.join(folder, 'missing', 'x.sgcap'))
    refused(sgpu, 'name of a file', '-o', folder)
    for frames in ('5-3', '-3', 'x', '1-2-3'):
        refused(sgpu, 'expected A', '--frames', frames, '-o', path + '.2')
    refused(sgpu, '1 to 19', '--level', '20', '-o', path + '.2')

    # If the environment requests a capture, the capture layer chooses an unused file name.
    env = dict(os.environ, SGPU_CAPTURE=f'{path},frames=1-2')
    subprocess.run([sgpu, 'run', '--frames', '5', '--', *GEARS], check=True, env=env)
    with open(path, encoding='utf-8') as file:
        assert file.read() == 'precious'
    assert replayed(tool, os.path.join(folder, 'file-2.sgcap')) == [1, 2]
    for options, text in (('frames=2,count=3', 'count= needs'), ('signal=ABC', 'USR1'),
                          ('nonsense=1', 'level'), ('trigger=x,frames=1', 'count=')):
        done = subprocess.run([sgpu, 'run', '--', 'glxinfo', '-B'], check=True,
                              env=dict(env, SGPU_CAPTURE=f'{path}.3,{options}'),
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              encoding='utf-8')
        assert text in done.stderr, done.stderr

    # A program writes a file each time it opens the device.  Two processes, after one that draws
    # nothing, write twice as many files.
    counts = []
    for command in ('"$@"', 'glxinfo -B; "$@"; "$@"'):
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        subprocess.run([sgpu, 'capture', '-o', path, '--', 'sh', '-c', command, 'sh', windows,
                        'displays'], check=True, stdout=subprocess.DEVNULL)
        counts.append(sorted(len(replayed(tool, os.path.join(folder, name)))
                             for name in os.listdir(folder)))
    assert counts[1] == sorted(counts[0] * 2) and sum(counts[0]) >= 4, counts


def check_full(sgpu, tool, folder):
    """Tests a file that cannot grow any more: it must be complete, and the program is ended."""
    path, size = os.path.join(folder, 'full.sgcap'), 80 << 10
    done = subprocess.run([sgpu, 'capture', '--frames', '0-100000', '-o', path, '--', *GEARS],
                          check=False, stderr=subprocess.PIPE, encoding='utf-8',
                          env=dict(os.environ, MESA_SHADER_CACHE_DISABLE='true'),
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                (size, size)))
    assert done.returncode == 1 and 'File too large' in done.stderr, done
    assert os.path.getsize(path) <= size
    assert len(replayed(tool, path)) > 3


def main(sgpu, tool, windows):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'gears.sgcap')
        for program in (GEARS, STUBBORN):
            begin = time.monotonic()
            subprocess.run([sgpu, 'capture', '--frames', '3-5', '-o', path, '--', *program],
                           check=True)
            print(f'{program[0]}: captured in {time.monotonic() - begin:.1f} s')
            assert replayed(tool, path) == [3, 4, 5]
            os.unlink(path)

        # There are two frames per connection to the X server, so frame 3 belongs to the second one.
        subprocess.run([sgpu, 'capture', '--keep-running', '--frames', '3', '-o', path, '--',
                        windows, 'displays'], check=True)
        assert replayed(tool, path) == [3]
        check_files(sgpu, tool, windows, folder)
        check_full(sgpu, tool, folder)

        # The file exists from the start, so the first frame is captured.
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
