#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays captures with each fast path of the device turned off, and compares the
hashes with the captured ones.  Also compares the table of --plans with the counters.

usage: check_paths.py SGPU-CAP FILE.sgcap...
"""

import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, 'src/device'))
from sgpu_paths import PATHS  # noqa: E402  pylint: disable=wrong-import-position


def numbers(text, prefix, names):
    """Returns the number of draws for each path, from rows that begin with its name."""
    rows = (line.split() for line in text.splitlines())
    return {row[0].removeprefix(prefix): int(row[1]) for row in rows
            if len(row) > 1 and row[0] in {prefix + name for name in names}}


def replay(tool, capture, debug, option='--counters'):
    result = subprocess.run([tool, 'replay', option, '--threads', '2', capture],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                            encoding='utf-8', env=os.environ | {'SGPU_DEBUG': debug})
    if result.returncode:
        sys.exit(f'{capture}, SGPU_DEBUG={debug}: status {result.returncode}\n{result.stdout}')
    return result.stdout


def main():
    tool, captures = sys.argv[1], sys.argv[2:]
    names = [name for name, *_ in PATHS]
    for capture in captures:
        draws = numbers(replay(tool, capture, ''), 'draws_', names)
        planned = numbers(replay(tool, capture, '', '--plans'), '', names)
        if planned != draws:
            sys.exit(f'{capture}: --plans has {planned}, counted are {draws}')
        for name in names:
            # To turn off a path that no draw has would have no effect.
            if not draws[name]:
                continue
            if numbers(replay(tool, capture, 'nopath=' + name), 'draws_', names)[name]:
                sys.exit(f'{capture}: draws have the path {name}, which is turned off')
        replay(tool, capture, ','.join('nopath=' + name for name in names))
        print(f'{os.path.basename(capture)}: {sum(1 for n in names if draws[n])} paths')


if __name__ == '__main__':
    main()
