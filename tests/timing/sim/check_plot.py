#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the plots of sgpu sim.  Without matplotlib, the test is skipped; in CI, that is a failure.

usage: check_plot.py TOOL SOURCE-FOLDER FOLDER CAPTURE"""

import os
import sys
import xml.etree.ElementTree

from checks import expect, fail, need_matplotlib, new_folder, run


def plot(top, data, folder, *options, status=0):
    return run(sys.executable, os.path.join(top, 'src/tools/sim/sim_plot.py'), data, folder,
               *options, status=status)


def read(folder):
    """Returns the contents of all plots, which must be XML that draws something."""
    contents = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding='utf-8') as f:
            contents[name] = f.read()
        root = xml.etree.ElementTree.fromstring(contents[name])
        if len(list(root.iter('{http://www.w3.org/2000/svg}path'))) < 10:
            fail(f'{name} is empty')
    return contents


def main():
    tool, top, folder, capture = sys.argv[1:]
    need_matplotlib()
    new_folder(folder)
    single, sweep = (os.path.join(folder, n) for n in ('single.json', 'sweep.json'))
    run(tool, '--json', single, capture)
    run(tool, '--json', sweep, '--sweep', 'issue.accelerators=1..4', '--sweep',
        'fetch.split=none,height', capture)

    first, second = os.path.join(folder, 'a'), os.path.join(folder, 'b')
    plot(top, single, first)
    names = set(read(first))
    if not {'states.svg', 'time-0.svg'} <= names:
        fail(f'the plots of one run are {names}')
    plot(top, single, second)
    if read(first) != read(second):
        fail('the same data gave other plots')
    error = plot(top, single, first, status=1).stderr
    if 'exists; --force replaces it' not in error:
        fail(f'the message is {error}')
    plot(top, single, first, '--force')
    third = os.path.join(folder, 'c')
    plot(top, sweep, third)
    names = set(read(third))
    expect(names, {'states.svg', 'sweep-cycles.svg', 'sweep-parallelism.svg'},
           'the plots of a sweep')
    print(f'{len(names)} plots of a sweep')


if __name__ == '__main__':
    main()
