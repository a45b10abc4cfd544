#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces and cycles are the recorded ones, on every host.

usage: check_results.py TOOL results.txt FOLDER-OF-CAPTURES [--write]

A line of results.txt: capture, machine, frame, hash of the trace, cycles, accelerator cycles
with a slice.  --write records anew: only with a change of the model that is understood.
"""

import json
import os
import shlex
import subprocess
import sys

CAPTURES = 'gears', 'geometry', 'samples8', 'window'
MACHINES = {
    'default': [],
    'micro32': ['--config', 'micro32', '--set', 'fetch.split=height', '--set',
                'breaking.rule=paper'],
    'dram': ['--config', 'micro32-dram'],
    'modern': ['--config', 'modern'],
}


def results(tool, folder):
    wrapper = shlex.split(os.environ.get('SGPU_WRAPPER', ''))
    for capture in CAPTURES:
        for machine, options in MACHINES.items():
            text = subprocess.run([*wrapper, tool, '--json', '-', *options,
                                   os.path.join(folder, capture + '.sgcap')],
                                  stdout=subprocess.PIPE, check=True).stdout
            data = json.loads(text)
            for facts, r in zip(data['frames'], data['points'][0]['frames'], strict=True):
                yield (f"{capture} {machine} {facts['frame']} {facts['trace']} {r['cycles']} "
                       f"{r['work']}")


def main():
    tool, path, folder = sys.argv[1:4]
    lines = list(results(tool, folder))
    if sys.argv[4:] == ['--write']:
        with open(path, 'w', encoding='ascii') as f:
            f.write('\n'.join(lines) + '\n')
        return
    with open(path, encoding='ascii') as f:
        recorded = f.read().splitlines()
    wrong = [f'{a}, recorded: {b}' for a, b in zip(lines, recorded) if a != b]
    if wrong or len(lines) != len(recorded):
        sys.exit('\n'.join(wrong) + f'\n{len(lines)} results, {len(recorded)} recorded')
    print(f'{len(lines)} results')


if __name__ == '__main__':
    main()
