#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The vertex engine of Lindholm, Kilgard, Moreton (SIGGRAPH 2001): microbenchmarks, vertex
programs of captures, and a comparison of the values in the paper's text with measured ones.

usage: sgpu sim --experiment nv20 [--captures DIR]... [--out DIR] [--few]

  --captures DIR  captures whose vertex programs are run; may be given several times
                  (default: tests/captures and the folders of tests/frames)
  --out DIR       writes DIR/nv20.md and DIR/nv20/*.svg (default: docs)
  --few           few points

Needs Debian's python3-matplotlib.
"""

import os
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import measure  # noqa: E402
import page  # noqa: E402
from sim_experiment import TOP, make_parser  # noqa: E402

CAPTURES = [os.path.join(TOP, 'tests', *folder) for folder in
            (('captures',), ('frames', 'micro32'), ('frames', 'modern'))]


def parse():
    parser = make_parser('nv20', __doc__)
    parser.add_argument('--captures', action='append')
    return parser.parse_args()


def main():
    args = parse()
    with open(os.path.join(HERE, 'published.toml'), 'rb') as file:
        published = tomllib.load(file)
    sim = measure.Simulator(args.tool)
    measured = measure.measure(sim, measure.find_captures(args.captures or CAPTURES), args.few)
    rows = page.verdicts(published['value'], measure.numbers(measured))
    width = max(len(row.text) for row in rows)
    print(f'{"value":{width}}  {"published":>12}  {"ours":>16}  verdict')
    for row in rows:
        print(f'{row.text:{width}}  {row.published:>12}  {row.ours:>16}  {row.verdict}')
    print(f'\n{sim.cycles / 1e6:,.1f} million cycles simulated')
    try:
        page.write(args.out, measured, rows)
    except OSError as error:
        measure.die(f'{error.filename}: {error.strerror}')


if __name__ == '__main__':
    main()
