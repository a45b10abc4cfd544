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
import os
import statistics
import subprocess
import sys

import bench_cold
import bench_micro
import bench_programs
import bench_statistics
import profile_blocks
from bench_groups import COMPUTE, expand
from gl_common import OURS, check_driver, environment_of, say, tell_progress
from gl_traces import TOOLS, open_trace

WARM_UP = 0.5


def command_of(workload):
    """The command that draws this workload for as long as it may."""
    if workload == 'glxgears':
        return ['glxgears']
    if workload == 'es2gears':
        return ['es2gears_x11']
    if workload.startswith('cold:'):
        return bench_cold.command_of(workload)
    if workload.endswith('.trace'):
        return [TOOLS[open_trace(workload).api], '--benchmark', '--loop=-1',
                workload]
    program, _, scene = workload.partition(':')
    if program in ('micro', 'program'):
        return [scene]
    if program == 'compute' and scene in COMPUTE:
        return [scene]
    if program in ('glmark2', 'glmark2-es2') and scene:
        return [program, '--run-forever', '-b', scene]
    sys.exit(f"sgpu: no workload '{workload}'")


def tool_of(tools, workload):
    """The tool that counts its frames, of programs with windows or of compute programs."""
    return os.path.join(tools, 'bench/sgpu-compute' if workload.startswith('compute:')
                        else 'screenshot/sgpu-shot')


def measure(tools, workload, driver, env, seconds):
    """Frames per second of one run; None if the driver cannot run it."""
    if workload.startswith('micro:'):
        return bench_micro.measure(tools, workload, env, seconds, WARM_UP)
    if workload.startswith('program:'):
        return bench_programs.measure(tools, workload, env, seconds)
    if workload.startswith('cold:'):
        return bench_cold.measure(tools, workload, env, driver)
    run = subprocess.run(
        [tool_of(tools, workload), '-w', str(WARM_UP), '-s', str(seconds),
         *command_of(workload)],
        env=env, capture_output=True, text=True)
    try:
        frames, elapsed = run.stdout.splitlines()[-1].split()
        return int(frames) / float(elapsed)
    except (IndexError, ValueError, ZeroDivisionError):
        sys.stderr.write(run.stderr)
        return None


def run_workload(workload, drivers, args, envs):
    """Frames per second of each driver, a list in the order of the pairs, None if the driver
    cannot run the workload; None if sgpu cannot."""
    samples = {driver: [] for driver in drivers}
    for pair in range(args.pairs):
        # Who goes first changes from pair to pair.
        order = drivers[pair % len(drivers):] + drivers[:pair % len(drivers)]
        for driver in order:
            if samples[driver] is None:
                continue
            value = measure(args.tools, workload, driver, envs[driver], args.seconds)
            if value is None:
                say(f'{workload} does not run on {driver}')
                samples[driver] = None
            else:
                samples[driver].append(value)
        if samples[OURS] is None:
            return None
        tell_progress(f'{workload} {pair + 1}/{args.pairs}',
                      pair + 1 == args.pairs)
    return samples


def profile(workload, env, args):
    """Prints sgpu's time by hardware block."""
    tool = tool_of(args.tools, workload)
    if not workload.startswith('program:'):
        profile_blocks.profile(workload, tool, command_of(workload), env, args.build,
                               args.seconds, WARM_UP)
        return
    with bench_programs.prepared(workload, env) as (command, program_env):
        profile_blocks.profile(workload, tool, command, program_env, args.build, args.seconds,
                               bench_programs.START)


def print_means(report, opponents):
    """Geometric means of the ratios over all workloads that both drivers ran."""
    text = f'{"geometric mean":28} {"":9}'
    for driver in opponents:
        means = bench_statistics.geometric_mean([row['fps'] for row in report], driver)
        text += f'   {"":9} ' + (
            f'{means["ratio"]:6.2f} ({means["low"]:.2f} to {means["high"]:.2f}; '
            f'{means["workloads"]} workloads, least {means["least"]:.2f})' if means else 'none')
    print(text, flush=True)


def print_row(workload, samples, summary, limit=''):
    text = f'{os.path.basename(workload):28} {statistics.median(samples[OURS]):9.1f}'
    for driver, result in summary.items():
        if result is None:
            text += f'   {"-":>9} {"-":>6} (does not run)'
            continue
        text += (f'   {statistics.median(samples[driver]):9.1f} '
                 f'{result["ratio"]:6.2f} '
                 f'({result["low"]:.2f} to {result["high"]:.2f})')
    if limit:
        text += f'   {limit}'
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
    parser.add_argument('--plot')
    parser.add_argument('--traces', default=os.environ.get('SGPU_TRACES'))
    args = parser.parse_args()
    args.workloads = expand(args.workloads, args.traces, args.build)
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
            profile(workload, envs[OURS], args)
        return
    for driver in drivers:
        print(f'{driver}: {check_driver(driver, envs[driver])}', file=sys.stderr)

    print(f'{"frames per second":28} {OURS:>9}' + ''.join(
        f'   {driver:>9} {"ratio":>6} (95 % interval)'
        for driver in opponents))
    report, is_complete = [], True
    copy = bench_micro.copy_bandwidth(args.tools) if any(
        workload.startswith('micro:') for workload in args.workloads) else None
    if copy:
        print(f'a copy by all processors: {copy / 1e9:.1f} GB/s, read and written', flush=True)
    for workload in args.workloads:
        samples = run_workload(workload, drivers, args, envs)
        if samples is None:
            is_complete = False
            continue
        summary = bench_statistics.summarize(samples)
        row = {'workload': workload, 'fps': samples, 'ratios': summary}
        limit = ''
        if workload.startswith('micro:'):
            row['limit'] = bench_micro.limit(workload, statistics.median(samples[OURS]), copy)
            limit = bench_micro.limit_text(row['limit'])
        elif workload.startswith('cold:'):
            row['own'] = bench_cold.shares(workload, drivers)
            limit = (f'{1000 / statistics.median(samples[OURS]):.0f} ms'
                     f'{bench_cold.share_text(row["own"])}')
        print_row(workload, samples, summary, limit)
        report.append(row)
    if len(report) > 1:
        print_means(report, opponents)
    result = {'pairs': args.pairs, 'seconds': args.seconds, 'warm_up': WARM_UP,
              'processors': os.cpu_count(), 'copy_bytes_a_second': copy, 'drivers': drivers,
              'means': {driver: bench_statistics.geometric_mean(
                  [row['fps'] for row in report], driver) for driver in opponents},
              'workloads': report}
    if args.json:
        with open(args.json, 'w', encoding='utf-8') as file:
            json.dump(result, file, indent=1)
            file.write('\n')
    if args.plot and report:
        import bench_plot  # pylint: disable=import-outside-toplevel
        bench_plot.plot(args.plot, result)
    sys.exit(0 if is_complete else 1)


if __name__ == '__main__':
    main()
