#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests code that all experiments share, and then the experiment of 1999 with few points on a tiny
frame: its numbers are compared with those of the simulator; the page and the plots are checked;
a second run must write the same bytes.  Without matplotlib, the test is skipped; in CI, that is a
failure.

usage: check_experiment.py TOOL SOURCE-FOLDER FOLDER CAPTURE"""

import json
import os
import shutil
import sys

from checks import Experiment, expect, fail, need_matplotlib, new_folder, run


def parallelism(tool, capture, *sets):
    command = [tool, '--quiet', '--json', '-', '--config', 'micro32', capture]
    for value in sets:
        command += ['--set', value]
    return json.loads(run(*command).stdout)['points'][0]['frames'][0]['tlp']


def cells(page, name):
    """Returns the row of a frame in the table of parallelism, which begins with `none`."""
    table = page[page.index('| frame | none |'):]
    for line in table.splitlines():
        if line.startswith(f'| {name} '):
            return [cell.strip() for cell in line.strip('|').split('|')]
    return fail(f'the page has no row of {name}')


def check_shared():
    """Tests the rule for verdicts: the ends of ranges count, and a part of several ranges is
    reported."""
    import sim_experiment
    import sim_page
    pair, about = {'published': [1, 2]}, {'published': 4, 'about': 0.25}
    for given, ours, expected in (
            (pair, [1, 2], 'met'), (pair, [1, 2.01], '1 of 2'), (pair, [0.99], 'not met'),
            (pair, [], 'not measured'), (about, [3, 5], 'met'), (about, [2.9], 'not met'),
            ({'published': True}, [True], 'met'), ({'published': True}, [False], 'not met')):
        expect(sim_experiment.verdict(given, ours), expected, f'{given} {ours}')
    for value, expected in ((sim_experiment.Written('2.50'), '2.50'), (1000, '1,000'),
                            ([1, sim_experiment.Written('1.5')], '1 to 1.5'), (True, 'yes')):
        expect(sim_experiment.written(value), expected, value)
    expect(sim_page.span([-0.001, 0], 2), '0.00', 'a range of zeros')
    points = [{'changes': {'a.b': '2', 'a.c': 'x'}}, {'changes': {'a.b': '2', 'a.c': 'y'}}]
    found = sim_experiment.by_value(points, lambda point: point['changes']['a.c'])
    expect(found, {(2, 'x'): 'x', (2, 'y'): 'y'}, 'points by value')
    expect([sim_experiment.axis(found, i) for i in (0, 1)], [[2], ['x', 'y']], 'axes')


def check_serial_time():
    from micro32 import measure
    over = {'interval': 100, 'states': {'busy': [100, 150, 400, 100, 100, 25]}}
    expect(measure.serial_time({'over_time': over, 'cycles': 520}), 220,
           'the longest time with one accelerator busy')


def main():
    tool, top, folder, capture = sys.argv[1:]
    need_matplotlib()
    experiment = Experiment(top, tool, 'micro32')
    experiment.modules()
    check_shared()
    check_serial_time()
    frames = new_folder(os.path.join(folder, 'frames'))
    frame = shutil.copy(capture, os.path.join(frames, 'tiny1.sgcap'))
    first, files = experiment.run(os.path.join(folder, 'a'), '--frames', frames, '--threads', '1')
    second, others = experiment.run(os.path.join(folder, 'b'), '--frames', frames, '--threads', '2')
    if first.stdout != second.stdout or files != others:
        fail('two runs differ')
    if '[10/10] tiny1' not in first.stderr:
        fail(f'no progress:\n{first.stderr}')
    for name in ('11', '12', '13', '14', '16', '18'):
        if f'micro32/figure-{name}.svg' not in files:
            fail(f'there is no Figure {name}')
    page = files['micro32.md'].decode()
    row = cells(page, 'tiny1')
    split, broken = 'fetch.split=height', 'breaking.rule=paper'
    for cell, sets in ((1, ()), (2, (split,)), (3, (split, broken))):
        expect(row[cell], f'{parallelism(tool, frame, *sets):.2f}',
               f'parallelism with {sets or "no changes"}')
    if '@ ' in page or '{{' in page or 'Recommendation' in page:
        fail('the page has text about other frames')
    missing, _ = experiment.run(os.path.join(folder, 'c'), '--frames', folder + '/none', status=1)
    if 'No such file' not in missing.stderr:
        fail(f'a folder that is not there: {missing.stderr}')
    unknown = run(*Experiment(top, tool, 'none').command, status=1).stderr
    if 'micro32, nv20, tesla, via' not in unknown:
        fail(f'an unknown experiment: {unknown}')


if __name__ == '__main__':
    main()
