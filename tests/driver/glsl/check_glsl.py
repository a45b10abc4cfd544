# SPDX-License-Identifier: MIT
"""Runs random GLSL programs and compares sgpu's results with those of other ways to run them.

usage: check_glsl.py GLSL_RUN [--count N] [--seed S] [--oracles LIST] [--stages LIST]
                     [--keep FOLDER]
       check_glsl.py GLSL_RUN --reduce FILE [--oracles NAME]

Must run in the environment of "sgpu run".  Oracles:

  llvmpipe, softpipe  Mesa's drivers that are installed on the system
  noopt               sgpu without the optimizations of its compiler
  fold                the program with constants instead of uniforms and the id, so that Mesa
                      folds some or all of it
  stages              the same program in the other stages

A program whose results differ is kept together with both results.  --reduce removes lines
from a program as long as its results still differ from those of the (first) oracle."""
import argparse
import os
import subprocess
import sys
import tempfile

import random_glsl

STAGES = ('comp', 'vert', 'geom', 'frag')
IDS, WORDS = 64, 8
FOLDED = 37  # the id in folded programs


def environment(oracle):
    env = dict(os.environ)
    if oracle in ('llvmpipe', 'softpipe'):
        # The variables of `sgpu env`: of the driver, and of the vendor libraries on new systems.
        env = {name: value for name, value in env.items()
               if not name.startswith(('LIBGL_', 'GALLIUM_', 'GBM_', '__GLX_', '__EGL_')) and
               name not in ('LD_LIBRARY_PATH', 'SGPU_DEBUG', 'DRIRC_CONFIGDIR')}
        env.update(GALLIUM_DRIVER=oracle, LIBGL_ALWAYS_SOFTWARE='1')
        if oracle == 'softpipe':
            env.update(MESA_GL_VERSION_OVERRIDE='4.5', MESA_GLSL_VERSION_OVERRIDE='450',
                       MESA_EXTENSION_OVERRIDE='+GL_ARB_gpu_shader_int64')
    elif oracle == 'noopt':
        env['SGPU_DEBUG'] = ','.join(filter(None, (env.get('SGPU_DEBUG'), 'noopt')))
    return env


def run(runner, oracle, files, quiet=False):
    """Returns the result words of each file.  Files that crashed, hung or did not compile are
    missing."""
    results, left = {}, list(files)
    while left:
        p = subprocess.Popen([runner] + left, env=environment(oracle), text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = p.communicate(timeout=60 + 10 * len(left))
        except subprocess.TimeoutExpired:
            p.kill()
            out, err = p.communicate()
        lines = [line.split() for line in out.splitlines()]
        for name, *words in lines:
            if words and words[0] != 'error' and name in left:
                results[name] = [int(w, 16) for w in words]
        done = len(lines) if p.returncode == 0 else max(len(lines), 1)
        if p.returncode and not quiet:
            print('%s: %s: status %d: %s' % (oracle or 'sgpu', left[done - 1], p.returncode,
                                             err[:500]))
        elif err and not quiet:
            print('%s: %s' % (oracle or 'sgpu', err[:1500]))
        left = left[done:]
    return results


def difference(a, b):
    if a is None or b is None:
        return 'no result of %s' % ('sgpu' if a is None else 'the other')
    wrong = [i for i in range(min(len(a), len(b))) if a[i] != b[i]]
    if not wrong:
        return None
    i = wrong[0]
    return '%d words differ, the first: id %d, res[%d]: %08x, other %08x' % (
        len(wrong), i // WORDS, i % WORDS, a[i], b[i])


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, 'w') as out:
        out.write(text)
    return path


def check(args, folder):
    """Returns the number of programs that differ."""
    failed = {}
    for start in range(args.seed, args.seed + args.count, 20):
        seeds = range(start, min(start + 20, args.seed + args.count))
        files = {(s, t): write(folder, '%d.%s' % (s, t), random_glsl.generate(s, t))
                 for s in seeds for t in args.stages if random_glsl.fits(s, t)}
        ours = run(args.runner, None, files.values())
        for oracle in args.oracles:
            pairs = []
            if oracle == 'fold':
                folds = {}
                for s, t in files:
                    text = random_glsl.folded(random_glsl.generate(s, t), FOLDED)
                    # Mesa wrongly folds the high word of umulExtended() to 0.
                    if random_glsl.is_pure(s) and 'mulExtended' not in text:
                        folds[s, t] = write(folder, '%d.fold.%s' % (s, t), text)
                other = run(args.runner, None, folds.values())
                for key, name in folds.items():
                    at = FOLDED * WORDS
                    found, folded = ours.get(files[key]), other.get(name)
                    pairs.append((files[key], found and found[at:at + WORDS],
                                  folded and folded[at:at + WORDS]))
            elif oracle == 'stages':
                for (s, t), name in files.items():
                    first = files.get((s, args.stages[0]))
                    if random_glsl.is_pure(s) and first != name:
                        pairs.append((name, ours.get(name), ours.get(first)))
            else:
                other = run(args.runner, oracle, files.values())
                pairs = [(name, ours.get(name), other.get(name)) for name in files.values()]
            for name, a, b in pairs:
                what = difference(a, b)
                if what:
                    print('%s: %s: %s' % (name, oracle, what), flush=True)
                    failed[name] = oracle
        for (s, t), name in files.items():
            if name not in failed:
                os.unlink(name)
    print('%d programs, %d differ' % (args.count, len(failed)))
    return len(failed)


def reduce(args, folder):
    """Removes lines and whole blocks as long as the results still differ."""
    oracle = args.oracles[0]
    suffix = os.path.splitext(args.reduce)[1]
    lines = open(args.reduce).read().split('\n')

    def differs(candidate):
        name = write(folder, 'try' + suffix, '\n'.join(candidate))
        a = run(args.runner, None, [name], True).get(name)
        if oracle == 'fold':
            name = write(folder, 'fold' + suffix, random_glsl.folded('\n'.join(candidate), FOLDED))
            a = a and a[FOLDED * WORDS:][:WORDS]
        b = run(args.runner, None if oracle == 'fold' else oracle, [name], True).get(name)
        return b is not None and difference(a, b and b[:len(a or [])]) is not None

    def end_of(at):
        """Returns the index of the line after the block that begins at line `at`."""
        depth = 0
        for i in range(at, len(lines)):
            depth += lines[i].count('{') - lines[i].count('}')
            if depth <= 0:
                return i + 1
        return len(lines)

    if not differs(lines):
        print('no difference')
        return 1
    progress = True
    while progress:
        progress = False
        at = len(lines) - 1
        while at >= 0:
            end = end_of(at)
            if lines[at].lstrip().startswith(('return', 'res = ')):
                at -= 1
                continue
            tries = [lines[:at] + lines[end:]]
            if end > at + 1:
                tries.append(lines[:at] + lines[at + 1:end - 1] + lines[end:])
            for candidate in tries:
                if len(candidate) < len(lines) and differs(candidate):
                    lines, progress = candidate, True
                    break
            at -= 1
    print('\n'.join(lines))
    return 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument('runner')
    p.add_argument('--count', type=int, default=20)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--oracles', default='llvmpipe,noopt,fold,stages', type=lambda s: s.split(','))
    p.add_argument('--stages', default=','.join(STAGES), type=lambda s: s.split(','))
    p.add_argument('--keep')
    p.add_argument('--reduce')
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if args.reduce:
            return reduce(args, folder)
        if args.keep:
            os.makedirs(args.keep, exist_ok=True)
        return check(args, args.keep or folder) != 0


sys.exit(main())
