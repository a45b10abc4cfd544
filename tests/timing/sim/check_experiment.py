#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The experiment of 1999 with few points on a tiny frame: its numbers against those of the
simulator, the page, the plots, the same bytes again.  Without matplotlib the test is skipped;
in CI that is a failure.

usage: check_experiment.py TOOL SOURCE-FOLDER FOLDER CAPTURE
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys

SKIPPED = 77


def fail(text):
    sys.exit(f'check_experiment: {text}')


def run(command, status=0):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != status:
        fail(f'{" ".join(command)}: status {result.returncode}\n{result.stderr}')
    return result


def read(folder):
    contents = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, 'rb') as file:
                contents[os.path.relpath(path, folder)] = file.read()
    return contents


def parallelism(tool, capture, *sets):
    command = [tool, '--quiet', '--json', '-', '--config', 'micro32', capture]
    for value in sets:
        command += ['--set', value]
    return json.loads(run(command).stdout)['points'][0]['frames'][0]['tlp']


def cells(page, name):
    """The row of a frame in the table of parallelism, which begins with `none`."""
    table = page[page.index('| frame | none |'):]
    for line in table.splitlines():
        if line.startswith(f'| {name} '):
            return [cell.strip() for cell in line.strip('|').split('|')]
    return fail(f'the page has no row of {name}')


def check_verdicts(folder):
    """The rule of verdicts: the edges of ranges count, a share of them is told."""
    sys.path.insert(0, folder)
    import measure
    value = {'low': 1, 'high': 2}
    about = {'low': 4, 'high': 4, 'about': 0.25}
    for given, ours, expected in (
            (value, [1, 2], 'met'), (value, [1, 2.01], '1 of 2'), (value, [0.99], 'not met'),
            (value, [], 'not measured'), (about, [3, 5], 'met'), (about, [2.9], 'not met')):
        if measure.verdict(given, ours) != expected:
            fail(f'{given} {ours}: {measure.verdict(given, ours)}, expected {expected}')
    over = {'interval': 100, 'states': {'busy': [100, 150, 400, 100, 100, 25]}}
    if measure.serial_time({'over_time': over, 'cycles': 520}) != 220:
        fail('the longest time with one accelerator busy is not that of the last intervals')


def main():
    tool, top, folder, capture = sys.argv[1:]
    if not importlib.util.find_spec('matplotlib'):
        if os.environ.get('CI'):
            fail('there is no matplotlib')
        sys.exit(SKIPPED)
    program = os.path.join(top, 'src/tools/sim/micro32/experiment.py')
    check_verdicts(os.path.dirname(program))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, 'frames'))
    frame = shutil.copy(capture, os.path.join(folder, 'frames', 'tiny1.sgcap'))
    command = [sys.executable, program, '--tool', tool, '--few', '--frames',
               os.path.dirname(frame)]
    outs = [os.path.join(folder, name) for name in ('a', 'b')]
    first = run([*command, '--out', outs[0], '--threads', '1'])
    second = run([*command, '--out', outs[1], '--threads', '2'])
    if first.stdout != second.stdout or read(outs[0]) != read(outs[1]):
        fail('two runs differ')
    if '[10/10] tiny1' not in first.stderr:
        fail(f'no progress:\n{first.stderr}')
    files = read(outs[0])
    for name in ('11', '12', '13', '14', '16', '18'):
        if f'micro32/figure-{name}.svg' not in files:
            fail(f'there is no Figure {name}')
    page = files['micro32.md'].decode()
    row = cells(page, 'tiny1')
    split, broken = 'fetch.split=height', 'breaking.rule=paper'
    for cell, sets in ((1, ()), (2, (split,)), (3, (split, broken))):
        expected = f'{parallelism(tool, frame, *sets):.2f}'
        if row[cell] != expected:
            fail(f'parallelism with {sets or "no changes"} is {row[cell]}, not {expected}')
    if '@ ' in page or '{{' in page or 'Recommendation' in page:
        fail('the page has text about other frames')
    if 'Traceback' in run([*command[:-1], os.path.join(folder, 'none')], 1).stderr:
        fail('a folder that is not there gives no message')


if __name__ == '__main__':
    main()
