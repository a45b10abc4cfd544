#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the loadable driver exports only the symbols that loaders need, and depends on no
unnecessary libraries: no libstdc++, which could be older than required, no libm, whose results
depend on the host, and no libgcc.

usage: check_library.py sgpu_dri.so"""

import os
import subprocess
import sys

ENTRY = '__driDriverGetExtensions_'
NAMES = {'sgpu', 'swrast', 'kms_swrast'}
NEEDED = {
    'libglapi.so.0', 'libdrm.so.2', 'libexpat.so.1', 'libz.so.1',
    'libzstd.so.1', 'libc.so.6',
    'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1',
}


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout.splitlines()


def main(library):
    errors = []

    exported = {line.split()[-1] for line in
                lines_of('nm', '--dynamic', '--defined-only', library)}
    if exported != {ENTRY + name for name in NAMES}:
        errors.append(f'exported symbols: {sorted(exported)}')

    needed = {line.split('[')[1].rstrip(']') for line in
              lines_of('readelf', '--dynamic', '--wide', library)
              if '(NEEDED)' in line}
    if needed - NEEDED:
        errors.append(f'needed libraries: {sorted(needed - NEEDED)}')

    notes = '\n'.join(lines_of('readelf', '--notes', '--wide', library))
    if 'Build ID' not in notes:
        errors.append('no build id: the shader cache would mix up versions')

    for name in NAMES:
        path = os.path.join(os.path.dirname(library), f'{name}_dri.so')
        if not os.path.exists(path) or not os.path.samefile(path, library):
            errors.append(f'{path} is not the same library')

    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
