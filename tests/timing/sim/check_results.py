#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that traces and cycles are the recorded ones on every host.

usage: check_results.py engine|chip TOOL results.txt FOLDER-OF-CAPTURES [--write]

A line of results.txt has: capture, machine, frame, hash of the trace, cycles.  For the engine of
1999, the accelerator cycles with a slice follow; for the Tesla chip, the cycles of the SM clock.
--write records the results again, which requires an understood change of the model."""

import json
import os
import shlex
import subprocess
import sys

ENGINES = {
    'default': [],
    'micro32': ['--config', 'micro32', '--set', 'fetch.split=height', '--set',
                'breaking.rule=paper'],
    'dram': ['--config', 'micro32-dram'],
    'modern': ['--config', 'modern'],
}


CHIPS = {
    'g80': ['--config', 'g80'],
    'g80-one': ['--config', 'g80', '--set', 'chip.tpcs=1'],
    'g80-small': ['--config', 'g80', '--set', 'texture.sets=2', '--set', 'l2.sets=4', '--set',
                  'rop.cache_sets=2', '--set', 'sm.icache_bytes=512', '--set',
                  'sm.const_bytes=512'],
}

# Captures for each machine.
SETS = {
    'engine': (ENGINES, dict.fromkeys(ENGINES, ('gears', 'geometry', 'samples8', 'window'))),
    'chip': (CHIPS, {'g80': ('gears', 'geometry', 'grids', 'patches', 'samples8', 'stores'),
                     'g80-one': ('gears', 'grids'),
                     'g80-small': ('gears', 'geometry', 'stores')}),
}


def run(tool, options, capture):
    wrapper = shlex.split(os.environ.get('SGPU_WRAPPER', ''))
    text = subprocess.run([*wrapper, tool, '--quiet', '--json', '-', *options, capture],
                          stdout=subprocess.PIPE, check=True).stdout
    data = json.loads(text)
    results = data['points'][0]['frames']
    # Data of a frame that do not depend on the point are next to the points, or in the frames of
    # each.
    return zip(data.get('frames', results), results, strict=True)


def results(name, tool, folder):
    machines, captures = SETS[name]
    second = 'work' if name == 'engine' else 'sm_cycles'
    for capture in dict.fromkeys(c for names in captures.values() for c in names):
        for machine, options in machines.items():
            if capture not in captures[machine]:
                continue
            for facts, r in run(tool, options, os.path.join(folder, capture + '.sgcap')):
                yield (f"{capture} {machine} {facts['frame']} {facts['trace']} {r['cycles']} "
                       f"{r[second]}")


def main():
    name, tool, path, folder = sys.argv[1:5]
    lines = list(results(name, tool, folder))
    if sys.argv[5:] == ['--write']:
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
