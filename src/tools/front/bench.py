#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures workloads on sgpu and on the system's other software drivers.

Runs alternate, so that other load of the machine meets all drivers; a
ratio is formed within each pair of neighbouring runs.  The interval of the
median ratio comes from the order statistics, which assume nothing about the
distribution.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys

import profile_blocks
from gl_common import OURS, check_driver, environment_of, tell_progress
from gl_traces import TOOLS, open_trace

DEFAULT_WORKLOADS = ['glxgears'] + [
    f'glmark2:{scene}' for scene in ('build', 'texture', 'shading', 'bump')]
COMPUTE = ['particles', 'blur', 'reduction', 'matrix', 'scan']
CONFIDENCE = 0.95
WARM_UP = 0.5


def command_of(workload):
    """The command that draws this workload for as long as it may."""
    if workload == 'glxgears':
        return ['glxgears']
    if workload == 'es2gears':
        return ['es2gears_x11']
    if workload.endswith('.trace'):
        return [TOOLS[open_trace(workload).api], '--benchmark', '--loop=-1',
                workload]
    program, _, scene = workload.partition(':')
    if program == 'compute' and scene in COMPUTE:
        return [scene]
    if program in ('glmark2', 'glmark2-es2') and scene:
        return [program, '--run-forever', '-b', scene]
    sys.exit(f"sgpu: no workload '{workload}'")


def tool_of(tools, workload):
    """The tool that counts its frames, of programs with windows or of compute programs."""
    return os.path.join(tools, 'bench/sgpu-compute' if workload.startswith('compute:')
                        else 'screenshot/sgpu-shot')


def measure(tools, workload, env, seconds):
    """Frames per second of one run."""
    run = subprocess.run(
        [tool_of(tools, workload), '-w', str(WARM_UP), '-s', str(seconds),
         *command_of(workload)],
        env=env, capture_output=True, text=True)
    try:
        frames, elapsed = run.stdout.splitlines()[-1].split()
        return int(frames) / float(elapsed)
    except (IndexError, ValueError, ZeroDivisionError):
        sys.stderr.write(run.stderr)
        sys.exit(f'sgpu: {workload} could not be measured')


def median_interval(values):
    """Lower and upper end of the median's interval: the k-th value from
    either end, where the median lies outside with at most the remaining
    probability."""
    ordered = sorted(values)
    count = len(ordered)
    tail, k = 0.0, 0
    while k < count // 2:
        tail += math.comb(count, k) / 2 ** count
        if 2 * tail > 1 - CONFIDENCE:
            break
        k += 1
    if k == 0:
        return math.nan, math.nan
    return ordered[k - 1], ordered[-k]


def run_workload(workload, drivers, args, envs):
    """Frames per second of each driver, a list in the order of the pairs."""
    samples = {driver: [] for driver in drivers}
    for pair in range(args.pairs):
        # Who goes first changes from pair to pair.
        order = drivers[pair % len(drivers):] + drivers[:pair % len(drivers)]
        for driver in order:
            samples[driver].append(
                measure(args.tools, workload, envs[driver], args.seconds))
        tell_progress(f'{workload} {pair + 1}/{args.pairs}',
                      pair + 1 == args.pairs)
    return samples


def summarize(samples):
    """Per opponent the median of the ratios within pairs, and its interval."""
    summary = {}
    for driver, values in samples.items():
        if driver == OURS:
            continue
        ratios = [ours / theirs for ours, theirs in
                  zip(samples[OURS], values)]
        low, high = median_interval(ratios)
        summary[driver] = {'ratio': statistics.median(ratios),
                           'low': low, 'high': high}
    return summary


def print_means(summaries):
    """Geometric means of the ratios over all workloads."""
    text = f'{"geometric mean":24} {"":9}'
    for driver in summaries[0]:
        ratios = [summary[driver]['ratio'] for summary in summaries]
        text += (f'   {"":9} {statistics.geometric_mean(ratios):6.2f} '
                 f'(least {min(ratios):.2f})')
    print(text, flush=True)


def print_row(workload, samples, summary):
    text = f'{os.path.basename(workload):24} {statistics.median(samples[OURS]):9.1f}'
    for driver, result in summary.items():
        text += (f'   {statistics.median(samples[driver]):9.1f} '
                 f'{result["ratio"]:6.2f} '
                 f'({result["low"]:.2f} to {result["high"]:.2f})')
    print(text, flush=True)


def parse_args():
    parser = argparse.ArgumentParser(prog='sgpu bench', allow_abbrev=False)
    parser.add_argument('workloads', nargs='*')
    parser.add_argument('--build', required=True)
    parser.add_argument('--environment', required=True)
    parser.add_argument('--against', default='llvmpipe,softpipe')
    parser.add_argument('--pairs', type=int, default=15)
    parser.add_argument('--seconds', type=float, default=2)
    parser.add_argument('--profile', action='store_true')
    parser.add_argument('--json')
    args = parser.parse_args()
    args.workloads = args.workloads or DEFAULT_WORKLOADS
    args.tools = os.path.join(args.build, 'src/tools')
    return args


def main():
    args = parse_args()
    opponents = args.against.split(',')
    drivers = [OURS] + opponents
    envs = {driver: environment_of(driver, args.environment)
            for driver in drivers}
    for workload in args.workloads:
        command_of(workload)
    if args.profile:
        for workload in args.workloads:
            profile_blocks.profile(workload, tool_of(args.tools, workload),
                                   command_of(workload),
                                   envs[OURS], args.build, args.seconds, WARM_UP)
        return
    for driver in drivers:
        print(f'{driver}: {check_driver(driver, envs[driver])}', file=sys.stderr)

    print(f'{"frames per second":24} {OURS:>9}' + ''.join(
        f'   {driver:>9} {"ratio":>6} (95 % interval)'
        for driver in opponents))
    report = []
    for workload in args.workloads:
        samples = run_workload(workload, drivers, args, envs)
        summary = summarize(samples)
        print_row(workload, samples, summary)
        report.append({'workload': workload, 'fps': samples,
                       'ratios': summary})
    if len(report) > 1:
        print_means([row['ratios'] for row in report])
    if args.json:
        with open(args.json, 'w', encoding='utf-8') as file:
            json.dump({'pairs': args.pairs, 'seconds': args.seconds,
                       'warm_up': WARM_UP, 'processors': os.cpu_count(),
                       'workloads': report}, file, indent=1)
            file.write('\n')


if __name__ == '__main__':
    main()
