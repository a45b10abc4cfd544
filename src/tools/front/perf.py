#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sgpu perf: profiles a program or a capture (src/tools/front/perf.sh has the help)."""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import perf_flame
import perf_report
import perf_sums
from gl_common import fail, say

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
GRACE = 5.0  # time in seconds that a program has to end after SIGTERM


def parse():
    parser = argparse.ArgumentParser(prog='sgpu perf', add_help=False)
    parser.add_argument('--build', required=True)
    parser.add_argument('--seconds', type=float)
    parser.add_argument('--loops', type=int)
    parser.add_argument('--json')
    parser.add_argument('--flame')
    parser.add_argument('--keep')
    parser.add_argument('--read')
    parser.add_argument('--rows', type=int, default=15)
    parser.add_argument('--force', action='store_true')
    parser.add_argument('command', nargs=argparse.REMAINDER)
    args = parser.parse_args()
    if args.command and args.command[0] == '--':
        args.command = args.command[1:]
    if bool(args.command) == bool(args.read):
        fail('perf: expected a program, a capture, or --read FOLDER')
    for path in (args.json, args.flame):
        if path and path != '-' and os.path.exists(path) and not args.force:
            fail(f'{path} exists; --force replaces it')
    if args.keep and os.path.exists(args.keep) and not (args.force and os.path.isdir(args.keep)):
        fail(f'--keep {args.keep} exists' + ('; --force adds the files to it'
                                             if os.path.isdir(args.keep) else ''))
    if args.flame and not args.flame.endswith(('.html', '.svg', '.folded')):
        fail(f'--flame {args.flame}: expected a name that ends in .html, .svg or .folded')
    return args


def command_of(args):
    """Returns the command that runs the program or replays the capture."""
    if len(args.command) == 1 and args.command[0].endswith('.sgcap'):
        if not os.path.exists(args.command[0]):
            fail(f'{args.command[0]}: there is no such file')
        loops = args.loops or (1000000 - 1 if args.seconds else 20)
        return [os.path.join(args.build, 'src/tools/capture/sgpu-cap'), 'replay', '--loop',
                str(loops), *args.command]
    if args.loops:
        fail('perf: --loops is for captures')
    return [os.path.join(args.build, 'src/tools/run/sgpu-run'), '--no-require', '--',
            *args.command]


def run(args, folder):
    """Runs the command.  Returns its exit status."""
    env = dict(os.environ)
    options = [word for word in env.get('SGPU_DEBUG', '').split(',') if word]
    env['SGPU_DEBUG'] = ','.join(options + [f'profile={folder}'])
    capture = args.command[0].endswith('.sgcap')
    process = subprocess.Popen(command_of(args), env=env, start_new_session=True,
                               stdout=subprocess.DEVNULL if capture else None)

    def end(number, _):
        os.killpg(process.pid, number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    try:
        return process.wait(args.seconds)
    except subprocess.TimeoutExpired:
        pass
    # The session has the program and what it started.  The files are complete at any time.
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    time.sleep(0.2)
    return 0


def write(path, text):
    try:
        if path == '-':
            sys.stdout.write(text)
        else:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
    except OSError as error:
        fail(f'{path}: {error.strerror}')


def main():
    args = parse()
    folder, status = args.read, 0
    with tempfile.TemporaryDirectory(prefix='sgpu_samples_') as temporary:
        if not folder:
            folder = temporary
            if ',' in folder or ' ' in folder:
                fail(f'perf: TMPDIR: {os.path.dirname(folder)} has a comma or a space, which '
                     'SGPU_DEBUG cannot have in a name')
            os.chmod(folder, 0o700)
            status = run(args, folder)
        if not os.path.isdir(folder):
            fail(f'{folder}: there is no such folder')
        try:
            report = perf_report.Report(folder, perf_sums.Symbols(TOP, args.build), args.rows)
        except ValueError as error:
            fail(str(error))
        if not report.processes:
            fail('no process has used OpenGL of sgpu (sgpu doctor says why)')
        if args.keep:
            try:
                shutil.copytree(folder, args.keep, dirs_exist_ok=args.force)
            except (OSError, shutil.Error) as error:
                fail(f'--keep {args.keep}: {error}')
        table = report.text()
        if args.json != '-':
            sys.stdout.write(table)
        if args.json:
            write(args.json, json.dumps(report.json(), indent=1) + '\n')
        if args.flame:
            stacks = report.sums.stacks
            text = (perf_flame.svg(stacks) if args.flame.endswith('.svg')
                    else perf_flame.folded(stacks) if args.flame.endswith('.folded')
                    else perf_flame.page(stacks, report.title(), table))
            write(args.flame, text)
            say(f'{args.flame}: the flame graph')
    sys.exit(status)


if __name__ == '__main__':
    main()
