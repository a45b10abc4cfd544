#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The claims of US 8,564,604: each mechanism of the execution unit on and off.

usage: sgpu sim --experiment via [--out DIR] [--few] [--threads N]

  --out DIR      writes DIR/via.md and DIR/via/*.svg (default: docs)
  --few          without the sensitivity to assumed parameters
  --threads N    runs at once (default: the CPUs)

Needs Debian's python3-matplotlib.
"""

import argparse
import os
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.abspath(os.path.join(HERE, '..', '..', '..', '..'))
sys.path.insert(0, HERE)

import measure  # noqa: E402
import page  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(prog='sgpu sim --experiment via', allow_abbrev=False,
                                     usage=__doc__.split('usage: ')[1].split('\n\n')[0])
    parser.add_argument('--tool', required=True, help=argparse.SUPPRESS)
    parser.add_argument('--out', default=os.path.join(TOP, 'docs'))
    parser.add_argument('--few', action='store_true')
    parser.add_argument('--threads', type=int)
    return parser.parse_args()


def main():
    args = parse()
    with open(os.path.join(HERE, 'published.toml'), 'rb') as file:
        claims = tomllib.load(file)['claim']
    measured = measure.measure(args.tool, claims, args.few, args.threads)
    rows = page.verdict_rows(measured)
    width = max(len(row[1]) for row in rows)
    for _, text, _, gain, others, verdict in rows:
        print(f'{text:{width}}  {gain:>12}  {others:>12}  {verdict}')
    print(f'\n{measured.cycles / 1e6:,.1f} million cycles simulated')
    try:
        page.write(args.out, measured)
    except OSError as error:
        sys.exit(f'sgpu: {error.filename}: {error.strerror}')


if __name__ == '__main__':
    main()
