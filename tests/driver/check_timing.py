#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks live timing (SGPU_TIMING).  Times and counters do not depend on threads, policies and
flags.  Frames take the cycles that `sgpu sim` finds in a capture of the same run.  The HUD
shows the counters of each frame.  A program with a wrong value of the variable runs without
timing.

usage: check_timing.py SGPU SGPU-SIM TIMING-PROGRAM FRAMES-PROGRAM"""

import csv
import json
import os
import subprocess
import sys
import tempfile

RUNS = (
    {'SGPU_THREADS': '1', 'SGPU_DISPATCH': 'inorder'},
    {'SGPU_THREADS': '4', 'SGPU_DEBUG': 'tc'},
    {'SGPU_THREADS': '4', 'SGPU_TIMING': 'g80,wait', 'SGPU_DISPATCH': 'ooo'},
)
WRONG = (('nothing', 'no configuration nothing'),
         ('micro32', 'chip.model=g80'),
         ('g80,chip.tpc=3', 'the nearest is chip.tpcs'),
         ('g80,slowly', '"slowly"'))


def run(sgpu, program, *arguments, **env):
    return subprocess.run([sgpu, 'run', '--', program, *arguments], check=True, encoding='utf-8',
                          env=dict(os.environ, **env), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def check_runs(sgpu, program):
    first = None
    for env in RUNS:
        result = run(sgpu, program, **dict({'SGPU_TIMING': 'g80'}, **env))
        if first is None:
            first = result.stdout
        elif result.stdout != first:
            sys.exit(f'{env}:\n{result.stdout}\n{RUNS[0]}:\n{first}')
    slow = run(sgpu, program, SGPU_TIMING='g80,chip.core_mhz=300').stdout
    if slow == first:
        sys.exit('a chip of half the clock takes the same time')


def check_wrong(sgpu, program):
    for value, text in WRONG:
        result = run(sgpu, program, 'off', SGPU_TIMING=value)
        if text not in result.stderr or 'there is no timing' not in result.stderr:
            sys.exit(f'SGPU_TIMING={value}: {result.stderr}')


def check_frames(sgpu, sim, program, folder):
    capture, log = os.path.join(folder, 'f.sgcap'), os.path.join(folder, 'log.csv')
    env = {k: v for k, v in os.environ.items() if k not in ('DISPLAY', 'EGL_PLATFORM')}
    subprocess.run([sgpu, 'run', '--', program, 'frames'], check=True,
                   env=dict(env, SGPU_CAPTURE=capture, SGPU_TIMING=f'g80,log={log}'))
    result = subprocess.run([sim, '--config', 'g80', '--no-cpu-writes', '--json', '-', '--quiet',
                             capture], check=True, stdout=subprocess.PIPE)
    offline = [f['cycles'] for f in json.loads(result.stdout)['points'][0]['frames']]
    frames = [[]]
    with open(log, encoding='utf-8') as f:
        for row in csv.DictReader(f):
            if row['error']:
                sys.exit(f'{row}')
            frames[-1].append(int(row['cycles']))
            if row['cause'] == 'frame':
                frames.append([])
    frames.pop()
    if len(frames) != len(offline):
        sys.exit(f'{len(frames)} frames in the log, {len(offline)} in the capture')
    # A frame has several segments if the program waits within the frame; compare the others.
    whole = [(live[0], cycles) for live, cycles in zip(frames, offline) if len(live) == 1]
    if len(whole) < 5 or any(live != cycles for live, cycles in whole):
        sys.exit(f'live and offline: {whole}')


def check_hud(sgpu, program, folder):
    dumps = os.path.join(folder, 'hud')
    os.mkdir(dumps)
    env = {k: v for k, v in os.environ.items() if k not in ('DISPLAY', 'EGL_PLATFORM')}
    subprocess.run([sgpu, 'run', '--', program, 'frames'], check=True,
                   env=dict(env, SGPU_TIMING='g80', GALLIUM_HUD='sgpu-front-draws,sgpu-sm-busy',
                            GALLIUM_HUD_VISIBLE='false', GALLIUM_HUD_PERIOD='0',
                            GALLIUM_HUD_DUMP_DIR=dumps))
    values = {}
    for name in os.listdir(dumps):
        with open(os.path.join(dumps, name), encoding='utf-8') as f:
            values[name] = [float(line) for line in f]
    if set(values.get('sgpu_front_draws', [])) != {40}:
        sys.exit(f'frames of 40 draws: {values}')
    if not all(0 < busy <= 100 for busy in values['sgpu_sm_busy']):
        sys.exit(f'{values}')


def main():
    sgpu, sim, timing, frames = sys.argv[1:5]
    check_runs(sgpu, timing)
    check_wrong(sgpu, timing)
    with tempfile.TemporaryDirectory() as folder:
        check_frames(sgpu, sim, frames, folder)
        check_hud(sgpu, frames, folder)


if __name__ == '__main__':
    main()
