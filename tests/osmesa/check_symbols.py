#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the symbols of libOSMesa.so.8: its own functions and those of OpenGL, and no others; all
that are in the list, which has those of Mesa's libraries up to 25.0.  Checks its name, and that it
depends on no library of a window system, LLVM, or another OpenGL.

usage: check_symbols.py LIBRARY LIST"""

import re
import subprocess
import sys

NEEDED = {'libc.so.6', 'libdl.so.2', 'libpthread.so.0', 'libz.so.1', 'libzstd.so.1',
          'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1'}


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout.splitlines()


def main(library, list_file):
    errors = []
    exported = {line.split()[-1] for line in
                lines_of('nm', '--dynamic', '--defined-only', library)}
    with open(list_file, encoding='ascii') as file:
        wanted = {line.strip() for line in file if not line.startswith('#')}
    foreign = {name for name in exported if not re.fullmatch(r'(gl|OSMesa)[A-Z]\w*', name)}
    if foreign:
        errors.append(f'exported symbols of others: {sorted(foreign)}')
    if wanted - exported:
        errors.append(f'missing symbols: {sorted(wanted - exported)}')
    own = {name for name in exported if name.startswith('OSMesa')}
    if own != {name for name in wanted if name.startswith('OSMesa')}:
        errors.append(f'functions of OSMesa: {sorted(own)}')

    dynamic = lines_of('readelf', '--dynamic', '--wide', library)
    needed = {line.split('[')[1].rstrip(']') for line in dynamic if '(NEEDED)' in line}
    if needed - NEEDED:
        errors.append(f'needed libraries: {sorted(needed - NEEDED)}')
    if not any('(SONAME)' in line and '[libOSMesa.so.8]' in line for line in dynamic):
        errors.append('the library is not named libOSMesa.so.8')
    if 'Build ID' not in '\n'.join(lines_of('readelf', '--notes', '--wide', library)):
        errors.append('no build id: the shader cache would mix up versions')
    for error in errors:
        print(f'{library}: {error}')
    print(f'{len(exported)} symbols; needs {" ".join(sorted(needed))}')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
