#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures workloads on sgpu and on the system's other software drivers.

The drivers take turns, so that other load on the machine affects all of them.  A ratio is computed
for each pair of adjacent runs.  The confidence interval of the median ratio is based on order
statistics, which do not depend on the distribution.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile

import bench_cold
import bench_micro
import bench_programs
import bench_statistics
import limited
import profile_blocks
from bench_groups import COMPUTE, expand
from gl_common import OURS, check_driver, environment_of, fail, is_ours, say, tell_progress
from gl_traces import TOOLS, open_trace, without_tail
from printable import printable

WARM_UP = 0.5  # duration in seconds of the warm-up run before the measurement
# temporary directory with copies of traces that end after their last frame, and the traces by
# workload
copies = tempfile.TemporaryDirectory(prefix='sgpu-bench-')
traces = {}


def trace_of(workload):
    """Returns the trace of a workload without the calls after its last frame.  The player
    repeats this frame."""
    if workload not in traces:
        traces[workload] = without_tail(open_trace(workload), copies.name)
    return traces[workload]


def command_of(workload):
    """Returns the command that draws this workload until it is terminated."""
    if workload == 'glxgears':
        return ['glxgears']
    if workload == 'es2gears':
        return ['es2gears_x11']
    if workload.startswith('cold:'):
        return bench_cold.command_of(workload)
    if workload.endswith('.trace'):
        trace = trace_of(workload)
        return [TOOLS[trace.api], '--benchmark', '--loop=-1', trace.path]
    program, _, scene = workload.partition(':')
    if program in ('micro', 'program'):
        return [scene]
    if program == 'compute' and scene in COMPUTE:
        return [scene]
    if program in ('glmark2', 'glmark2-es2') and scene:
        return [program, '--run-forever', '-b', scene]
    fail(f"no workload '{workload}'")
    return None


def tool_of(tools, workload):
    """Returns the tool that runs a program and counts its frames."""
    return os.path.join(tools, 'bench/sgpu-compute' if workload.startswith('compute:')
                        else 'screenshot/sgpu-shot')


def measure(args, workload, driver, env):
    """Returns the frames per second of one run, or None if the driver can't run the workload or
    exceeds the time limit."""
    try:
        return measure_in_time(args, workload, driver, env)
    except limited.Late as late:
        say(f'{workload} on {driver}: {late}')
        return None


def measure_in_time(args, workload, driver, env):
    tools, seconds = args.tools, args.seconds
    if workload.startswith('micro:'):
        return bench_micro.measure(tools, workload, env, seconds, WARM_UP, args.limit)
    if workload.startswith('program:'):
        return bench_programs.measure(tools, workload, env, seconds, args.limit)
    if workload.startswith('cold:'):
        return bench_cold.measure(tools, workload, env, driver, args.limit)
    run = limited.run(
        [tool_of(tools, workload), '-w', str(WARM_UP), '-s', str(seconds),
         *command_of(workload)], WARM_UP + seconds + args.limit, env=env)
    try:
        frames, elapsed = run.stdout.splitlines()[-1].split()
        return int(frames) / float(elapsed)
    except (IndexError, ValueError, ZeroDivisionError):
        say(run.stderr[-2000:])
        return None


def run_workload(workload, drivers, args, envs):
    """Measures a workload on all drivers.  Returns for each driver a list of the frames per second
    in all pairs, or None if the driver can't run the workload."""
    samples = {driver: [] for driver in drivers}
    for pair in range(args.pairs):
        # Rotate the order from pair to pair.  In the first pair, sgpu runs last, so that drivers
        # that can't run the workload are reported before it.
        first = (pair + 1) % len(drivers)
        order = drivers[first:] + drivers[:first]
        for driver in order:
            if samples[driver] is None:
                continue
            value = measure(args, workload, driver, envs[driver])
            if value is None:
                say(f'{workload} does not run on {driver}')
                samples[driver] = None
            else:
                samples[driver].append(value)
        if samples[OURS] is None:
            break
        tell_progress(f'{workload} {pair + 1}/{args.pairs}',
                      pair + 1 == args.pairs)
    return samples


def profile(workload, env, args):
    """Prints sgpu's time for a workload, split by hardware block."""
    tool = tool_of(args.tools, workload)
    if not workload.startswith('program:'):
        profile_blocks.profile(workload, tool, command_of(workload), env, args.build,
                               args.seconds, WARM_UP)
        return
    with bench_programs.prepared(workload, env) as (command, program_env):
        profile_blocks.profile(workload, tool, command, program_env, args.build, args.seconds,
                               bench_programs.START)


def print_means(report, opponents, pairs):
    """Prints the geometric means of the ratios over all workloads that both drivers have run."""
    text = f'{"geometric mean":28} {"":9}'
    for driver in opponents:
        means = bench_statistics.geometric_mean([row['fps'] for row in report], driver)
        text += f'   {"":9} ' + (
            f'{means["ratio"]:6.2f} ({bench_statistics.interval_text(means, pairs)}; '
            f'{means["workloads"]} workloads, least {means["least"]:.2f})' if means else 'none')
    print(text, flush=True)


def print_row(workload, samples, summary, limit=''):
    text = f'{os.path.basename(workload):28} {statistics.median(samples[OURS]):9.1f}'
    for driver, result in summary.items():
        if result is None:
            text += f'   {"-":>9} {"-":>6} (does not run)'
            continue
        text += (f'   {statistics.median(samples[driver]):9.1f} {result["ratio"]:6.2f} '
                 f'({bench_statistics.interval_text(result, len(samples[driver]))})')
    if limit:
        text += f'   {limit}'
    print(printable(text), flush=True)


def parse_args():
    parser = argparse.ArgumentParser(prog='sgpu bench', allow_abbrev=False)
    parser.add_argument('workloads', nargs='*')
    parser.add_argument('--build', required=True)
    parser.add_argument('--environment', required=True)
    parser.add_argument('--against', default='llvmpipe,softpipe')
    parser.add_argument('--pairs', type=int, default=15)
    parser.add_argument('--seconds', type=float, default=2)
    parser.add_argument('--limit', type=float, default=300)
    parser.add_argument('--profile', action='store_true')
    parser.add_argument('--json')
    parser.add_argument('--plot')
    parser.add_argument('--traces', default=os.environ.get('SGPU_TRACES'))
    args = parser.parse_args()
    args.workloads = expand(args.workloads, args.traces, args.build)
    args.tools = os.path.join(args.build, 'src/tools')
    return args


def check_workloads(args, opponents):
    """Exits if a workload is missing.  Reports drivers that don't run all workloads."""
    missing = []
    for workload in args.workloads:
        kind, _, name = workload.partition(':')
        if kind == 'program':
            missing += bench_programs.why_missing(workload)
        elif kind == 'micro' and name not in bench_micro.names(args.tools):
            missing.append(f"{workload}: there is no micro-benchmark '{name}'")
        command_of(workload)
    for text in missing:
        say(text)
    if missing:
        fail('nothing was measured: these workloads are missing')
    for driver in opponents:
        others = [workload for workload in args.workloads
                  if driver == bench_programs.SWIFTSHADER and workload != 'program:webgl']
        if others:
            say(f'{driver} runs only program:webgl, and not {", ".join(others)}')


def main():
    limited.exit_on_signals()
    args = parse_args()
    opponents = args.against.split(',')
    drivers = [OURS] + opponents
    envs = {driver: environment_of(driver, args.environment)
            for driver in drivers}
    check_workloads(args, opponents)
    if args.profile:
        for workload in args.workloads:
            try:
                profile(workload, envs[OURS], args)
            except limited.Late as late:
                fail(late)
        return
    for driver in drivers:
        print(f'{driver}: {check_driver(driver, envs[driver])}', file=sys.stderr)

    print(f'{"frames per second":28} {OURS:>9}' + ''.join(
        f'   {driver:>9} {"ratio":>6} (95 % interval)'
        for driver in opponents))
    report, status = [], 0
    copy = bench_micro.copy_bandwidth(args.tools) if any(
        workload.startswith('micro:') for workload in args.workloads) else None
    if copy:
        print(f'a copy by all processors: {copy / 1e9:.1f} GB/s, read and written', flush=True)
    for workload in args.workloads:
        samples = run_workload(workload, drivers, args, envs)
        if samples[OURS] is None:
            # If no other driver can run the workload, sgpu has not failed.
            others = [driver for driver in opponents if not is_ours(driver)]
            if others and all(samples[driver] is None for driver in others):
                say(f'{workload} runs on none of {", ".join(drivers)}')
                status = status or 2
            else:
                status = 1
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
        print_means(report, opponents, args.pairs)
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
    sys.exit(status)


if __name__ == '__main__':
    main()
