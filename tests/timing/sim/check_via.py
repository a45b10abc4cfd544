#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The experiment of US 8,564,604 without programs and sensitivity: its numbers against those of the simulator,
the page, the plots, the same bytes again and those of docs.  Without matplotlib the test is
skipped; in CI that is a failure.

usage: check_via.py TOOL SOURCE-FOLDER FOLDER CAPTURE
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys

SKIPPED = 77


def fail(text):
    sys.exit(f'check_via: {text}')


def run(command, status=0):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != status:
        fail(f'{" ".join(command)}: status {result.returncode}\n{result.stderr}')
    return result


def works(tool, *options):
    out = run([tool, '--microbenchmark', 'via', '--json', '-', *options]).stdout
    return {b['work']: b for b in json.loads(out)['points'][0]['benchmarks']}


def check_tool(tool):
    """Shuffled units change nothing; what does not fit is refused."""
    plain = works(tool)
    if works(tool, '--shuffle-units', '7') != plain:
        fail('shuffled units change a result')
    for name, work in plain.items():
        if work['instructions'] <= 0 or sum(work['operations']) != work['cycles']:
            fail(f'{name}: {work}')
    result = run([tool, '--microbenchmark', 'via', '--set', 'eu.threads=3'], 2)
    if 'eu.threads = 3: expected an even number' not in result.stderr:
        fail(result.stderr)
    run([tool, '--microbenchmark', 'none'], 2)
    return plain


def check_capture(tool, capture):
    """Frames are works, with the same results for all threads of the device."""
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


def check_verdicts(folder):
    sys.path.insert(0, folder)
    import measure
    claim = {'works': ['a', 'b']}
    for gain, expected in (({'a': 1.5, 'b': 1.01, 'c': 0.5}, 'holds'),
                           ({'a': 1.5, 'b': 1.0}, 'holds in part'),
                           ({'a': 1.0, 'b': 1.005}, 'no effect'),
                           ({'a': 0.9, 'b': 1.0}, 'reversed')):
        if measure.verdict(claim, gain) != expected:
            fail(f'{gain}: {measure.verdict(claim, gain)}, expected {expected}')


def read(folder):
    contents = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, 'rb') as file:
                contents[os.path.relpath(path, folder)] = file.read()
    return contents


def main():
    tool, top, folder, capture = sys.argv[1:]
    plain = check_tool(tool)
    check_capture(tool, capture)
    if not importlib.util.find_spec('matplotlib'):
        if os.environ.get('CI'):
            fail('there is no matplotlib')
        sys.exit(SKIPPED)
    program = os.path.join(top, 'src/tools/sim/via/experiment.py')
    check_verdicts(os.path.dirname(program))
    shutil.rmtree(folder, ignore_errors=True)
    found = []
    for name in ('a', 'b'):
        out = os.path.join(folder, name)
        os.makedirs(out)
        run([sys.executable, program, '--tool', tool, '--few', '--out', out])
        found.append(read(out))
    if found[0] != found[1]:
        fail('a second run writes other bytes')
    if sorted(found[0]) != ['via.md', 'via/claims.svg', 'via/fifo.svg', 'via/operations.svg',
                            'via/queues.svg']:
        fail(f'files: {sorted(found[0])}')
    page = found[0]['via.md'].decode()
    for name, work in plain.items():
        if not re.search(rf'^\| {name} \| {work["cycles"]:,} \|', page, re.M):
            fail(f'the page has not the cycles of {name}: {work["cycles"]:,}')
    off = works(tool, '--set', 'eu.two_files=no')
    gain = f'{off["mixed"]["cycles"] / plain["mixed"]["cycles"]:.2f}'
    head = next(line for line in page.splitlines() if line.startswith('| work | arbiters'))
    row = next(line for line in page.splitlines()
               if line.startswith('| mixed |') and len(line.split('|')) == len(head.split('|')))
    cells = dict(zip(head.split(' | '), row.split(' | ')))
    if cells['files'] != gain:
        fail(f'mixed gains {cells["files"]} by two files, expected {gain}')
    # The page of docs is that of this machine, but for the sections of many runs.
    with open(os.path.join(top, 'docs', 'via.md'), encoding='utf-8') as file:
        written = file.read()
    if written.split('## Programs')[0] != page:
        fail('docs/via.md is not what sgpu sim --experiment via writes')


if __name__ == '__main__':
    main()
