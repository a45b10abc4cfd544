#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the programs and libraries of a folder run on any distribution: no symbol of a newer C
library, no library that systems may lack and that the folder does not contain, no path of the
machine that built them, no link.

usage: check_files.py --glibc VERSION [--without PATH] FOLDER"""

import argparse
import os
import re
import subprocess
import sys

C = {'libc.so.6', 'libm.so.6', 'libdl.so.2', 'libpthread.so.0', 'librt.so.1',
     'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1'}
MAGIC = b'\x7fELF'


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def numbers(version):
    return tuple(int(part) for part in version.split('.'))


def elf_files(folder):
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.join(place, name)
            if os.path.islink(path):
                continue
            with open(path, 'rb') as file:
                if file.read(4) == MAGIC:
                    yield path


def dynamic(path):
    """Returns the names of libraries that a file needs, and its list of folders to search."""
    needed, folders = set(), ''
    for line in lines_of('readelf', '--dynamic', '--wide', path):
        value = line.split('[')[-1].rstrip(']')
        if '(NEEDED)' in line:
            needed.add(value)
        elif '(RUNPATH)' in line or '(RPATH)' in line:
            folders = value
    return needed, folders


def check(path, newest, own, without):
    errors = []
    for line in lines_of('readelf', '--version-info', '--wide', path):
        for version in re.findall(r'Name: GLIBC_([0-9.]+)', line):
            if numbers(version) > newest:
                errors.append(f'symbols of glibc {version}')
        if 'Name: GLIBCXX' in line or 'Name: CXXABI' in line:
            errors.append('symbols of libstdc++')
    needed, folders = dynamic(path)
    if needed - C - own:
        errors.append(f'needs {", ".join(sorted(needed - C - own))}')
    for folder in filter(None, folders.split(':')):
        if not folder.startswith('$ORIGIN'):
            errors.append(f'searches for libraries in {folder}')
    if any('TEXTREL' in line for line in lines_of('readelf', '--dynamic', '--wide', path)):
        errors.append('relocations in code')
    if without:
        with open(path, 'rb') as file:
            if without.encode() in file.read():
                errors.append(f'contains the path {without}')
    return [f'{path}: {error}' for error in sorted(set(errors))]


def links(folder):
    """Returns errors for links, which packages for Python and Node cannot have."""
    return [f'{os.path.join(place, name)}: a link' for place, folders, names in os.walk(folder)
            for name in sorted(folders + names) if os.path.islink(os.path.join(place, name))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0])
    parser.add_argument('--glibc', required=True, help='newest version that symbols may have')
    parser.add_argument('--without', help='path that must not be in any file')
    parser.add_argument('folder')
    options = parser.parse_args()
    files = list(elf_files(options.folder))
    if not files:
        sys.exit(f'{options.folder}: no programs and no libraries')
    own = {name for _, _, names in os.walk(options.folder) for name in names}
    errors = [error for path in files
              for error in check(path, numbers(options.glibc), own, options.without)]
    errors += links(options.folder)
    print('\n'.join(errors), file=sys.stderr, end='\n' if errors else '')
    sys.exit(1 if errors else 0)


if __name__ == '__main__':
    main()
