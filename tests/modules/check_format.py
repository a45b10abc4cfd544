#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the project's C and C++ files are formatted by .clang-format, with
clang-format 14.  Other versions format differently, so without this version the
test is skipped.

usage: check_format.py [--fix]

--fix formats the files.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Generated files are in build folders, and foreign sources in subprojects.
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


def unformatted(tool, files):
    """Returns the files that the tool would change, in their order.  One process takes many
    files, since its start takes longer than a file."""
    done = subprocess.run([tool, '--style=file', '--dry-run', '--ferror-limit=1', *files],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    wrong = set(re.findall(r'^(.+?):\d+:\d+: warning: .*-Wclang-format-violations', done.stderr,
                           re.M))
    return [path for path in files if path in wrong]


def main():
    tool = find_tool()
    fix = sys.argv[1:] == ['--fix']
    files = find_files()
    count = os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        parts = pool.map(lambda part: unformatted(tool, files[part::count]), range(count))
        wrong = sorted(path for part in parts for path in part)
    if wrong and fix:
        subprocess.run([tool, '--style=file', '-i', *wrong], check=True)
    for path in wrong:
        print(f'{os.path.relpath(path, TOP)}: '
              f'{"formatted" if fix else "is not as .clang-format says"}')
    print(f'{len(files)} files, {len(wrong)} {"formatted" if fix else "not formatted"}')
    if wrong and not fix:
        print('tests/modules/check_format.py --fix formats them')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
