#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests everything that is made from a chip's JSON: plots, flame graph, sgpu perf-diff, and the
times in sgpu inspect.

usage: check_draws.py TOOL SGPU-CAP SOURCE-FOLDER FOLDER CAPTURE OTHER-CAPTURE"""

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

from checks import fail, has_matplotlib, new_folder, run


def check_flame(python, top, data, frame, folder):
    script = os.path.join(top, 'src/tools/sim/sim_flame.py')
    folded, svg = (os.path.join(folder, name) for name in ('flame.folded', 'flame.svg'))
    run(python, script, data, folded)
    cycles = {}
    with open(folded, encoding='utf-8') as f:
        for line in f:
            stack, _, value = line.rpartition(' ')
            draw = stack.split(';')[1]
            cycles[draw] = cycles.get(draw, 0) + int(value)
    # Each line is rounded.
    for operation in frame['stacks']:
        if 'draw' in operation and abs(cycles.get(f"draw {operation['draw']}", 0) -
                                       operation['cycles']) > 20:
            fail(f"{folded}: draw {operation['draw']} has {operation['cycles']} cycles")
    run(python, script, data, svg)
    titles = [t.text for t in
              xml.etree.ElementTree.parse(svg).iter('{http://www.w3.org/2000/svg}title')]
    if not any('draw 0' in t for t in titles):
        fail(f'{svg} has no draw 0')
    if 'exists' not in run(python, script, data, svg, status=1).stderr:
        fail('a flame graph replaces a file')
    run(python, script, data, svg, '--force')


def check_plots(python, top, tool, data, capture, folder):
    if not has_matplotlib():
        return
    script = os.path.join(top, 'src/tools/sim/sim_plot.py')
    plots, sweep = (os.path.join(folder, name) for name in ('plots', 'sweep.json'))
    run(python, script, data, plots)
    if sorted(os.listdir(plots)) != ['draws-0.svg', 'time-0.svg', 'units-0.svg']:
        fail(f'the plots are {os.listdir(plots)}')
    run(tool, '--config', 'g80', '--sweep', 'chip.tpcs=2,8', '--json', sweep, capture)
    run(python, script, sweep, plots, '--force')
    if 'sweep-cycles.svg' not in os.listdir(plots):
        fail('a sweep has no plot')


def check_diff(python, top, tool, data, capture, other, folder):
    command = [python, os.path.join(top, 'src/tools/sim/perf_diff.py'), '--tool', tool]
    same = json.loads(run(*command, '--json', '-', data, capture).stdout)
    if same['a'] != same['b'] or any(o['difference'] for f in same['frames']
                                     for o in f['operations']):
        fail('a capture differs from itself')
    out = os.path.join(folder, 'diff.json')
    changed = ['--against-set', 'chip.tpcs=2', '--against-set', 'xbar.partitions=3']
    text = run(*command, *changed, '--json', out, capture).stdout
    with open(out, encoding='utf-8') as f:
        found = json.load(f)
    if found['b'] <= found['a'] or f"{found['a']} to {found['b']} core cycles" not in text:
        fail(f'a quarter of the chip is not slower: {text}')
    for frame in found['frames']:
        if sum(o['difference'] for o in frame['operations']) != frame['difference']:
            fail('operations do not add up to the frame')
        for o in frame['operations'] + [frame]:
            if abs(sum(o['causes'].values()) - o['difference']) > 0.01:
                fail(f'causes do not add up: {o}')
    run(*command, *changed, '--threshold', '0.5', '--json', out, '--force', capture, status=1)
    run(*command, '--threshold', '0', capture, capture)
    # Operations that only one of two captures has are reported.
    frames = json.loads(run(*command, '--json', '-', capture, other).stdout)['frames']
    if not any(None in (o['a'], o['b']) for f in frames for o in f['operations']):
        fail('other captures have the same operations')
    for arguments, what in (([capture], 'one run'), ([out, capture], 'not of sgpu sim --json')):
        if what not in run(*command, *arguments,
                           status=2 if what == 'one run' else 1).stderr:
            fail(f'{arguments}: there is no message {what}')


def check_inspect(python, top, tool, cap, capture, frame, folder):
    page, options = (os.path.join(folder, name) for name in ('page.html', 'options'))
    run(cap, 'inspect', '-o', page, capture)
    with open(options, 'w', encoding='utf-8') as f:
        f.write('--config\ng80\n')
    run(python, os.path.join(top, 'src/tools/sim/inspect_timing.py'), '--tool', tool, '--options',
        options, '--name', 'g80', page, '-o', page, capture)
    with open(page, encoding='utf-8') as f:
        text = f.read()
    timing = json.loads(re.search(r'^const timing = (.*);$', text, re.M)[1])
    items = json.loads(re.search(r'^const items = (\[.*?\]);$', text, re.M | re.S)[1])
    drawn = {o['draw']: o for o in frame['stacks'] if 'draw' in o}
    for item in items:
        if 'draw' in item:
            row = timing['operations'][f"{item['submission']}.{item['packet']}"]
            if row['cycles'] != drawn[item['draw']]['cycles']:
                fail(f"draw {item['draw']}: {row['cycles']} cycles")
    chromium = shutil.which('chromium')
    if not chromium:
        return
    dom = subprocess.run([chromium, '--headless', '--no-sandbox', '--disable-gpu', '--dump-dom',
                          f'--user-data-dir={os.path.join(folder, "chromium")}',
                          f'file://{page}'], capture_output=True, text=True, check=False,
                         timeout=120).stdout
    if 'data-error' in dom or '% of the frame' not in dom:
        fail('the page does not show times')


def main():
    tool, cap, top, folder, capture, other = sys.argv[1:]
    new_folder(folder)
    data = os.path.join(folder, 'frame.json')
    run(tool, '--config', 'g80', '--json', data, capture)
    with open(data, encoding='utf-8') as f:
        frame = json.load(f)['points'][0]['frames'][0]
    check_plots(sys.executable, top, tool, data, capture, folder)
    check_flame(sys.executable, top, data, frame, folder)
    check_diff(sys.executable, top, tool, data, capture, other, folder)
    check_inspect(sys.executable, top, tool, cap, capture, frame, folder)


if __name__ == '__main__':
    main()
