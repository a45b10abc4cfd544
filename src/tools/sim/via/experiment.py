#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The claims of US 8,564,604: runs with each mechanism of the execution unit on and off.

usage: sgpu sim --experiment via [--captures DIR] [--out DIR] [--few] [--threads N]

  --captures DIR captures of programs (default: tests/captures)
  --out DIR      writes DIR/via.md and DIR/via/*.svg (default: docs)
  --few          without programs, and without the sensitivity to assumed parameters
  --threads N    number of runs at the same time (default: number of CPUs)

Needs Debian's python3-matplotlib.
"""

import os
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = 'gears', 'ideas', 'texture', 'shadow', 'samples8', 'jellyfish', 'grids'
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import measure  # noqa: E402
import page  # noqa: E402
from sim_experiment import TOP, make_parser  # noqa: E402


def parse():
    parser = make_parser('via', __doc__)
    parser.add_argument('--captures', default=os.path.join(TOP, 'tests/captures'))
    parser.add_argument('--threads', type=int)
    return parser.parse_args()


def main():
    args = parse()
    with open(os.path.join(HERE, 'published.toml'), 'rb') as file:
        claims = tomllib.load(file)['claim']
    captures = [] if args.few else [os.path.join(args.captures, name + '.sgcap')
                                    for name in PROGRAMS]
    runs = measure.Runs(args.tool, args.threads)
    measured = measure.measure(runs, claims, captures)
    rows = page.verdict_rows(measured)
    width = max(len(row[1]) for row in rows)
    for _, text, _, gain, others, verdict in rows:
        print(f'{text:{width}}  {gain:>12}  {others:>12}  {verdict}')
    try:
        page.write(args.out, measured)
        if not args.few:
            # This takes longer than everything else, and the page is complete without it.
            measure.measure_sensitivity(runs, measured)
            page.write(args.out, measured)
    except OSError as error:
        sys.exit(f'sgpu: {error.filename}: {error.strerror}')
    print(f'\n{runs.cycles() / 1e6:,.1f} million cycles simulated')


if __name__ == '__main__':
    main()
