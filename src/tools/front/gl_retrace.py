#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays a GL trace, and creates pictures, hashes, comparisons or times of its frames (sgpu
retrace)."""

import argparse
import contextlib
import os
import shutil
import statistics
import sys
import tempfile

import limited
from gl_common import OURS, check_driver, environment_of, fail, say
from gl_traces import (Difference, ReplayError, hash_of_picture, open_trace,
                       parse_frames, replay_hashes, replay_pictures,
                       replay_times, settings, without_tail)

# Tolerance for equal pictures: the maximum difference of the components of a pixel, and the minimum
# percentage of pixels within this difference.
EXACT = 0, 100.0
OTHER_DRIVER = 2, 99.9


def make_folder(path):
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        fail(f'cannot make the folder {path}: {error.strerror}')
    return path


def difference_folder(args):
    """Returns the directory for difference pictures.  Without --differences and --snapshots, this
    is a directory in the build directory, which is emptied first."""
    if args.differences:
        return args.differences
    if args.snapshots:
        return os.path.join(args.snapshots, 'differences')
    name = os.path.basename(args.trace).removesuffix('.trace')
    folder = os.path.join(args.build, 'retrace', name)
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def compare(ours, theirs, names, args):
    """Compares pictures and prints a row for each.  Returns the number of pictures that exceed
    the tolerance."""
    differences = difference_folder(args)
    written = 0
    within, percent = OTHER_DRIVER if args.against else EXACT
    within = within if args.within is None else args.within
    percent = percent if args.share is None else args.share
    bad = 0
    worst = None
    for name in names:
        reference = os.path.join(theirs, name)
        if not os.path.exists(reference):
            print(f'{name}: not in {theirs}')
            bad += 1
            continue
        result = Difference(os.path.join(ours, name), reference, within)
        good = result.same * 100 >= percent
        bad += not good
        if worst is None or result.same < worst.same:
            worst = result
        print(f'{name}: {result.text()}' +
              (f' within {within}' if result.picture else '') +
              ('' if good else '  <-- differs'), flush=True)
        if result.pixels and result.picture:
            make_folder(differences)
            result.picture.save(os.path.join(differences, name))
            written += 1
    print(f'{len(names)} pictures, {bad} differ' + (
        f'; in the worst picture, {worst.same * 100:.4f} % of the pixels are within '
        f'{within}/255' if worst else ''))
    if written:
        say(f'pictures of the differences are in {differences}')
    return bad


def check_settings(trace, env, args, wanted):
    """Replays the trace with each setting.  Returns the number of settings that change the
    pictures."""
    bad = 0
    for name, variables in settings():
        if variables is None:
            print(f'skipped: {name}, which this machine does not have')
            continue
        hashes = replay_hashes(trace, dict(env, **variables), args.frames,
                               args.timeout)
        other = [str(frame) for frame in wanted if hashes[frame] != wanted[frame]]
        print(f'{name}: ' + (f'OTHER PICTURES in frame {", ".join(other)}'
                             if other else 'the same pictures'), flush=True)
        bad += bool(other)
    return bad


def print_times(trace, env, args):
    last = len(trace.frames) - 1
    if args.frames and args.frames != (last, last):
        fail(f'--loop repeats the last frame, {last}; `sgpu trace` with '
             '--frames makes a trace that ends with a different one')
    trace.numbers((last, last))
    with tempfile.TemporaryDirectory() as folder:
        times = replay_times(without_tail(trace, folder), env, args.loop, args.timeout)
    median = statistics.median(times)
    if args.times:
        for time in times:
            print(f'{time:.3f}')
    print(f'frame {last}, {len(times)} times: median {median:.3f} ms, '
          f'{1000 / median:.1f} frames per second '
          f'({min(times):.3f} to {max(times):.3f} ms)')


def print_frames(trace):
    print(f'{trace.path}: {trace.api.upper()}, {len(trace.frames)} frames')
    for number, (first, last) in enumerate(trace.frames):
        print(f'{number:6} calls {first}-{last}')


USAGE = ('sgpu retrace F.trace [OPTION...]   '
         '(sgpu retrace --help tells more)')


def parse_args():
    parser = argparse.ArgumentParser(prog='sgpu retrace', allow_abbrev=False,
                                     add_help=False, usage=USAGE)
    parser.add_argument('trace')
    parser.add_argument('--build', required=True)
    parser.add_argument('--environment', required=True)
    parser.add_argument('--frames', type=parse_frames)
    parser.add_argument('--calls')
    parser.add_argument('--snapshots')
    parser.add_argument('--hash', action='store_true')
    parser.add_argument('--settings', action='store_true')
    parser.add_argument('--compare')
    parser.add_argument('--against', choices=('llvmpipe', 'softpipe'))
    parser.add_argument('--differences')
    parser.add_argument('--within', type=int)
    parser.add_argument('--share', type=float)
    parser.add_argument('--loop', type=int)
    parser.add_argument('--times', action='store_true')
    parser.add_argument('--driver', default=OURS,
                        choices=(OURS, 'llvmpipe', 'softpipe'))
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--timeout', type=float, default=600)
    args = parser.parse_args()
    if args.compare and args.against:
        parser.error('--compare and --against cannot be combined')
    if args.calls and args.frames:
        parser.error('--calls and --frames cannot be combined')
    if args.calls and (args.settings or args.hash):
        parser.error('--hash and --settings cannot be combined with --calls')
    if args.loop is not None and args.loop < 1:
        parser.error('--loop needs a positive number')
    if args.compare and not os.path.isdir(args.compare):
        fail(f'{args.compare} is not a folder; --snapshots makes one')
    return args


def main():
    args = parse_args()
    trace = open_trace(args.trace)
    if args.list:
        print_frames(trace)
        return 0
    envs = {driver: environment_of(driver, args.environment)
            for driver in {args.driver, args.against} - {None}}
    for driver, env in envs.items():
        check_driver(driver, env)
    env = envs[args.driver]
    if args.loop:
        print_times(trace, env, args)
        return 0

    bad = 0
    hashes = {}
    with contextlib.ExitStack() as stack:
        if args.snapshots or args.compare or args.against:
            ours = (make_folder(args.snapshots) if args.snapshots else
                    stack.enter_context(tempfile.TemporaryDirectory()))
            names = replay_pictures(trace, env, ours, args.frames, args.calls,
                                    args.timeout)
            if args.snapshots:
                say(f'{len(names)} pictures in {ours}')
            if not args.calls:
                hashes = {int(name[6:-4]): hash_of_picture(
                    os.path.join(ours, name)) for name in names}
            theirs = args.compare
            if args.against:
                theirs = stack.enter_context(tempfile.TemporaryDirectory())
                replay_pictures(trace, envs[args.against], theirs, args.frames,
                                args.calls, args.timeout)
            if theirs:
                bad += compare(ours, theirs, names, args)
        else:
            hashes = replay_hashes(trace, env, args.frames, args.timeout)
        if args.hash:
            for frame, text in hashes.items():
                print(f'{frame} {text}')
        if args.settings:
            bad += check_settings(trace, env, args, hashes)
        elif not (args.hash or args.snapshots or args.compare or args.against):
            say(f'{len(hashes)} frames replayed; --snapshots, --hash, '
                '--against or --loop do something with them')
    return 1 if bad else 0


if __name__ == '__main__':
    try:
        sys.exit(main())
    except (ReplayError, limited.Late, OSError) as error:
        fail(error)
