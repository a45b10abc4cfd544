#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs frames of captures on the Tesla chip, and checks conditions that must hold in each frame.

usage: check_chip.py SGPU-SIM FOLDER CAPTURE...

SGPU_WRAPPER  command that runs programs of another host."""

import csv
import io
import json
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'sim'))
from checks import expect as same  # noqa: E402
from checks import fail, run  # noqa: E402


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
    """Returns the number of a unit of this kind, or None for a unit of another kind."""
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
        # The run ends at a core cycle, which can be within a cycle of the unit.
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
    """Tests --verify: the picture with the chip's order is proved, and what cannot be followed
    is named."""
    paths = {os.path.basename(c): c for c in captures}
    options = ['--config', 'g80', '--quiet', '--verify']
    text = run(tool, *options, '--json', '-', paths['gears.sgcap']).stdout
    for frame in json.loads(text)['points'][0]['frames']:
        same(frame['verify']['proved'] and frame['verify']['values'], True, 'gears: --verify')
    text = run(tool, *options, '--sweep', 'chip.tpcs=1,3', paths['gears.sgcap']).stdout
    if '4 of 4 runs verified' not in text:
        fail(text)
    text = run(tool, '--config', 'ga104', *options[2:], paths['gears.sgcap']).stdout
    if '2 of 2 runs verified' not in text:
        fail(text)
    what = run(tool, *options, paths['grids.sgcap'], status=1).stderr
    if not re.search(r'frame \d+: --verify: submission \d+, packet \d+ is a grid', what):
        fail(what)


def total(rows, name):
    """Returns the sum of each state of a class over rows of JSON."""
    states = {}
    for row in rows:
        for state, cycles in row['stack'].get(name, {}).items():
            states[state] = states.get(state, 0) + cycles
    return states


def check_draws(frame):
    """Shares and stacks of draws must add up to those of the frame."""
    rows = frame['stacks'] + [frame['rest']]
    same(len(frame['stacks']), frame['operations'], 'operations')
    same(sum(row['cycles'] for row in rows), frame['cycles'], 'shares')
    latest = 0
    for draw in frame['stacks']:
        same(draw['cycles'], max(draw['end'] - latest, 0), 'a share')
        latest = max(latest, draw['end'])
    for name, c in frame['classes'].items():
        for row in rows if c['mhz'] == frame['classes']['host']['mhz'] else ():
            same(sum(row['stack'].get(name, {}).values()), row['cycles'] * c['units'], name)
        same([s for s in c['work'] + [c['idle']] if s not in c['states']], [], f'states of {name}')
    units = frame['units']
    core = 'sm' if 'sm' in frame['classes'] else 'eu'
    for name, prefix, key in ((core, core, 'states'), ('gddr', 'gddr.', 'bus'),
                              ('rop-switch', 'rop-switch', 'states'), ('tex', 'tex', 'front')):
        states = {s: sum(u[key][s] for n, u in units.items() if n.startswith(prefix))
                  for s in frame['classes'][name]['states']}
        same(total(rows, name), {s: n for s, n in states.items() if n}, f'the stacks of {name}')
        same(total([frame['total']], name), total(rows, name), f'the total of {name}')
    same(sum(row['counters'].get('pixel-warps', 0) for row in rows),
         units['distribution']['pixel-warps'], 'pixel warps of draws')
    over_time = frame['over_time']
    length = -(-frame['cycles'] // over_time['interval'])
    for name, states in over_time['classes'].items():
        for state, values in states.items():
            same(len(values), length, f'intervals of {name}.{state}')
            same(sum(values), total(rows, name)[state], f'{name}.{state} over time')


def check_files(tool, folder, capture, frames):
    """The CSV files must have the numbers of the JSON, and the timeline must have the
    operations."""
    paths = {n: os.path.join(folder, n) for n in ('csv', 'csv-draws', 'csv-intervals', 'timeline')}
    run(tool, '--config', 'g80', '--quiet', '--force', capture,
        *[w for n, path in paths.items() for w in ('--' + n, path)])
    tables = {}
    for name in list(paths)[:3]:
        with open(paths[name], encoding='utf-8', newline='') as f:
            tables[name] = list(csv.DictReader(f, restkey='rest of the row', restval=None))
        for row in tables[name]:
            if None in row.values() or 'rest of the row' in row:
                fail(f'--{name}: a row has not as many cells as the titles')
    same(len(tables['csv']), len(frames), 'rows of frames')
    for frame, row in zip(frames, tables['csv']):
        rows = frame['stacks'] + [frame['rest']]
        for key in 'frame', 'cycles', 'sm_cycles', 'ns', 'warps', 'pixels', 'triangles':
            same(int(row[key]), frame[key], f'--csv: {key}')
        for name, c in frame['classes'].items():
            for state in c['states']:
                same(int(row[f'{name}.{state}']), total(rows, name).get(state, 0),
                     f'--csv: {name}.{state}')
        of_frame = [r for r in tables['csv-draws'] if r['frame'] == row['frame']]
        same(len(of_frame), len(rows), 'rows of draws')
        for draw, cells in zip(rows, of_frame):
            same(cells['kind'], draw.get('kind', 'rest'), 'the kind of an operation')
            same(int(cells['cycles']), draw['cycles'], 'the share of an operation')
            same(int(cells['sm.idle']), draw['stack'].get('sm', {}).get('idle', 0), 'sm.idle')
        of_frame = [r for r in tables['csv-intervals'] if r['frame'] == row['frame']]
        same(sum(int(r['cycles']) for r in of_frame), frame['cycles'], 'intervals')
        same(sum(int(r['sm.idle']) for r in of_frame), int(row['sm.idle']), 'sm.idle over time')
    with open(paths['timeline'], encoding='utf-8') as f:
        events = json.load(f)['traceEvents']
    for frame in frames:
        mine = [e for e in events if e['pid'] == frame['frame']]
        slices = [e for e in mine if e['ph'] == 'X']
        operations = [e for e in slices if 'share' in e['args']]
        same(sorted((e['ts'], e['ts'] + e['dur'], e['args']['share']) for e in operations),
             sorted((d['begin'], d['end'], d['cycles']) for d in frame['stacks']), 'operations')
        tracks = {e['tid']: e['args']['name'] for e in mine if e.get('name') == 'thread_name'}
        for track, name in tracks.items():
            spans = sorted((e['ts'], e['ts'] + e['dur']) for e in slices if e['tid'] == track)
            for (_, end), (begin, _) in zip(spans, spans[1:]):
                if begin < end:
                    fail(f'slices of {name} overlap')
            if '(' in name:
                same(sum(end - begin for begin, end in spans), frame['cycles'], name)


def check_sweep(tool, capture):
    """Points of a sweep must equal single runs, with any number of threads."""
    options = ['--config', 'g80', '--quiet', '--json', '-', '--draws', '--over-time']
    sweep = run(tool, *options, '--sweep', 'chip.tpcs=8,3', '--threads', '3', capture).stdout
    for point in json.loads(sweep)['points']:
        tpcs = point['changes']['chip.tpcs']
        alone = run(tool, *options, '--set', f'chip.tpcs={tpcs}', capture).stdout
        same(json.loads(alone)['points'][0]['frames'] == point['frames'], True, f'{tpcs} TPCs')
    table = run(tool, '--config', 'g80', '--sweep', 'chip.tpcs=8,3', '--csv', '-', capture).stdout
    same([row['chip.tpcs'] for row in csv.DictReader(io.StringIO(table))], ['8', '3'],
         'points of the CSV')
    text = run(tool, '--config', 'g80', '--sweep', 'chip.tpcs=8,3', capture).stdout.split('\n')
    same(text[0].split()[:2] + text[1].split()[:1], ['chip.tpcs', 'frame', '8'], 'the table')


def check_text(tool, capture):
    people = run(tool, '--config', 'g80', '--draws', capture).stdout
    for words in 'core cycles', 'sm (16)', 'after the last end', 'over time':
        if words not in people:
            fail(f'the text has no "{words}":\n{people}')
    mixed = ['--config', 'g80', '--sweep', 'chip.core=sm,eu', capture]
    what = run(tool, *mixed, '--csv', '-', status=2).stderr
    if 'chip.core is not the same at all points' not in what:
        fail(what)
    lines = run(tool, *mixed).stdout.split('\n')
    same([line.split()[0] for line in lines[:3]], ['chip.core', 'sm', 'eu'], 'points of the table')


def check_bench(tool, capture):
    """The cycles of `sgpu bench sim` must be those of a run that reports more."""
    frames = json.loads(run(tool, '--config', 'g80', '--json', '-', capture).stdout)
    lines = run(tool, '--bench', '--config', 'g80', capture).stdout.split('\n')[2:]
    for frame, line in zip(frames['points'][0]['frames'], lines):
        same(line.split()[:4], [os.path.basename(capture)] + [
            str(frame[key]) for key in ('frame', 'cycles', 'sm_cycles')], 'a row of the benchmark')
        if not all(float(cell) > 0 for cell in line.split()[5:7]):
            fail(f'the benchmark says {line}')


def main():
    tool, folder, captures = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(folder, exist_ok=True)
    for capture in captures:
        for config in 'g80', 'via-g80':
            options = ['--config', config, '--quiet', '--json', '-']
            text = run(tool, *options, capture).stdout
            frames = json.loads(text)['points'][0]['frames']
            for frame in frames:
                check_frame(frame)
                check_draws(frame)
                if config == 'via-g80':
                    check_execution_units(frame)
            if config == 'g80':
                check_files(tool, folder, capture, frames)
            shuffled = run(tool, *options, '--shuffle-units', '9', '--threads', '3', capture).stdout
            same(shuffled == text, True, f'{config} {capture}: shuffled units')
    check_verify(tool, captures)
    frames = json.loads(run(tool, '--config', 'ga104', '--quiet', '--json', '-',
                            captures[0]).stdout)['points'][0]['frames']
    for frame in frames:
        check_frame(frame)
    check_sweep(tool, captures[1])
    check_text(tool, captures[1])
    check_bench(tool, captures[1])


if __name__ == '__main__':
    main()
