#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Simulates a program with several phases, sampled, and compares the result with all of its frames
and with another sampled run.  Also simulates the last frame of each other capture without the
frames before it: the frame must take the same cycles as in a full run, even if data that it
needs are in no buffer list.

usage: check_sample.py SGPU-SIM CAPTURE OTHER...

SGPU_WRAPPER  command that runs programs of another host."""

import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'sim'))
from checks import expect as same  # noqa: E402
from checks import fail, run  # noqa: E402


def check_sample(sample, cycles, limit):
    """Frames must have the same cycles as in a full run, and the estimate must be as good as
    claimed."""
    for frame in sample['sample']:
        same(frame['cycles'], cycles[frame['frame']], f'cycles of frame {frame["frame"]}')
    same(sample['frames'], len(cycles), 'frames')
    same(len(sample['sample']), sample['simulated'], 'simulated frames')
    same(sum(s['frames'] for s in sample['strata']), len(cycles), 'frames of strata')
    same(sum(s['cycles'] for s in sample['strata']), sample['cycles'], 'cycles of strata')
    if sample['simulated'] * 4 > len(cycles):
        fail(f'{sample["simulated"]} of {len(cycles)} frames are no sample')
    share = sum(sample['stack']['host'].values()) / sample['cycles']
    if not 0.999 < share <= 1:
        fail(f'states of the host interface are {share} of the cycles')
    error = abs(sample['cycles'] - sum(cycles.values()))
    if error > sample['error'] or sample['error'] > limit * sample['cycles']:
        fail(f'{sample["cycles"]} +- {sample["error"]}, and it is {sum(cycles.values())}')


def main():
    tool, capture, *others = sys.argv[1:]
    options = ['--config', 'g80', '--quiet', '--json', '-']
    full = json.loads(run(tool, *options, capture).stdout)['points'][0]['frames']
    cycles = {frame['frame']: frame['cycles'] for frame in full}

    sampled = [*options, '--sample']
    every = json.loads(run(tool, *sampled, '--sample-frames', 'all', capture).stdout)
    same(every['cycles'], sum(cycles.values()), 'cycles of all frames')
    same({f['frame']: f['cycles'] for f in every['sample']}, cycles, 'frames')
    same(every['error'], 0, 'error of all frames')
    for unit in 'host', 'transfer':
        same(sum(every['stack'][unit].values()), every['cycles'], f'states of {unit}')

    text = run(tool, *sampled, '--threads', '1', capture).stdout
    check_sample(json.loads(text), cycles, 0.01)
    other = run(tool, *sampled, '--threads', '3', '--shuffle-units', '5', capture).stdout
    same(other == text, True, 'another number of threads')
    seeded = json.loads(run(tool, *sampled, '--sample-seed', '9', capture).stdout)
    check_sample(seeded, cycles, 0.01)
    if seeded['sample'] == json.loads(text)['sample']:
        fail('another seed has the same frames')

    last = max(cycles)
    part = json.loads(run(tool, *sampled, '--sample-frames', '4', '--frame', f'{last - 7}-{last}',
                          capture).stdout)
    same([part['frames'], part['simulated']], [8, 4], 'frames of a part')
    for frame in part['sample']:
        same(frame['cycles'], cycles[frame['frame']], 'a frame whose predecessors did not run')

    csv = run(tool, '--config', 'g80', '--quiet', '--sample', '--csv', '-', capture).stdout
    rows = [row.split(',') for row in csv.splitlines()[1:]]
    same([int(row[0]) for row in rows], sorted(cycles), 'frames of --csv')
    same(sum(row[4] != '' for row in rows), json.loads(text)['simulated'], 'cycles in --csv')

    for other in others:
        full = json.loads(run(tool, *options, other).stdout)['points'][0]['frames'][-1]
        alone = run(tool, '--config', 'g80', '--json', '-', '--sample', '--frame',
                    str(full['frame']), other)
        same(json.loads(alone.stdout)['cycles'], full['cycles'], f'{other}: last frame alone')
        same('all are replayed' in alone.stderr, 'carried' in other, f'{other}: {alone.stderr}')

    for refused, why, status in (
            (['--sweep', 'chip.tpcs=1,2'], 'it cannot be used with --sweep', 2),
            (['--draws'], 'it supports only text, --json and --csv', 2),
            (['--verify'], 'it cannot be used with --verify', 2),
            (['--sample-error', '1'], 'expected a percentage', 2),
            (['--sample-error', '0%'], 'expected a percentage', 2),
            (['--sample-frames', '0'], 'expected a number from 1 on', 2),
            (['--set', 'chip.model=engine'], 'it needs chip.model=g80', 2),
            (['--frame', str(last + 1)], 'none of those that --frame names', 1)):
        what = run(tool, *sampled, *refused, capture, status=status).stderr
        if why not in what:
            fail(f'{refused}: {what}')
    for alone in ['--sample-seed', '3'], ['--sample-frames', '3'], ['--sample-error', '2%']:
        what = run(tool, *options, *alone, capture, status=2).stderr
        if 'it needs --sample' not in what:
            fail(f'{alone}: {what}')


if __name__ == '__main__':
    main()
