#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays a GL trace on sgpu and on llvmpipe (or softpipe) and compares every frame.

A trace is recorded first when a program is given instead.  Both drivers see
the very same calls; what differs is theirs.

    compare_trace.py [options] --trace F.trace
    compare_trace.py [options] -- PROGRAM ...

Needs a display (the front command's `sgpu env` says how sgpu is chosen).
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

import numpy
from PIL import Image


def run(command, env, timeout):
    p = subprocess.run(command, env=env, timeout=timeout, capture_output=True, text=True)
    if p.returncode:
        sys.exit(f'{" ".join(command)}: exit {p.returncode}\n{p.stdout[-2000:]}{p.stderr[-2000:]}')
    return p.stdout + p.stderr


def record(program, folder, seconds, frames):
    """Records the program's first frames on llvmpipe; returns the trace."""
    trace = os.path.join(folder, 'program.trace')
    short = os.path.join(folder, 'short.trace')
    env = dict(os.environ, GALLIUM_DRIVER='llvmpipe', LIBGL_ALWAYS_SOFTWARE='1', vblank_mode='0')
    env.pop('LIBGL_DRIVERS_PATH', None)
    api = 'egl' if any(n in os.path.basename(program[0]) for n in ('es2', 'egl')) else 'gl'
    subprocess.run(['timeout', '-k', '10', '-s', 'INT', str(seconds), 'apitrace', 'trace', '-a',
                    api, '-o', trace] + program, env=env, capture_output=True)
    if not os.path.exists(trace):
        sys.exit(f'{program[0]} left no trace')
    run(['apitrace', 'trim', f'--frames=0-{frames - 1}', '-o', short, trace], env, 300)
    return short


def replay(trace, folder, driver_env, calls, timeout, egl):
    os.makedirs(folder)
    env = dict(os.environ, LIBGL_ALWAYS_SOFTWARE='1', vblank_mode='0')
    for name in ('LIBGL_DRIVERS_PATH', 'GALLIUM_DRIVER'):
        env.pop(name, None)
    env.update(driver_env)
    tool = 'eglretrace' if egl else 'glretrace'
    run([tool, '-b', '-S', calls, '-s', os.path.join(folder, ''), trace], env, timeout)
    return sorted(f for f in os.listdir(folder) if f.endswith('.png'))


def compare(a, b):
    """Fraction of pixels within 2/255 in every channel, and the largest difference."""
    x = numpy.asarray(Image.open(a).convert('RGBA')).astype(int)
    y = numpy.asarray(Image.open(b).convert('RGBA')).astype(int)
    if x.shape != y.shape:
        return 0.0, 255
    difference = numpy.abs(x - y).max(axis=2)
    return float((difference <= 2).mean()), int(difference.max())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--trace')
    parser.add_argument('--egl', action='store_true', help='the trace is of an EGL program')
    parser.add_argument('--calls', default='*/frame', help='what to compare, as glretrace -S')
    parser.add_argument('--frames', type=int, default=10, help='how many frames to record')
    parser.add_argument('--seconds', type=int, default=4, help='how long to record')
    parser.add_argument('--timeout', type=int, default=600)
    parser.add_argument('--same', type=float, default=0.999,
                        help='share of pixels that must be within 2/255')
    parser.add_argument('--against', default='llvmpipe', help='llvmpipe or softpipe')
    parser.add_argument('--hashes', action='store_true',
                        help='also replay with 1, 2 and 4 threads and every policy')
    parser.add_argument('--keep', metavar='DIR', help='keep the pictures, and the differences')
    parser.add_argument('program', nargs='*')
    args = parser.parse_args()
    if bool(args.trace) == bool(args.program):
        parser.error('a trace or a program')
    drivers = os.environ.get('LIBGL_DRIVERS_PATH')
    if not drivers:
        parser.error('LIBGL_DRIVERS_PATH is not set: eval "$(./sgpu env)"')

    folder = tempfile.mkdtemp()
    try:
        trace = args.trace or record(args.program, folder, args.seconds, args.frames)
        ours = os.path.join(folder, 'sgpu')
        theirs = os.path.join(folder, args.against)
        names = replay(trace, ours, {'LIBGL_DRIVERS_PATH': drivers}, args.calls, args.timeout,
                       args.egl)
        replay(trace, theirs, {'GALLIUM_DRIVER': args.against}, args.calls, args.timeout, args.egl)
        if not names:
            sys.exit('the replay made no picture')

        bad = 0
        for name in names:
            same, worst = compare(os.path.join(ours, name), os.path.join(theirs, name))
            bad += same < args.same
            print(f'{name}: {same * 100:.3f} % within 2/255, largest difference {worst}'
                  + ('' if same >= args.same else '  <-- too few'))

        if args.hashes:
            def digest(d):
                h = hashlib.sha256()
                for n in names:
                    h.update(Image.open(os.path.join(d, n)).tobytes())
                return h.hexdigest()
            reference = digest(ours)
            for threads in ('1', '2', '4'):
                for policy in ('inorder', 'ooo', 'ooo+split'):
                    d = os.path.join(folder, f'{threads}-{policy}')
                    replay(trace, d, {'LIBGL_DRIVERS_PATH': drivers, 'SGPU_THREADS': threads,
                                      'SGPU_DISPATCH': policy}, args.calls, args.timeout,
                           args.egl)
                    equal = digest(d) == reference
                    bad += not equal
                    print(f'{threads} threads, {policy}: '
                          + ('the same pictures' if equal else 'OTHER PICTURES'))
                    shutil.rmtree(d)
        if args.keep:
            shutil.copytree(folder, args.keep, dirs_exist_ok=True)
        return 1 if bad else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(main())
