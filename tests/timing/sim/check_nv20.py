#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the experiment of the vertex engine of 2001 with few points.  The sections of docs/nv20.md
for the default machine must be its output, and its numbers must be those of the simulator.
Without matplotlib, the test is skipped; in CI, that is a failure.

usage: check_nv20.py TOOL SOURCE-FOLDER FOLDER CAPTURE"""

import json
import os
import shutil
import sys

from checks import Experiment, expect, fail, need_matplotlib, new_folder, read_text, run

# Sections that do not depend on the number of points.
SECTIONS = ('Programs', 'The attribute buffer', 'Instruction mix', 'Not reproduced')


def section(page, title):
    start = page.find(f'\n## {title}\n')
    if start < 0:
        fail(f'there is no section {title}')
    end = page.find('\n## ', start + 1)
    return page[start:] if end < 0 else page[start:end]


def check_measure():
    """Tests the shares of programs."""
    from nv20 import measure
    programs = [{'hash': 'a', 'base': True, 'vertices': 3, 'columns': 4,
                 'classes': {'move': 6, 'dot': 2}},
                {'hash': 'b', 'base': True, 'vertices': 1, 'columns': 0,
                 'classes': {'move': 2, 'dot': 6}},
                {'hash': 'c', 'base': False, 'vertices': 9, 'columns': 0, 'classes': {}}]
    mixes = measure.mixes([{'programs': programs}, {'programs': [dict(programs[0], vertices=4)]}])
    expect(mixes, [{'move': 50, 'dot': 50, 'columns': 25},
                   {'move': 68.75, 'dot': 31.25, 'columns': 43.75}], 'the mix of three programs')


def check_tool(tool, capture):
    """Tests what the page cannot show: the points of a sweep, the programs of a capture,
    refusals."""
    command = [tool, '--microbenchmark', 'nv20']
    data = json.loads(run(*command, '--sweep', 'nv20.threads=2,6', capture).stdout)
    if [point['changes'] for point in data['points']] != [{'nv20.threads': '2'},
                                                          {'nv20.threads': '6'}]:
        fail('the points are not those of the sweep')
    for point, expected in zip(data['points'], (60, 20), strict=True):
        found = [row['cycles_a_vertex'] for row in point['benchmarks']
                 if row['group'] == 'instructions' and row['instructions'] == 20]
        if found != [expected]:
            fail(f'{point["changes"]}: 20 instructions take {found}, expected {expected}')
    for program in data['captures'][0]['programs']:
        if sum(program['classes'].values()) != program['instructions']:
            fail(f'program {program["hash"]}: the classes are not all instructions')
    for arguments, status, text in (
            (['--microbenchmark', 'none'], 2, 'expected nv20'),
            (['--microbenchmark', 'nv20', '--set', 'chip.model=engine'], 2, 'chip.model=nv20'),
            (['--microbenchmark', 'nv20', capture + '.none'], 1, 'No such file'),
            (['--config', 'nv20', '--verify', capture], 2, '--verify: chip.model=nv20'),
            (['--config', 'nv20', '--sweep', 'chip.model=nv20,engine', capture], 2,
             'chip.model must be the same')):
        if text not in run(tool, *arguments, status=status).stderr:
            fail(f'{arguments}: the message does not say: {text}')


def check_frames(tool, capture):
    """Checks the accounts of a frame, for any order of units and number of threads."""
    command = [tool, '--quiet', '--config', 'nv20', '--json', '-', '--sweep', 'nv20.threads=1,6']
    first = run(*command, '--threads', '1', capture).stdout
    for more in (('--threads', '3'), ('--shuffle-units', '5')):
        if run(*command, *more, capture).stdout != first:
            fail(f'{capture}: other results with {more}')
    slow, fast = json.loads(first)['points']
    for one, six in zip(slow['frames'], fast['frames'], strict=True):
        one, six = one['counters'], six['counters']
        cycles = six['engine.cycles']
        for name in ('host.states', 'attribute-buffer.writes', 'attribute-buffer.drains',
                     'core.states', 'output.states', 'next.states'):
            if sum(six[name].values()) != cycles:
                fail(f'{name} are not {cycles} cycles')
        if (sum(six['core.opcodes'].values()) != six['core.instructions'] or
                six['core.states']['issue'] != six['core.instructions']):
            fail('the operations are not all instructions')
        if any(one[name] != six[name] for name in ('engine.vertices', 'core.instructions',
                                                   'attribute-buffer.attributes')):
            fail('the work depends on the number of threads')
        if not six['core.instructions'] * 6 <= one['engine.cycles'] < cycles * 6.1:
            fail(f'{one["engine.cycles"]} cycles with one thread, {cycles} with six')


def main():
    tool, top, folder, capture = sys.argv[1:]
    check_tool(tool, capture)
    check_frames(tool, capture)
    need_matplotlib()
    experiment = Experiment(top, tool, 'nv20')
    experiment.modules()
    check_measure()
    _, files = experiment.run(os.path.join(folder, 'all'))
    page, docs = files['nv20.md'].decode(), read_text(top, 'docs/nv20.md')
    for title in SECTIONS:
        if section(page, title) != section(docs, title):
            fail(f'docs/nv20.md: section {title} is not what sgpu sim --experiment nv20 writes')
    if '{{' in page or 'not met' not in page or page.count('| met |') < 7:
        fail('the verdicts of the page are wrong')
    captures = new_folder(os.path.join(folder, 'captures'))
    shutil.copy(capture, captures)
    _, files = experiment.run_twice(folder, '--captures', captures)
    for name in ('ipc', 'attributes', 'buffers', 'mix'):
        if f'nv20/{name}.svg' not in files:
            fail(f'there is no plot {name}')


if __name__ == '__main__':
    main()
