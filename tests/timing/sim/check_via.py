#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the experiment of US 8,564,604 without programs and sensitivity: its numbers are compared
with those of the simulator; the page and the plots are checked; a second run must write the same
bytes, and docs must have them.  Without matplotlib, the test is skipped; in CI, that is a failure.

usage: check_via.py TOOL SOURCE-FOLDER FOLDER CAPTURE"""

import json
import re
import sys

from checks import Experiment, expect, fail, need_matplotlib, read_text, run


def works(tool, *options):
    out = run(tool, '--microbenchmark', 'via', '--json', '-', *options).stdout
    return {b['work']: b for b in json.loads(out)['points'][0]['benchmarks']}


def check_tool(tool):
    """Shuffled units must change nothing, and parameters that do not fit are refused."""
    plain = works(tool)
    if works(tool, '--shuffle-units', '7') != plain:
        fail('shuffled units change a result')
    for name, work in plain.items():
        if work['instructions'] <= 0 or sum(work['operations']) != work['cycles']:
            fail(f'{name}: {work}')
    result = run(tool, '--microbenchmark', 'via', '--set', 'eu.threads=3', status=2)
    if 'eu.threads = 3: expected an even number' not in result.stderr:
        fail(result.stderr)
    run(tool, '--microbenchmark', 'none', status=2)
    return plain


def check_capture(tool, capture):
    """Frames of a capture are works, with the same results for any number of threads of the
    device."""
    frames = works(tool, capture)
    if not frames or any(not f['warps'] for f in frames.values()):
        fail(f'{capture}: {frames}')
    if works(tool, capture, '--threads', '1', '--shuffle-units', '3') != frames:
        fail(f'{capture}: threads or the order of units change a result')
    alone = works(tool, capture, '--set', 'eu.fuse=no', '--set', 'eu.two_files=no')
    for name, frame in frames.items():
        if alone[name]['instructions'] != frame['instructions']:
            fail(f'{name}: {alone[name]["instructions"]} instructions, then '
                 f'{frame["instructions"]}')


def check_verdicts():
    from via import measure
    claim = {'works': ['a', 'b']}
    for gain, expected in (({'a': 1.5, 'b': 1.01, 'c': 0.5}, 'holds'),
                           ({'a': 1.5, 'b': 1.0}, 'holds in part'),
                           ({'a': 1.0, 'b': 1.005}, 'no effect'),
                           ({'a': 0.9, 'b': 1.0}, 'reversed')):
        expect(measure.holds(claim, gain, 0.01), expected, gain)


def main():
    tool, top, folder, capture = sys.argv[1:]
    plain = check_tool(tool)
    check_capture(tool, capture)
    need_matplotlib()
    experiment = Experiment(top, tool, 'via')
    experiment.modules()
    check_verdicts()
    _, files = experiment.run_twice(folder)
    expect(sorted(files), ['via.md', 'via/claims.svg', 'via/fifo.svg', 'via/operations.svg',
                           'via/queues.svg'], 'files')
    page = files['via.md'].decode()
    for name, work in plain.items():
        if not re.search(rf'^\| {name} \| {work["cycles"]:,} \|', page, re.M):
            fail(f'the page has not the cycles of {name}: {work["cycles"]:,}')
    off = works(tool, '--set', 'eu.two_files=no')
    gain = f'{off["mixed"]["cycles"] / plain["mixed"]["cycles"]:.2f}'
    head = next(line for line in page.splitlines() if line.startswith('| work | arbiters'))
    row = next(line for line in page.splitlines()
               if line.startswith('| mixed |') and len(line.split('|')) == len(head.split('|')))
    cells = dict(zip(head.split(' | '), row.split(' | ')))
    expect(cells['files'], gain, 'what mixed gains by two files')
    # The page of docs must be that of this machine, except for sections that need many runs.
    if read_text(top, 'docs/via.md').split('## Programs')[0] != page:
        fail('docs/via.md is not what sgpu sim --experiment via writes')


if __name__ == '__main__':
    main()
