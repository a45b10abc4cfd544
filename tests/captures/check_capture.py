#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays a capture on several devices.  Compares the hashes with the captured ones, the
contents of all buffers with each other, and the text of the capture with the file next
to it.

The text may have new lines (new fields of packets), but must have all lines of the
file, in the same order.

usage: check_capture.py SGPU-CAP FILE.sgcap [--quick]
"""

import lzma
import os
import shlex
import subprocess
import sys


def run(*arguments):
    wrapper = shlex.split(os.environ.get('SGPU_WRAPPER', ''))
    return subprocess.run([*wrapper, *arguments], stdout=subprocess.PIPE, check=False,
                          encoding='utf-8')


def main():
    tool, capture = sys.argv[1:3]
    devices = [('1', 'inorder'), ('2', 'ooo'), ('4', 'ooo+split'), ('1', 'ooo+split+break'),
               ('4', 'ooo+split+break')]
    if '--quick' in sys.argv:
        devices = [('1', 'inorder'), ('2', 'ooo+split'), ('2', 'ooo+split+break')]

    outputs = set()
    for threads, policy in devices:
        result = run(tool, 'replay', '--hash', '--memory', '--threads', threads,
                     '--dispatch', policy, capture)
        if result.returncode or 'frame' not in result.stdout:
            sys.exit(f'{threads} threads, {policy}: status {result.returncode}\n{result.stdout}')
        outputs.add(result.stdout)
    if len(outputs) != 1:
        sys.exit('devices differ:\n' + '\n'.join(outputs))
    print(outputs.pop(), end='')

    with lzma.open(capture[:-len('.sgcap')] + '.txt.xz', 'rt', encoding='utf-8') as f:
        old = f.read().splitlines()
    result = run(tool, 'decode', capture)
    if result.returncode:
        sys.exit(f'decode: status {result.returncode}')
    new = result.stdout.splitlines()
    lines = iter(new)
    for number, line in enumerate(old, 1):
        if not any(line == other for other in lines):
            sys.exit(f'line {number} of the old text is not in the new one, or not in its place:\n'
                     f'{line}')
    print(f'{len(old)} lines of text, {len(new)} now')


if __name__ == '__main__':
    main()
