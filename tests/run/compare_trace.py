#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays a GL trace on sgpu and on llvmpipe (or softpipe) and compares every frame.

A trace is recorded first when a program is given instead.  `sgpu trace` and
`sgpu retrace` do it; this puts one after the other.

    compare_trace.py [options] --trace F.trace
    compare_trace.py [options] -- PROGRAM ...
"""

import argparse
import os
import subprocess
import sys
import tempfile

SGPU = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../sgpu')


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--trace')
    parser.add_argument('--egl', action='store_true', help='found out by itself by now')
    parser.add_argument('--calls', help='what to compare instead of frames')
    parser.add_argument('--frames', type=int, default=10, help='how many frames to record')
    parser.add_argument('--seconds', type=float, help='how long to record at most')
    parser.add_argument('--timeout', default='600')
    parser.add_argument('--same', type=float, default=0.999,
                        help='share of pixels that must be within 2/255')
    parser.add_argument('--against', default='llvmpipe', help='llvmpipe or softpipe')
    parser.add_argument('--hashes', action='store_true',
                        help='also replay with 1, 2 and 4 threads and every policy')
    parser.add_argument('--keep', metavar='DIR', help='keep the pictures, and the differences')
    parser.add_argument('program', nargs='*')
    args = parser.parse_args()
    if bool(args.trace) == bool(args.program):
        parser.error('a trace or a program')

    with tempfile.TemporaryDirectory() as folder:
        trace = args.trace
        if args.program:
            trace = os.path.join(folder, 'program.trace')
            subprocess.run(
                [SGPU, 'trace', '-o', trace, '--frames', f'0-{args.frames - 1}',
                 *(['--seconds', str(args.seconds)] if args.seconds else []), '--',
                 *args.program])
            if not os.path.exists(trace):
                return 2
        return subprocess.run(
            [SGPU, 'retrace', trace, '--against', args.against,
             '--share', str(args.same * 100), '--timeout', args.timeout,
             '--snapshots', args.keep or os.path.join(folder, 'pictures'),
             *(['--calls', args.calls] if args.calls else []),
             *(['--settings'] if args.hashes else [])]).returncode


if __name__ == '__main__':
    sys.exit(main())
