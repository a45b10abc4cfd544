#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs captures on random machines: both kinds of cores, any number of clusters and partitions,
other caches, queues and latencies.  A machine either runs to the end or is refused with the name
of the key that does not fit.  If it runs, its counters must add up, the order of its units must
not matter, and its memory must have the picture of the device.

usage: check_mix.py SGPU-SIM CONFIG-FOLDER SEED MACHINES CAPTURE...

SGPU_WRAPPER  command that runs programs of another host."""

import json
import os
import random
import re
import subprocess
import sys

import check_chip

UNITS = ('chip', 'sm', 'eu', 'front', 'distribution', 'raster', 'xbar', 'l2', 'gddr', 'texture',
         'rop')
KEYS = 14  # number of changed keys of a machine, in addition to those that are always set
# Keys that are never changed at random.  Clocks must have a common multiple, and a machine without
# scratch registers cannot run anything.
KEPT = ('chip.model', 'chip.core', 'chip.tpcs', 'chip.tpc_sms', 'xbar.partitions', 'chip.sp_mhz',
        'chip.core_mhz', 'xbar.mhz', 'l2.mhz', 'gddr.mhz', 'distribution.registers',
        'distribution.shared')


def random_value(rng, key):
    if key.kind == 'bool':
        return rng.choice(('yes', 'no'))
    if key.kind == 'choice':
        return rng.choice(key.choices)[0]
    low, high = key.range
    # Powers of two stay powers of two.
    value = key.default * 2 ** rng.randint(0, 3) // 2 ** rng.randint(0, 3)
    return min(max(value, low), high)


def random_machine(rng, keys):
    values = {
        'chip.core': rng.choice(('sm', 'eu')),
        'chip.tpcs': rng.choice((1, 2, 3, 5, 8, 12, 21, 32, 64)),
        'chip.tpc_sms': rng.choice((1, 1, 2, 2, 3, 4, 8)),
        'xbar.partitions': rng.choice((1, 2, 3, 5, 6, 7, 11, 16, 24, 64)),
        'run.max_cycles': 20000000,
    }
    for name, key in rng.sample(sorted(keys.items()), KEYS):
        values[name] = random_value(rng, key)
    return values


def simulate(tool, values, capture, *options):
    sets = [word for name, value in values.items() for word in ('--set', f'{name}={value}')]
    wrapper = os.environ.get('SGPU_WRAPPER', '').split()
    return subprocess.run([*wrapper, tool, '--config', 'g80', *sets, '--quiet', '--json', '-',
                           *options, capture], capture_output=True, text=True, check=False)


def check_refused(result, what):
    """The exit status is 2 for wrong options, and 1 for work that does not fit the machine."""
    named = re.search(r'\b(' + '|'.join(UNITS) + r')\.[a-z_]+', result.stderr)
    room = 'a SM has' in result.stderr
    if result.returncode not in (1, 2) or not (named or room):
        check_chip.fail(f'{what}: status {result.returncode}: {result.stderr}')


def check_machine(tool, values, capture, shuffle, verify):
    """Runs a capture on a machine and checks the results.  Returns whether it ran."""
    what = f'{os.path.basename(capture)} with ' + ' '.join(f'{k}={v}' for k, v in values.items())
    result = simulate(tool, values, capture)
    if result.returncode:
        check_refused(result, what)
        return False
    for frame in json.loads(result.stdout)['points'][0]['frames']:
        check_chip.check_frame(frame)
        if values['chip.core'] == 'eu':
            check_chip.check_execution_units(frame)
    if shuffle:
        shuffled = simulate(tool, values, capture, '--shuffle-units', '5')
        if shuffled.stdout != result.stdout:
            check_chip.fail(f'{what}: shuffled units change a result')
    if verify:
        verified = simulate(tool, values, capture, '--verify')
        if verified.returncode:
            check_chip.fail(f'{what}: {verified.stdout} {verified.stderr}')
    return True


def main():
    tool, folder, seed, machines = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    captures = sys.argv[5:]
    sys.path.insert(0, folder)
    import params  # pylint: disable=import-error,import-outside-toplevel

    keys = {f'{s.name}.{k.name}': k for s in params.SECTIONS if s.name in UNITS for k in s.keys}
    keys = {name: key for name, key in keys.items() if name not in KEPT}
    rng = random.Random(seed)
    # The shadow memory refuses frames with grids and with programs that write memory.
    shadowed = [not simulate(tool, {}, capture, '--verify').returncode for capture in captures]
    if not any(shadowed):
        check_chip.fail('no frame can be verified')
    ran = 0
    for i in range(machines):
        capture = i % len(captures)
        ran += check_machine(tool, random_machine(rng, keys), captures[capture],
                             i // len(captures) % 2 == 0, shadowed[capture])
    print(f'{ran} of {machines} machines ran')
    if ran * 2 < machines:
        check_chip.fail(f'{machines - ran} of {machines} machines are refused')


if __name__ == '__main__':
    main()
