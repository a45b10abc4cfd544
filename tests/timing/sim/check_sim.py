#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs sgpu sim, and compares its outputs with each other and with conditions that must hold.

usage: check_sim.py TOOL SGPU-CAP FOLDER CAPTURE...

TOOL     sgpu-sim, or the tool with synthetic frames.
SGPU-CAP for messages about damaged captures; -: the frames are synthetic.
FOLDER   for files; it is emptied first.
CAPTURE  the tool's argument."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys

from checks import expect as same
from checks import fail, run


class Tool:
    def __init__(self, path, cap, folder, capture):
        self.path, self.cap, self.folder, self.capture = path, cap, folder, capture

    def file(self, name):
        return os.path.join(self.folder, name)

    def run(self, *options, status=0):
        return run(self.path, *options, status=status)

    def json(self, *options):
        text = self.run('--json', '-', *options, self.capture).stdout
        return json.loads(text), text


def check_sums(data):
    """Checks the sums that must hold in every result."""
    for point in data['points']:
        accelerators = point['accelerators']
        same(point['cycles'], sum(r['cycles'] for r in point['frames']), 'cycles of the point')
        for facts, r in zip(data['frames'], point['frames'], strict=True):
            total = r['cycles'] * accelerators
            same(sum(r['states'].values()), total, 'states of accelerators')
            same(r['states']['busy'] + r['states']['memory'], r['work'], 'busy accelerators')
            same(sum(r['fetch'].values()), r['cycles'], 'states of the fetch unit')
            same(sum(r['issue'].values()), r['cycles'], 'states of the issue unit')
            if total:
                same(round(r['utilisation'], 6), round(r['work'] / total, 6), 'utilisation')
            same(r['slices']['pixels'], facts['pixels'] + facts['transfer_pixels'], 'pixels')
            if 'over_time' not in r:
                continue
            interval = r['over_time']['interval']
            for state, values in r['over_time']['states'].items():
                same(sum(values), r['states'][state], f'{state} over time')
                same(len(values), -(-r['cycles'] // interval), 'intervals')
            for i in range(len(r['over_time']['states']['busy'])):
                length = min(interval, r['cycles'] - i * interval)
                same(sum(v[i] for v in r['over_time']['states'].values()), length * accelerators,
                     f'interval {i}')
            same(sum(n * i for i, n in enumerate(r['busy_cycles'])), r['work'], 'busy_cycles')
            same(sum(o['busy'] for o in r['operations']), r['work'],
                 'work of operations')
            same(sum(o['slices'] for o in r['operations']), r['slices']['slices'],
                 'slices of operations')
            same(len(r['operations']), facts['operations'], 'operations')


def check_text(tool):
    """Percentages in the text must add up to 100.0."""
    text = tool.run(tool.capture).stdout
    blocks = re.findall(r'accelerators are\n((?: {6}\S.*\n)+)', text)
    if not blocks:
        fail(f'no states in the text:\n{text}')
    for block in blocks:
        tenths = [int(a) * 10 + int(b) for a, b in re.findall(r'(\d+)\.(\d) %$', block, re.M)]
        same(sum(tenths), 1000, 'percentages')
    tool.run('--draws', '--over-time', tool.capture)
    if 'assumed' not in text:
        fail('the text does not count the assumed parameters')


def check_same(tool, options, plain):
    """The number of threads and the order of units must not matter."""
    for more in (['--threads', '1'], ['--threads', '2'], ['--threads', '4'],
                 ['--shuffle-units', '1'], ['--shuffle-units', '99', '--threads', '2']):
        same(tool.json(*options, *more)[1], plain, f'the JSON with {more}')


def check_sweep(tool):
    """Points of a sweep must equal single runs."""
    swept, _ = tool.json('--sweep', 'issue.accelerators=1..4*2,3', '--sweep',
                         'fetch.split=none,height', '--set', 'issue.window=2', '--draws',
                         '--over-time', '--threads', '2')
    values = [(p['changes']['issue.accelerators'], p['changes']['fetch.split'])
              for p in swept['points']]
    same(values, [(a, s) for a in (1, 2, 4, 3) for s in ('none', 'height')], 'points')
    check_sums(swept)
    for point in swept['points']:
        changes = point.pop('changes')
        single, _ = tool.json(*[w for k, v in changes.items() for w in ('--set', f'{k}={v}')],
                              '--set', 'issue.window=2')
        same(single['points'][0].pop('changes'), {}, 'changes of a single run')
        same(point, single['points'][0], f'the point {changes}')
    table = tool.run('--sweep', 'issue.accelerators=1,2', tool.capture).stdout
    same(len(re.findall(r'^[12] +\d+ +\d+ ', table, re.M)), 2 * len(swept['frames']),
         'rows of the table')
    # A single accelerator is busy in all cycles, or waits.
    one = swept['points'][0]['frames'][0]
    if one['tlp'] > 1:
        fail('more than one accelerator is busy')
    return swept


def check_params(tool, plain):
    text = tool.run('--list-params', '--set', 'issue.accelerators=7').stdout
    path = tool.file('listed.ini')
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)
    same(tool.json('--config', path)[1], tool.json('--set', 'issue.accelerators=7')[1],
         'the listed parameters')
    same(tool.json('--config', path, '--set', 'issue.accelerators=16')[1], plain, 'a --set after')
    with open(path, 'a', encoding='utf-8') as f:
        f.write('[issue]\nwindwo = 3\n')
    lines = text.count('\n') + 2
    error = tool.run('--config', path, tool.capture, status=2).stderr
    same(error, f'sgpu: sim: --config: {path}:{lines}: no key issue.windwo; the nearest is '
         'issue.window\n', 'the message')


def check_sensitivity(tool, plain):
    data, _ = tool.json('--sensitivity')
    check_sums(data)
    same(data['points'][0]['cycles'], plain['points'][0]['cycles'], 'the base')
    assumed = set(plain['points'][0]['assumed'])
    varied = set()
    for point in data['points'][1:]:
        (key, value), = point['changes'].items()
        section, name = key.split('.')
        before = plain['points'][0]['parameters'][section][name]
        if isinstance(value, int) and not isinstance(value, bool):
            half = -(-before // 2)
            if value not in (before - half, before + half):
                fail(f'{key}: {value} is not 50 % from {before}')
        varied.add(key)
    if not varied or not varied <= assumed:
        fail(f'{varied} are not the assumed keys {assumed}')
    text = tool.run('--sensitivity', tool.capture).stdout
    for key in assumed:
        if key not in text:
            fail(f'{key} is not in the text')


def check_timeline(tool, plain):
    path = tool.file('timeline.json')
    tool.run('--timeline', path, tool.capture)
    with open(path, encoding='utf-8') as f:
        events = json.load(f)['traceEvents']
    names = {(e['pid'], e['tid']): e['args']['name'] for e in events
             if e['ph'] == 'M' and e['name'] == 'thread_name'}
    tracks, counters = {}, {}
    for e in events:
        if e['ph'] == 'X':
            tracks.setdefault((e['pid'], e['tid']), []).append((e['ts'], e['dur']))
        elif e['ph'] == 'C':
            counters.setdefault((e['pid'], e['name']), []).append((e['ts'], e['args'][e['name']]))
    for track, slices in tracks.items():
        end = 0
        for begin, length in sorted(slices):
            if length < 1 or begin < end:
                fail(f'{names[track]}: a slice at {begin} overlaps, the previous one ends at {end}')
            end = begin + length
    for facts, r in zip(plain['frames'], plain['points'][0]['frames'], strict=True):
        frame = facts['frame']
        mine = {names[t]: s for t, s in tracks.items() if t[0] == frame}
        units = [n for (pid, _), n in names.items() if pid == frame]
        same(sorted(units), sorted(['fetch unit', 'issue unit'] +
                                   [f'accelerator {i}' for i in range(16)]), 'tracks')
        busy = [s for n, s in mine.items() if n.startswith('accelerator')]
        same(sum(d for s in busy for _, d in s), r['work'], 'cycles on the tracks')
        same(sum(len(s) for s in busy), r['slices']['slices'], 'slices on the tracks')
        same(sum(d for _, d in mine.get('issue unit', [])), r['issue']['issued'], 'issues')
        same(sum(d for _, d in mine.get('fetch unit', [])), r['fetch']['entered'], 'entries')
        # The area below the counter equals the work.
        points = sorted(counters[frame, 'busy accelerators'], key=lambda p: p[0])
        times = [p[0] for p in points] + [r['cycles']]
        area = sum((times[i + 1] - t) * value for i, (t, value) in enumerate(points))
        same(area, r['work'], 'the counter of busy accelerators')
        same(points[-1][1], 0, 'busy accelerators at the end')


def check_csv(tool, plain):
    paths = [tool.file(n) for n in ('frames.csv', 'draws.csv', 'intervals.csv')]
    tool.run('--csv', paths[0], '--csv-draws', paths[1], '--csv-intervals', paths[2], tool.capture)
    tables = []
    for path in paths:
        with open(path, encoding='utf-8') as f:
            tables.append(list(csv.DictReader(f, restkey='rest', restval=None)))
        if any('rest' in row or None in row.values() for row in tables[-1]):
            fail(f'{path}: a row with another number of cells')
    results = plain['points'][0]['frames']
    same([int(row['cycles']) for row in tables[0]], [r['cycles'] for r in results], 'cycles')
    same([int(row['busy']) for row in tables[1]],
         [o['busy'] for r in results for o in r['operations']], 'draws')
    same([int(row['busy']) for row in tables[2]],
         [v for r in results for v in r['over_time']['states']['busy']], 'intervals')
    same(sum(int(row['cycles']) for row in tables[2]), sum(r['cycles'] for r in results),
         'cycles of intervals')
    swept = tool.run('--csv', '-', '--sweep', 'issue.window=1,2', tool.capture).stdout
    rows = list(csv.DictReader(io.StringIO(swept)))
    same([row['issue.window'] for row in rows], ['1'] * len(results) + ['2'] * len(results),
         'the swept column')


def check_items(tool, plain):
    """Fewer items must give fewer slices; the operations keep their places."""
    facts = plain['frames']
    for items, kinds in (('triangles', ['triangles']),
                         ('primitives', ['triangles', 'lines', 'points'])):
        data, _ = tool.json('--set', f'fetch.items={items}')
        same(data['frames'], facts, 'facts')
        for f, r in zip(facts, data['points'][0]['frames'], strict=True):
            same(r['slices']['items'], sum(f[k] for k in kinds), f'items of {items}')
            same(len(r['operations']), f['operations'], 'operations')
            same(sum(r['states'].values()), r['cycles'] * data['points'][0]['accelerators'],
                 'states')


def check_bench(tool):
    text = tool.run('--bench', tool.capture).stdout.splitlines()
    if len(text) != 3 or float(text[2].split()[-1]) <= 0:
        fail(f'--bench prints {text}')


def check_frames(tool, plain):
    """Tests a single frame, and a frame that does not exist."""
    last = plain['frames'][-1]['frame']
    alone, _ = tool.json('--frame', str(last))
    same(alone['frames'], plain['frames'][-1:], 'facts of one frame')
    same(alone['points'][0]['frames'], plain['points'][0]['frames'][-1:], 'one frame alone')
    error = tool.run('--frame', '4000000', tool.capture, status=1).stderr
    if 'no such frame' not in error:
        fail(f'the message for a missing frame: {error}')


def check_outputs(tool):
    """Nothing may be overwritten, and no incomplete file may be left."""
    path = tool.file('kept.json')
    with open(path, 'w', encoding='utf-8') as f:
        f.write('kept')
    before = set(os.listdir(tool.folder))
    error = tool.run('--json', path, tool.capture, status=1).stderr
    same(error, f'sgpu: {path} exists; --force replaces it\n', 'the message')
    with open(path, encoding='utf-8') as f:
        same(f.read(), 'kept', 'the file')
    missing = tool.file('none/x.json')
    error = tool.run('--json', missing, tool.capture, status=1).stderr
    same(error, f'sgpu: {missing}: No such file or directory\n', 'the message')
    error = tool.run('--csv', tool.folder, tool.capture, status=1).stderr
    same(error, f'sgpu: {tool.folder}: it is a folder\n', 'the message')
    # If a run fails, new files are removed, and the old file stays.
    tool.run('--force', '--json', path, '--csv', tool.file('new.csv'), '--set', 'run.max_cycles=3',
             tool.capture, status=1)
    with open(path, encoding='utf-8') as f:
        same(f.read(), 'kept', 'the file')
    same(set(os.listdir(tool.folder)), before, 'files of failed runs')
    tool.run('--force', '--json', path, tool.capture)
    with open(path, encoding='utf-8') as f:
        json.load(f)


def check_damage(tool):
    """Tests captures that cannot be read; the messages are those of the reader."""
    error = tool.run(tool.file('none.sgcap'), status=1).stderr
    same(error, f"sgpu: {tool.file('none.sgcap')}: No such file or directory\n", 'the message')
    path = tool.file('damaged.sgcap')
    with open(tool.capture, 'rb') as f:
        whole = f.read()
    for data in (b'not a capture, but long enough for a header', whole[:len(whole) * 3 // 4],
                 whole[:200] + bytes([whole[200] ^ 1]) + whole[201:]):
        with open(path, 'wb') as f:
            f.write(data)
        out = tool.file('damaged.json')
        result = tool.run('--json', out, path, status=1)
        expected = subprocess.run([tool.cap, 'replay', path], capture_output=True, text=True,
                                  check=False).stderr.splitlines()[0]
        same(result.stderr.splitlines()[0], expected, 'the message')
        if os.path.exists(out):
            fail('a damaged capture has results')


def check_verified(tool):
    """The model's order must give the device's memory contents, with each kind of machine."""
    for options in ([], ['--set', 'issue.order=in-order'],
                    ['--set', 'fetch.split=grid', '--set', 'breaking.rule=exact', '--set',
                     'issue.select=critical', '--set', 'issue.accelerators=32']):
        data, _ = tool.json('--verify', *options)
        for r in data['points'][0]['frames']:
            verify = r['verify']
            same((verify['proved'], verify['values'], verify['wrong_pixels']), (True, True, 0),
                 f'verification with {options}')
            same(set(verify['violations'].values()), {0}, 'violations')
    error = tool.run('--verify', '--set', 'fetch.items=triangles', tool.capture, status=2).stderr
    same(error, 'sgpu: sim: --verify needs fetch.items=all: without the others the picture cannot '
         'be the same\n', 'the message')


def configurations():
    """Returns the names of the tool's parameter files."""
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..')
    folder = os.path.join(top, 'src', 'timing', 'configs')
    return [name[:-len('.ini')] for name in sorted(os.listdir(folder)) if name.endswith('.ini')]


def check_arguments(tool):
    for options, message in (
            (['--set', 'issue.acelerators=4'],
             '--set: no key issue.acelerators; the nearest is issue.accelerators'),
            (['--set', 'issue.accelerators=0'],
             '--set: issue.accelerators = 0: expected a number from 1 to 1024'),
            (['--sweep', 'issue.acelerators=1,2'],
             '--sweep issue.acelerators=1,2: no key issue.acelerators; the nearest is '
             'issue.accelerators'),
            (['--sweep', 'issue.accelerators=1,2,1'],
             '--sweep issue.accelerators=1,2,1: issue.accelerators: 1 is given twice'),
            (['--sweep', 'issue.accelerators=4..1'],
             '--sweep issue.accelerators=4..1: 4..1: expected an ascending range'),
            (['--sweep', 'issue.accelerators=1..4*1'],
             '--sweep issue.accelerators=1..4*1: 1: expected a factor of 2 or more after *'),
            (['--config', 'micro33'],
             '--config: no configuration micro33: there are ' + ', '.join(configurations())),
            (['--threads', '0'], '--threads 0: expected a number from 1 to 1024'),
            (['--frame', 'x'], '--frame x: expected N, A- or A-B'),
            (['--sensitivity', '--sweep', 'issue.window=1,2'],
             '--sensitivity: it cannot be used with --sweep'),
            (['--nothing', '1'], '--nothing: there is no such option'),
            (['--set', 'issue.accelerators=1024', '--set', 'issue.window=1024'],
             'the parameters: issue.window x issue.accelerators = 1048576 candidate buffers')):
        error = tool.run(*options, tool.capture, status=2).stderr
        if not error.startswith('sgpu: sim: ' + message):
            fail(f'{options}: {error}')
    tool.run(status=2)
    if 'usage: sgpu sim' not in tool.run('--help').stdout:
        fail('no help')


def main():
    path, cap, folder, *captures = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for number, capture in enumerate(captures):
        tool = Tool(path, cap, folder, capture)
        data, plain = tool.json()
        check_sums(data)
        check_same(tool, [], plain)
        check_frames(tool, data)
        check_text(tool)
        check_timeline(tool, data)
        check_csv(tool, data)
        check_items(tool, data)
        if cap != '-':
            check_verified(tool)
        if not number:
            if cap != '-':
                check_damage(tool)
            check_bench(tool)
            check_sweep(tool)
            check_params(tool, plain)
            check_sensitivity(tool, data)
            check_outputs(tool)
            check_arguments(tool)
        for f in os.listdir(folder):
            os.unlink(os.path.join(folder, f))
        print(f"{capture}: {len(data['frames'])} frames, {data['points'][0]['cycles']} cycles")


if __name__ == '__main__':
    main()
