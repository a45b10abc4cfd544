#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the worked example of docs/timing.md: its commands must print the lines shown there.

usage: check_example.py SGPU-SIM SOURCE-FOLDER

A block of the section has commands after $ and lines of their output.  A line that ends in
"..." is the beginning of a line.  A command without lines only has to succeed."""

import os
import re
import shlex
import subprocess
import sys


def main():
    tool, top = sys.argv[1:]
    with open(os.path.join(top, 'docs/timing.md'), encoding='utf-8') as f:
        section = re.search(r'^## A worked example\n(.*?)^## ', f.read(), re.M | re.S).group(1)
    commands = 0
    for block in re.findall(r'^```\n(.*?)^```', section, re.M | re.S):
        for part in re.split(r'^\$ ', block.replace('\\\n', ''), flags=re.M)[1:]:
            command, *lines = part.splitlines()
            words = shlex.split(command)
            if words[:2] != ['./sgpu', 'sim']:
                sys.exit(f'check_example: {command}: no command of sgpu sim')
            run = subprocess.run([tool, *words[2:]], cwd=top, capture_output=True, text=True,
                                 check=False)
            if run.returncode:
                sys.exit(f'check_example: {command}: status {run.returncode}\n{run.stderr}')
            output = iter(line.rstrip() for line in run.stdout.splitlines())
            for line in lines:
                wanted = line.rstrip()
                cut = wanted.endswith('...')
                wanted = wanted.removesuffix('...').rstrip() if cut else wanted
                if not any(o.startswith(wanted) if cut else o == wanted for o in output):
                    sys.exit(f'check_example: {command} does not print, or not in this place:\n'
                             f'{line}\n{run.stdout}')
            commands += 1
    if commands < 5:
        sys.exit(f'check_example: only {commands} commands')
    print(f'{commands} commands')


if __name__ == '__main__':
    main()
