#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The experiment of Wolfe and Noonburg (MICRO-32, 1999): sixteen frames, the figures of the paper,
and a comparison of the values in its text with measured ones.

usage: sgpu sim --experiment micro32 [--frames DIR] [--modern DIR] [--out DIR] [--few]
                                     [--threads N]

  --frames DIR   captures of one frame each, NAME1.sgcap and so on
                 (default: tests/frames/micro32)
  --modern DIR   captures of other scenes, for the part beyond the paper
                 (default: tests/frames/modern)
  --out DIR      writes DIR/micro32.md and DIR/micro32/*.svg (default: docs)
  --few          few points, and nothing beyond the paper
  --threads N    number of points at the same time (default: number of CPUs)

Needs Debian's python3-matplotlib.
"""

import os
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import measure  # noqa: E402
import page  # noqa: E402
import tables  # noqa: E402
from runs import Simulator, die, find_frames, picture  # noqa: E402
from sim_experiment import TOP, make_parser  # noqa: E402

FRAMES = os.path.join(TOP, 'tests', 'frames', 'micro32')


def parse():
    parser = make_parser('micro32', __doc__)
    parser.add_argument('--frames', default=FRAMES)
    parser.add_argument('--modern', default=os.path.join(TOP, 'tests/frames/modern'))
    parser.add_argument('--threads', type=int)
    return parser.parse_args()


def main():
    args = parse()
    with open(os.path.join(HERE, 'published.toml'), 'rb') as file:
        published = tomllib.load(file)
    frames = find_frames(args.frames)
    order = list(published['stand_ins'])
    frames.sort(key=lambda f: (order.index(f.program) if f.program in order else len(order),
                               f.name))
    modern = find_frames(args.modern) if os.path.isdir(args.modern) and not args.few else []
    sim = Simulator(args.tool, measure.RUNS * len(frames) + (
        0 if args.few else measure.RUNS_BEYOND * len(frames) + measure.RUNS_MODERN * len(modern)),
        args.threads)
    measured = []
    for frame in frames:
        m = measure.measure(sim, frame, args.few)
        if not args.few:
            m.beyond.update(measure.measure_beyond(sim, frame))
        measured.append(m)
    scenes = [(frame, *measure.measure_modern(sim, frame)) for frame in modern]
    ours = measure.numbers(measured, published['stand_ins'])
    rows = tables.verdicts(published['value'], ours)
    width = max(len(row[1]) for row in rows)
    print(f'{"value":{width}}  {"published":>16}  {"ours":>16}  verdict')
    for _, text, theirs, mine, verdict in rows:
        print(f'{text:{width}}  {theirs:>16}  {mine:>16}  {verdict}')
    print(f'\n{sim.cycles / 1e6:,.0f} million cycles simulated')
    for m in measured:
        m.pictures.append(picture(args.tool, m.frame))
    try:
        page.write(args.out, published, measured, scenes, rows,
                   args.frames == FRAMES and not args.few)
    except OSError as error:
        die(f'{error.filename}: {error.strerror}')


if __name__ == '__main__':
    main()
