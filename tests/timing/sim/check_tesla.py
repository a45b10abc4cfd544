#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the experiment of the Tesla chip without sensitivity: answers that were computed by hand,
all peaks, shuffled units, the page, the plots, and the page of docs.  Without matplotlib, the page
is skipped; in CI, that is a failure.

usage: check_tesla.py TOOL SOURCE-FOLDER FOLDER"""

import json
import sys

from checks import Experiment, expect, fail, need_matplotlib, read_text, run


def text_of(tool, *options):
    return run(tool, '--microbenchmark', 'tesla', '--quiet', '--json', '-', *options).stdout


def clocks(tool, name, *options):
    """Returns the SP clocks per unit of the amount that a benchmark counts."""
    small, large = json.loads(text_of(tool, name, *options))['points'][0]['benchmarks']
    return 2 * (large['sm_cycles'] - small['sm_cycles']) / (large['amount'] - small['amount'])


def near(found, expected, what):
    """Runs end at core cycles, which are two and a half SP clocks long."""
    if abs(found - expected) > 0.05:
        fail(f'{what}: {found}, expected {expected}')


def check_by_hand(tool):
    """Tests chains of n latencies, and rates that follow from a parameter."""
    near(clocks(tool, 'latency-mad'), 2 * 12, 'multiply-adds')
    near(clocks(tool, 'latency-mad', '--set', 'sm.alu_latency=20'), 2 * 20, 'multiply-adds')
    near(clocks(tool, 'chase-shared-1'), 2 * 18, 'shared memory')
    near(clocks(tool, 'chase-shared-16'), 2 * (18 + 2 * 16 - 2), 'conflicts')
    hit = clocks(tool, 'texture-4')
    near(clocks(tool, 'texture-4', '--set', 'texture.latency=74'), hit + 10 * 2.5, 'textures')
    # 4 and 8 KiB of constants fit in the cache and take the same time; 8 KiB do not fit in 4 KiB.
    near(clocks(tool, 'constant-4'), clocks(tool, 'constant-8'), 'constants')
    if clocks(tool, 'constant-8', '--set', 'sm.const_bytes=4096') < 100:
        fail('8 KiB of constants fit in 4')


def check_tool(tool):
    """Shuffled units and threads must change nothing, and parameters that do not fit are
    refused."""
    names = 'both', 'primitives', 'bilinear', 'chase', 'barrier'
    plain = text_of(tool, *names)
    for options in ('--shuffle-units', '7', '--threads', '1'), ('--threads', '3'):
        if text_of(tool, *names, *options) != plain:
            fail(f'{options} change a result')
    found = {b['name'] for b in json.loads(plain)['points'][0]['benchmarks']}
    if 'both' not in found or 'chase-global' not in found or 'color' in found:
        fail(f'{names} are {sorted(found)}')
    for options, status, message in (
            (('none',), 1, 'none: there is no such microbenchmark'),
            (('--set', 'chip.model=nv20'), 2, 'it needs chip.model=g80'),
            (('color', '--set', 'chip.sp_mhz=1501'), 2, 'chip.sp_mhz: 1501 is odd')):
        result = run(tool, '--microbenchmark', 'tesla', '--quiet', *options, status=status)
        if message not in result.stderr:
            fail(f'{options}: {result.stderr}')


def check_page(experiment, top, folder):
    _, files = experiment.run(folder)
    expect(sorted(files), ['tesla.md', 'tesla/caches.svg', 'tesla/hardware.svg',
                           'tesla/peaks.svg'], 'files')
    page = files['tesla.md'].decode()
    if '17 of 17 are met' not in page:
        fail('a peak of the paper is not met')
    # The page of docs must be that of this machine, except for the section that needs many runs.
    if read_text(top, 'docs/tesla.md').split('## Sensitivity')[0] != page:
        fail('docs/tesla.md is not what sgpu sim --experiment tesla writes')


def check_verdicts():
    from tesla import measure
    for published, ours, expected in ((100, 99.1, True), (100, 98.9, False), (100, 100.9, True),
                                      (100, 101.1, False)):
        expect(measure.met({'share': 0.01}, {'published': published}, ours), expected,
               f'{ours} of {published}')
    for published, ours, expected in (([4, 6], 5, 0), ([4, 6], 3, -0.25), ([4, 6], 9, 0.5),
                                      (8, 4, -0.5)):
        expect(measure.error({'published': published}, ours), expected, f'{ours} of {published}')
    footprints = (1, 2, 4, 5, 6, 8, 16, 32)
    steps = {f'code-{kib}': 4 if kib <= 4 else 9 if kib <= 8 else 20 for kib in footprints}
    expect((measure.size(steps, 'code', footprints),
            measure.second_size(steps, 'code', footprints)), (4, 8), 'sizes of caches')


def main():
    tool, top, folder = sys.argv[1:]
    experiment = Experiment(top, tool, 'tesla')
    experiment.modules()
    check_verdicts()
    check_by_hand(tool)
    check_tool(tool)
    need_matplotlib()
    check_page(experiment, top, folder)


if __name__ == '__main__':
    main()
