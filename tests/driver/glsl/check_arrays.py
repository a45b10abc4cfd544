# SPDX-License-Identifier: MIT
"""Runs random GLSL programs that index arrays of every storage, and compares the results with the
expected values.

usage: check_arrays.py ARRAYS_RUN [--count N] [--seed S] [--seconds T] [--kind comp|pipeline]
                       [--keep FOLDER] [--noopt] [--driver llvmpipe|softpipe]

Must run in the environment of "sgpu run".  --seconds runs seeds, starting with the given one, for
that time.  A program with a wrong result is kept; "arrays_run FILE" runs it again."""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import random_arrays

BATCH = 24


def environment(args):
    env = dict(os.environ)
    if args.noopt:
        env['SGPU_DEBUG'] = ','.join(filter(None, (env.get('SGPU_DEBUG'), 'noopt')))
    if args.driver:
        for name in ('LIBGL_DRIVERS_PATH', 'SGPU_DEBUG', 'DRIRC_CONFIGDIR'):
            env.pop(name, None)
        env['GALLIUM_DRIVER'] = args.driver
    return env


def run(args, files):
    """Runs the files.  Returns a dictionary of files with wrong results and their messages."""
    wrong, left = {}, list(files)
    while left:
        p = subprocess.run([args.runner] + left, env=environment(args), text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600,
                           check=False)
        lines = p.stdout.splitlines()
        for line in lines:
            name, _, result = line.partition(' ')
            if result != 'right':
                wrong[name] = (result or 'it crashed') + ' ' + p.stderr[:400]
        if p.stderr and not wrong:
            print(p.stderr[:400])
        if p.returncode == 0:
            break
        done = max(len(lines), 1)
        wrong.setdefault(left[done - 1], 'status %d: %s' % (p.returncode, p.stderr[:400]))
        left = left[done:]
    return wrong


def main():
    p = argparse.ArgumentParser()
    p.add_argument('runner')
    p.add_argument('--count', type=int, default=20)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--seconds', type=float)
    p.add_argument('--kind', choices=('comp', 'pipeline'))
    p.add_argument('--keep')
    p.add_argument('--noopt', action='store_true')
    p.add_argument('--driver', choices=('llvmpipe', 'softpipe'))
    args = p.parse_args()
    failed, seed, start = 0, args.seed, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        if args.keep:
            folder = args.keep
            os.makedirs(folder, exist_ok=True)
        while (time.monotonic() - start < args.seconds if args.seconds else
               seed < args.seed + args.count):
            end = seed + BATCH if args.seconds else min(seed + BATCH, args.seed + args.count)
            files = []
            for s in range(seed, end):
                files.append(os.path.join(folder, '%d.arrays' % s))
                with open(files[-1], 'w') as out:
                    out.write(random_arrays.generate(s, args.kind))
            wrong = run(args, files)
            for name in files:
                if name in wrong:
                    print('%s: %s' % (name, wrong[name]), flush=True)
                    failed += 1
                else:
                    os.unlink(name)
            seed = end
    print('%d programs, %d wrong' % (seed - args.seed, failed))
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
