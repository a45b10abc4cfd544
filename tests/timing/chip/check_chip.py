#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs frames of captures on the Tesla chip and checks what must hold in each.

usage: check_chip.py SGPU-SIM FOLDER CAPTURE...

SGPU_WRAPPER  what runs programs of another host.
"""

import json
import os
import re
import subprocess
import sys


def fail(text):
    sys.exit(f'check_chip: {text}')


def same(a, b, what):
    if a != b:
        fail(f'{what}: {a} is not {b}')


def run(tool, *options, status=0):
    wrapper = os.environ.get('SGPU_WRAPPER', '').split()
    result = subprocess.run([*wrapper, tool, *options], capture_output=True, text=True, check=False)
    if result.returncode != status:
        fail(f'{options}: status {result.returncode}, not {status}\n{result.stderr}')
    return result


def check_frame(frame):
    units = frame['units']
    cycles = frame['cycles']
    for name, unit in units.items():
        for key in 'states', 'vertex-states', 'pixel-states', 'grid-states':
            states = unit.get(key)
            if states and name in ('host', 'assembler', 'distribution', 'setup', 'coarse', 'zcull',
                                   'fine', 'early', 'transfer'):
                same(sum(states.values()), cycles, f'{name}.{key}')
    dist, fine, zcull = units['distribution'], units['fine'], units['zcull']
    same(zcull['pixels'], zcull['pixels-dropped'] + fine['pixels'], 'covered pixels')
    same(zcull['pixels'], units['coarse']['pixels'], 'pixels of zcull')
    same(zcull['pixels'], frame['pixels'], 'pixels of the trace')
    for kind in 'vertex', 'pixel', 'grid':
        same(dist[f'{kind}-warps'], dist[f'{kind}-ended'], f'{kind} warps')
    outputs = [u for n, u in units.items() if n.startswith('output')]
    same(sum(o['warps'] for o in outputs), dist['pixel-warps'], 'warps of pixel outputs')
    same(units['front']['operations'], frame['operations'], 'operations')
    requests = (units['early']['requests'] +
                sum(o['depth-requests'] + o['color-requests'] for o in outputs))
    if dist['pixels-kept'] and not requests:
        fail('pixels are drawn, and none goes to a ROP')
    counters = sum(len(u) for u in units.values())
    if counters < 400:
        fail(f'{counters} counters')


def number(name, kind):
    """The number of a unit of a kind; None: it is of another."""
    return int(name[len(kind):]) if name.startswith(kind) and name[len(kind):].isdigit() else None


def check_execution_units(frame):
    units = frame['units']
    eus = {number(n, 'eu'): u for n, u in units.items() if number(n, 'eu') is not None}
    if not eus:
        fail('no execution units')
    dist = units['distribution']
    same(sum(e['warps'] for e in eus.values()),
         dist['vertex-warps'] + dist['pixel-warps'] + dist['grid-warps'], 'warps of the units')
    textures = [u for n, u in units.items() if number(n, 'tex') is not None]
    same(sum(e['samples'] for e in eus.values()), sum(t['responses'] for t in textures),
         'accesses of textures')
    for i, eu in eus.items():
        same(sum(eu['states'].values()), eu['cycles'], f'eu{i}: states')
        # The end is at a core cycle, which can be within one of the unit.
        if eu['cycles'] - frame['sm_cycles'] not in (0, 1):
            fail(f'eu{i}: {eu["cycles"]} cycles of {frame["sm_cycles"]}')
        same(eu['const_requests'], eu['const_hits'] + eu['const_misses'], f'eu{i}: constants')
        same(eu['const_requests'], eu['const_delivered'], f'eu{i}: constants delivered')
        same(eu['code_reads'], eu['code_hits'] + eu['code_misses'], f'eu{i}: code')
        same(eu['attr_requests'], eu['attr_delivered'], f'eu{i}: attributes')
        same(eu['memory_requests'], units['xbar.requests']['inputs'][str(i)], f'eu{i}: requests')
        same(eu['memory_requests'],
             eu['memory_reads'] + eu['memory_writes'] + eu['memory_atomics'] + eu['code_lines'] +
             eu['const_lines'], f'eu{i}: kinds of requests')


def check_verify(tool, captures):
    """The picture in the chip's order; what cannot be followed is named."""
    paths = {os.path.basename(c): c for c in captures}
    options = ['--config', 'g80', '--quiet', '--verify']
    text = run(tool, *options, '--json', '-', paths['gears.sgcap']).stdout
    for frame in json.loads(text)['points'][0]['frames']:
        same(frame['verify']['proved'] and frame['verify']['values'], True, 'gears: --verify')
    text = run(tool, *options, '--sweep', 'chip.tpcs=1,3', paths['gears.sgcap']).stdout
    same(len(re.findall(r'^frame \d, point [01]: verified: ', text, re.M)), 4, 'verified runs')
    what = run(tool, *options, paths['grids.sgcap'], status=1).stderr
    if not re.search(r'frame \d+: --verify: submission \d+, packet \d+ is a grid', what):
        fail(what)


def main():
    tool, folder, captures = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(folder, exist_ok=True)
    for capture in captures:
        for config in 'g80', 'via-g80':
            options = ['--config', config, '--quiet', '--json', '-']
            text = run(tool, *options, capture).stdout
            for frame in json.loads(text)['points'][0]['frames']:
                check_frame(frame)
                if config == 'via-g80':
                    check_execution_units(frame)
            shuffled = run(tool, *options, '--shuffle-units', '9', '--threads', '3', capture).stdout
            same(shuffled == text, True, f'{config} {capture}: shuffled units')
    check_verify(tool, captures)
    what = run(tool, '--config', 'g80', '--csv', os.path.join(folder, 'none.csv'), captures[0],
               status=2).stderr
    if '--csv: chip.model=g80 does not have it' not in what:
        fail(what)


if __name__ == '__main__':
    main()
