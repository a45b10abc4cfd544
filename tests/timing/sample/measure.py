#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the table of docs/sampling.md: captures in full and sampled, with seconds of CPU time.

usage: measure.py SGPU-SIM CAPTURE[:A-B]...

A-B: frames, as in --frame.  Full runs take minutes to hours."""

import json
import os
import resource
import subprocess
import sys


def run(tool, capture, frames, *options):
    """Returns the JSON of a run, and its CPU time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run([tool, '--config', 'g80', '--threads', '1', '--quiet', '--json', '-',
                           '--sample', *(['--frame', frames] if frames else []), *options, capture],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(text), (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tool = sys.argv[1]
    print('| program | frames | cycles | s | sampled | estimate | error % | interval % | s | faster |')
    print('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |')
    for argument in sys.argv[2:]:
        capture, _, frames = argument.partition(':')
        sample, seconds = run(tool, capture, frames)
        full, all_seconds = run(tool, capture, frames, '--sample-frames', 'all')
        cycles = full['cycles']
        name = os.path.basename(capture).removesuffix('.sgcap')
        print(f'| {name} | {full["frames"]} | {cycles} | {all_seconds:.1f} | '
              f'{sample["simulated"]} | {sample["cycles"]} | '
              f'{100 * (sample["cycles"] / cycles - 1):+.2f} | '
              f'{100 * sample["error"] / sample["cycles"]:.2f} | {seconds:.2f} | '
              f'{all_seconds / seconds:.0f} |', flush=True)


if __name__ == '__main__':
    main()
