#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sgpu bench workers: simulates the speedup with more workers.

sgpu-cap replays a capture with any number of workers in virtual time.  The pieces of work run one
after the other on this machine.  The device's scheduler assigns them to the workers, using the
times that the pieces took.
"""

import argparse
import json
import os
import re
import statistics
import sys

import limited
from bench_instructions import find_capture
from gl_common import fail, tell_progress

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
LIMIT = 3600.0  # time limit in seconds for the replay with one worker count
LOOP = re.compile(r'^loop \d+: ([\d.]+) ms, (\d+) frames', re.MULTILINE)
SUMS = re.compile(r'in virtual time: ([\d.]+) % work, ([\d.]+) % wait for the lock')


def read_run(text):
    """Parses the output of sgpu-cap.  Returns a list with the milliseconds per frame for each loop,
    and the percentages of time that the workers work and wait for the lock.  Excludes the first
    loop, which fills the caches.  A capture without presentations counts as one frame.  Returns
    None if there are no loops.
    """
    loops = [float(ms) / max(1, int(frames)) for ms, frames in LOOP.findall(text)]
    sums = SUMS.search(text)
    return (loops[1:], float(sums[1]), float(sums[2])) if len(loops) > 1 and sums else None


def measure(build, capture, workers, loops, slow):
    tool = os.path.join(build, 'src/tools/capture/sgpu-cap')
    # Translation in the background would run on another processor.
    env = os.environ | {'SGPU_EXEC': os.environ.get('SGPU_EXEC', 'jit')}
    try:
        run = limited.run([tool, 'replay', '--virtual', '--slow', str(slow), '--threads',
                           str(workers), '--loop', str(loops + 1), capture], LIMIT, env=env)
    except limited.Late as late:
        fail(late)
    result = None if run.returncode else read_run(run.stdout)
    if result is None:
        sys.stderr.write(run.stdout + run.stderr)
        fail(f'{capture} could not be replayed')
    return result


def summarize(runs):
    """Returns the medians over all rounds for one worker count."""
    return {'ms': statistics.median(ms for loops, _, _ in runs for ms in loops),
            'work': statistics.median(work for _, work, _ in runs),
            'lock': statistics.median(lock for _, _, lock in runs)}


def numbers(text):
    counts = [int(word) for word in text.split(',')]
    if not all(1 <= count <= 256 for count in counts):
        raise ValueError
    return counts


def plot(path, result):
    """Plots the speedup against the number of workers, as SVG or PNG depending on the file name."""
    sys.path.insert(0, os.path.join(TOP, 'src/tools/sim'))
    from sim_svg import COLOURS, MARKS, plt  # pylint: disable=import-outside-toplevel
    figure, ax = plt.subplots(figsize=(6, 4))
    for index, (name, rows) in enumerate(result.items()):
        counts = list(rows)
        ax.plot(counts, [rows[counts[0]]['ms'] / rows[count]['ms'] for count in counts],
                marker=MARKS[index % len(MARKS)], color=COLOURS[index % len(COLOURS)], label=name)
    ax.plot(counts, [count / counts[0] for count in counts], color='black', linewidth=0.8)
    ax.set_xscale('log', base=2)
    ax.set_yscale('log', base=2)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(lambda value, _: f'{value:g}')
    ax.grid(True, alpha=0.3)
    ax.set_xlabel('workers')
    ax.set_ylabel(f'times as fast as {counts[0]}')
    ax.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, facecolor='white', dpi=110)
    plt.close(figure)


def parse_args():
    parser = argparse.ArgumentParser(prog='sgpu bench workers', allow_abbrev=False)
    parser.add_argument('captures', nargs='+')
    parser.add_argument('--build', required=True, help=argparse.SUPPRESS)
    parser.add_argument('--workers', type=numbers, default=[1, 2, 4, 8, 16, 32])
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--loops', type=int, default=6)
    parser.add_argument('--slow', type=int, choices=range(1, 101), default=1, metavar='N')
    parser.add_argument('--json')
    parser.add_argument('--plot')
    return parser.parse_args()


def main():
    args = parse_args()
    result = {}
    print(f'{"milliseconds per frame":24}' + ''.join(f'{n} worker{"s" if n > 1 else ""}'.rjust(15)
                                                      for n in args.workers))
    for path in [find_capture(name) for name in args.captures]:
        name = os.path.basename(path).removesuffix('.sgcap')
        runs = {count: [] for count in args.workers}
        for turn in range(args.rounds):
            for count in args.workers:
                tell_progress(f'{name}: round {turn + 1} of {args.rounds}, {count} workers', False)
                runs[count].append(measure(args.build, path, count, args.loops, args.slow))
        if sys.stderr.isatty():
            tell_progress(f'{name}: {args.rounds} rounds', True)
        rows = result[name] = {count: summarize(runs[count]) for count in args.workers}
        first = rows[args.workers[0]]['ms']
        for label, cells in (
                (name, [f'{row["ms"]:.3f}' for row in rows.values()]),
                ('  times as fast', [f'{first / row["ms"]:.2f}' for row in rows.values()]),
                ('  % at work', [f'{row["work"]:.0f}' for row in rows.values()]),
                ('  % waiting for the lock', [f'{row["lock"]:.1f}' for row in rows.values()])):
            print(f'{label:24}' + ''.join(f'{cell:>15}' for cell in cells), flush=True)
    if args.json:
        with open(args.json, 'w', encoding='utf-8') as file:
            json.dump(result, file, indent=1)
            file.write('\n')
    if args.plot:
        plot(args.plot, result)


if __name__ == '__main__':
    main()
