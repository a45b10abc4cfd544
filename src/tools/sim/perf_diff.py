#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sgpu perf-diff: compares two runs of the chip model, and shows what became slower, by draw and
by cause.

A run is a capture, which is simulated here, or a file of sgpu sim --json.  Frames are compared in
order.  Operations are compared if their kinds and sizes match.  The difference in cycles of each
operation is divided by the states of the cores; these parts add up to the difference.
"""

import argparse
import difflib
import json
import os
import subprocess
import sys
import tempfile

import sim_chip_json as chip
import sim_json


def parse():
    parser = argparse.ArgumentParser(
        prog='sgpu perf-diff', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog='The exit status is 1 if B takes more cycles than --threshold allows.')
    parser.add_argument('--tool', help=argparse.SUPPRESS)
    parser.add_argument('--config', metavar='FILE|NAME', default='g80',
                        help='parameters of both runs (default: g80)')
    parser.add_argument('--set', metavar='SECTION.KEY=VALUE', action='append', default=[],
                        help='of both runs, after --config')
    parser.add_argument('--against', metavar='FILE|NAME', help='parameters of B instead')
    parser.add_argument('--against-set', metavar='SECTION.KEY=VALUE', action='append', default=[],
                        help='of B alone')
    parser.add_argument('--frame', metavar='N|A-B', help='only these frames')
    parser.add_argument('--top', metavar='N', type=int, default=20,
                        help='operations that are printed for each frame (default: 20)')
    parser.add_argument('--threshold', metavar='PERCENT', type=float,
                        help='more cycles than this are a failure')
    parser.add_argument('--json', metavar='F', help='the comparison as JSON; - is stdout')
    parser.add_argument('--force', action='store_true', help='replace files that exist')
    parser.add_argument('a', metavar='A', help='F.sgcap or F.json')
    parser.add_argument('b', metavar='B', nargs='?',
                        help='likewise; without it A at the parameters of --against')
    args = parser.parse_args()
    if args.b is None and not (args.against or args.against_set):
        parser.error('one run: give B, or --against or --against-set')
    if args.top < 0:
        parser.error('--top: expected a number from 0 on')
    if args.json not in (None, '-') and os.path.exists(args.json) and not args.force:
        sim_json.die(f'{args.json} exists; --force replaces it')
    return args


def simulate(args, path, config, changes):
    """Returns the JSON of a run.  Simulates the run unless `path` is a JSON file."""
    if path.endswith('.json'):
        data = sim_json.load(path, (sim_json.CHIP,))
    else:
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, 'run.json')
            command = [args.tool, '--config', config, '--json', out, '--draws']
            for change in changes:
                command += ['--set', change]
            if args.frame:
                command += ['--frame', args.frame]
            status = subprocess.run(command + [path], stdout=subprocess.DEVNULL,
                                    check=False).returncode
            if status:
                sys.exit(status)
            data = sim_json.load(out, (sim_json.CHIP,))
    if len(data['points']) != 1:
        sim_json.die(f"{path}: it is a sweep of {len(data['points'])} points, expected one")
    chip.need_stacks(data, path, sim_json.die)
    return data


def pairs(a, b, keys=('kind', 'items')):
    """Yields pairs of matching operations from A and B, in the order of both runs.  An operation
    without a match is paired with None.  Operations that don't match by all keys may match by the
    first key.
    """
    sides = [[tuple(o[k] for k in keys) for o in side] for side in (a, b)]
    for tag, a0, a1, b0, b1 in difflib.SequenceMatcher(None, *sides, autojunk=False).get_opcodes():
        if tag == 'equal':
            yield from zip(a[a0:a1], b[b0:b1])
        elif tag == 'replace' and len(keys) > 1:
            yield from pairs(a[a0:a1], b[b0:b1], keys[:1])
        else:
            yield from ((o, None) for o in a[a0:a1])
            yield from ((None, o) for o in b[b0:b1])


def causes(frame, operation):
    """Returns the core cycles of an operation by the state of the cores.  Idle cycles are
    attributed to the class of units that worked at that time.
    """
    if not operation:
        return {}
    parts = {}
    for state, cycles in chip.states(chip.cores(frame), operation).items():
        if chip.group(state) == 'idle':
            other = chip.busiest(frame, operation, (chip.cores(frame),))
            state = f'idle ({other} works)' if other else 'idle'
        parts[state] = parts.get(state, 0) + cycles
    return parts


def difference(frame_a, a, frame_b, b):
    """Returns the difference between two operations, split by cause.  The parts add up to the
    difference."""
    before, after = causes(frame_a, a), causes(frame_b, b)
    parts = {s: after.get(s, 0) - before.get(s, 0) for s in {**before, **after}}
    cycles = [o['cycles'] if o else 0 for o in (a, b)]
    one = a or b
    return {'operation': chip.label(one) if 'kind' in one else 'after the last end',
            'packet': one.get('packet'), 'a': cycles[0] if a else None,
            'b': cycles[1] if b else None, 'difference': cycles[1] - cycles[0],
            'causes': dict(sorted(parts.items(), key=lambda p: -abs(p[1])))}


def compare(a, b):
    """Returns a row with the differences for each frame."""
    rows = []
    frames_a, frames_b = (data['points'][0]['frames'] for data in (a, b))
    for fa, fb in zip(frames_a, frames_b):
        operations = [difference(fa, x, fb, y) for x, y in pairs(fa['stacks'], fb['stacks'])]
        operations.append(difference(fa, fa['rest'], fb, fb['rest']))
        total = {}
        for o in operations:
            for state, cycles in o['causes'].items():
                total[state] = total.get(state, 0) + cycles
        rows.append({'frame_a': fa['frame'], 'frame_b': fb['frame'], 'a': fa['cycles'],
                     'b': fb['cycles'], 'difference': fb['cycles'] - fa['cycles'],
                     'causes': dict(sorted(total.items(), key=lambda p: -abs(p[1]))),
                     'operations': operations})
    return rows


def percent(a, b):
    return f'{100 * (b - a) / a:+.1f} %' if a else '-'


def cause_text(parts, least, count=3):
    shown = [f'{state} {round(cycles):+d}' for state, cycles in parts.items()
             if abs(cycles) >= max(least, 1)]
    return ', '.join(shown[:count])


def cell(cycles):
    return '-' if cycles is None else str(cycles)


def print_frame(row, top):
    number = str(row['frame_a']) + (f", {row['frame_b']}" if row['frame_b'] != row['frame_a']
                                    else '')
    print(f"frame {number}: {row['a']} to {row['b']} core cycles, "
          f"{percent(row['a'], row['b'])}")
    if row['difference'] or any(abs(c) >= 1 for c in row['causes'].values()):
        print(f"   {cause_text(row['causes'], 0.005 * max(row['a'], 1), 6)}")
    changed = [o for o in row['operations'] if o['difference']]
    shown = sorted(changed, key=lambda o: -abs(o['difference']))[:top]
    if shown:
        print(f"   {'operation':20} {'A':>10} {'B':>10} {'B - A':>10}  the cores")
    for o in shown:
        print(f"   {o['operation']:20} {cell(o['a']):>10} {cell(o['b']):>10} "
              f"{o['difference']:>+10}  {cause_text(o['causes'], 0.05 * abs(o['difference']))}")
    if len(changed) > len(shown):
        print(f'   and {len(changed) - len(shown)} others')


def main():
    args = parse()
    a = simulate(args, args.a, args.config, args.set)
    b = simulate(args, args.b or args.a, args.against or args.config,
                 args.set + args.against_set)
    count = [len(data['points'][0]['frames']) for data in (a, b)]
    if not min(count):
        sim_json.die('a run has no frames')
    if count[0] != count[1]:
        print(f'sgpu: A has {count[0]} frames, B {count[1]}: the first {min(count)} are compared',
              file=sys.stderr)
    rows = compare(a, b)
    total = [sum(row[side] for row in rows) for side in 'ab']
    if args.json:
        text = json.dumps({'format': 'sgpu-perf-diff', 'version': 1, 'a': total[0],
                           'b': total[1], 'frames': rows}, indent=1) + '\n'
        if args.json == '-':
            print(text, end='')
        else:
            try:
                with open(args.json, 'w', encoding='utf-8') as f:
                    f.write(text)
            except OSError as error:
                sim_json.die(f'{args.json}: {error.strerror}')
    if args.json != '-':
        for row in rows:
            print_frame(row, args.top)
        if len(rows) > 1:
            print(f'all: {total[0]} to {total[1]} core cycles, {percent(*total)}')
    if args.threshold is not None and total[1] > total[0] * (1 + args.threshold / 100):
        print(f'sgpu: {percent(*total)}, more than the {args.threshold:g} % of --threshold',
              file=sys.stderr)
        sys.exit(1)


if __name__ == '__main__':
    main()
