#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The chip of Lindholm and others (IEEE Micro, 2008): its peak rates, measured by microbenchmarks
on the whole chip; published measurements of real hardware, compared with those of the model; and
the dependence of both on assumed parameters.

usage: sgpu sim --experiment tesla [--out DIR] [--few] [--threads N]

  --out DIR    writes DIR/tesla.md and DIR/tesla/*.svg (default: docs)
  --few        without the sensitivity to assumed parameters
  --threads N  number of runs at the same time (default: number of CPUs)

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


def parse():
    parser = make_parser('tesla', __doc__)
    parser.add_argument('--threads', type=int)
    return parser.parse_args()


def main():
    args = parse()
    with open(os.path.join(HERE, 'published.toml'), 'rb') as file:
        published = tomllib.load(file)
    sim = measure.Simulator(args.tool, args.threads)
    measured = measure.measure(sim, published)
    rows = page.peak_rows(published, measured.numbers) + page.hardware_rows(published, measured)
    width = max(len(row.text) for row in rows)
    print(f'{"value":{width}}  {"published":>14}  {"ours":>10}  {"error, %":>9}')
    for row in rows:
        print(f'{row.text:{width}}  {row.published:>14}  {row.ours:>10}  {row.error:>9}')
    try:
        page.write(TOP, args.out, published, measured)
        if not args.few:
            # This takes longer than everything else, and the page is complete without it.
            measure.measure_sensitivity(sim, published, measured)
            page.write(TOP, args.out, published, measured)
    except OSError as error:
        measure.die(f'{error.filename}: {error.strerror}')
    print(f'\n{sim.cycles / 1e6:,.1f} million core cycles simulated')


if __name__ == '__main__':
    main()
