#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the project's C and C++ files are formatted as .clang-format says,
by clang-format 14; another version formats otherwise.  Without it the test is
skipped.

usage: check_format.py [--fix]

--fix formats the files.
"""

import concurrent.futures
import os
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Generated files are in build folders, sources of others in subprojects.
FOLDERS = 'src', 'tests'
VERSION = '14'
SKIPPED = 77


def find_tool():
    for name in f'clang-format-{VERSION}', 'clang-format':
        path = shutil.which(name)
        if path:
            told = subprocess.run([path, '--version'], capture_output=True, text=True,
                                  check=False).stdout
            if f'version {VERSION}.' in told:
                return path
    print(f'there is no clang-format {VERSION} (package clang-format-{VERSION})')
    sys.exit(SKIPPED)


def find_files():
    found = [os.path.join(where, name) for folder in FOLDERS
             for where, _, names in os.walk(os.path.join(TOP, folder))
             for name in names if name.endswith(('.c', '.h', '.cpp'))]
    if not found:
        sys.exit(f'{TOP} has no sources')
    return sorted(found)


def main():
    tool = find_tool()

    def formatted(path):
        with open(path, encoding='utf-8') as file:
            text = file.read()
        new = subprocess.run([tool, '--style=file', path], capture_output=True, text=True,
                             encoding='utf-8', check=True).stdout
        return path, text == new, new

    fix = sys.argv[1:] == ['--fix']
    files = find_files()
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, is_right, new in pool.map(formatted, files):
            if is_right:
                continue
            wrong += 1
            name = os.path.relpath(path, TOP)
            if fix:
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(new)
                print(f'{name}: formatted')
            else:
                print(f'{name}: is not as .clang-format says')
    print(f'{len(files)} files, {wrong} {"formatted" if fix else "not formatted"}')
    if wrong and not fix:
        print('tests/modules/check_format.py --fix formats them')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
