#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds the cycles that a simulated chip takes for each draw to a page of sgpu inspect.

usage: inspect_timing.py --tool SGPU-SIM --options FILE --name NAME PAGE ARGUMENT...

FILE contains the options of the simulation, one per line.  The ARGUMENTs are those of sgpu
inspect, including the capture.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import sim_chip_json as chip
import sim_json

PLACE = 'const timing = null;\n'


def capture_of(arguments):
    """Returns the argument that is neither an option nor the value of an option."""
    skip = False
    for a in arguments:
        if skip:
            skip = False
        elif a.startswith('-'):
            skip = True
        else:
            return a
    sim_json.die('inspect: there is no capture')


def simulate(tool, options, frame, capture):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'frame.json')
        # Use a chip if the options don't select a model.  Other models are rejected below.
        if '--config' not in options:
            options = ['--config', 'g80'] + options
        status = subprocess.run([tool, *options, '--frame', frame, '--json', out, '--draws',
                                 capture], stdout=subprocess.DEVNULL, check=False).returncode
        if status:
            sys.exit(status)
        return sim_json.load(out, (sim_json.CHIP,))


def timing(data, name):
    """Returns the timing data for the frame that the page shows."""
    frame = data['points'][0]['frames'][0]
    keys = 'begin', 'end', 'cycles', 'stack'
    return {'name': name, 'cycles': frame['cycles'], 'classes': frame['classes'],
            'operations': {f"{o['submission']}.{o['packet']}": {k: o[k] for k in keys}
                           for o in frame['stacks']}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument('--tool', required=True)
    parser.add_argument('--options', required=True)
    parser.add_argument('--name', required=True)
    parser.add_argument('page')
    args, rest = parser.parse_known_args()
    try:
        with open(args.options, encoding='utf-8') as f:
            options = f.read().splitlines()
        with open(args.page, encoding='utf-8') as f:
            page = f.read()
    except OSError as error:
        sim_json.die(f'{error.filename}: {error.strerror}')
    frame = re.search(r', frame = (\d+), picture = ', page)
    if not frame or PLACE not in page:
        sim_json.die(f'{args.page}: it is not a page of sgpu inspect')
    data = simulate(args.tool, options, frame[1], capture_of(rest))
    chip.need_stacks(data, args.page, sim_json.die)
    text = json.dumps(timing(data, args.name)).replace('<', '\\u003c')
    temporary = args.page + '.tmp'
    try:
        with open(temporary, 'w', encoding='utf-8') as f:
            f.write(page.replace(PLACE, f'const timing = {text};\n', 1))
        os.replace(temporary, args.page)
    except OSError as error:
        sim_json.die(f'{args.page}: {error.strerror}')


if __name__ == '__main__':
    main()
