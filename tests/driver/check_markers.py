#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a program's capture contains its debug groups and markers in the order of the
draws.

usage: check_markers.py SGPU SGPU-CAP PROGRAM"""

import json
import os
import re
import subprocess
import sys
import tempfile


def main(folder):
    sgpu, tool, program = sys.argv[1:4]
    capture = os.path.join(folder, 'markers.sgcap')
    subprocess.run([sgpu, 'run', '--', program], check=True,
                   env=dict(os.environ, SGPU_CAPTURE=capture))
    text = subprocess.run([tool, 'decode', capture], check=True, stdout=subprocess.PIPE,
                          encoding='utf-8').stdout
    records = json.loads(subprocess.run([tool, 'decode', '--json', capture], check=True,
                                        stdout=subprocess.PIPE, encoding='utf-8').stdout)
    got = re.findall(r'^[0-9a-f]{6}: (DRAW)$|^   "(.*)"$', text, re.M)
    got = [draw or marker for draw, marker in got]
    wanted = ['push außen', 'DRAW', 'push inner', 'DRAW', 'pop', 'message', 'DRAW', 'pop']
    if got != wanted:
        sys.exit(f'{got}, expected {wanted}')
    got = [packet.get('text', 'DRAW') for record in records for packet in record.get('packets', [])
           if packet['packet'] in ('DRAW', 'MARKER')]
    if got != wanted:
        sys.exit(f'JSON: {got}, expected {wanted}')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as scratch:
        main(scratch)
