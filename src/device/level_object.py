#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Makes one relocatable object of the engines of one host level, or of the part
# that a test needs.  Its only global symbol is a table of functions:
#
#    level_object.py --table TABLE --level LEVEL --objcopy PROGRAM --out FILE
#                    --input ARCHIVE... --cc COMMAND...
#
# The compiler's linker takes the functions from the archives that TABLE refers to,
# directly or indirectly.  objcopy makes all definitions local and renames the table to
# TABLE_LEVEL.  The same names in other levels, and in an executable around them,
# are other functions.

import argparse
import os
import subprocess
import sys


def run(command):
    result = subprocess.run(command, check=False)
    if result.returncode:
        sys.exit(f'level_object.py: failed: {" ".join(command)}')


def main():
    parser = argparse.ArgumentParser(description='Makes the object of a host level.')
    parser.add_argument('--table', required=True)
    parser.add_argument('--level', required=True)
    parser.add_argument('--objcopy', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--input', required=True, nargs='+')
    parser.add_argument('--cc', required=True, nargs=argparse.REMAINDER)
    args = parser.parse_args()

    name = f'{args.table}_{args.level}'
    linked = args.out + '.tmp'
    # The archives may refer to each other.
    run(args.cc + ['-r', '-nostdlib', '-o', linked, f'-Wl,-u,{args.table}',
                   '-Wl,--start-group'] + args.input + ['-Wl,--end-group'])
    # GNU objcopy looks for the new name among those to keep, LLVM's for the old one.
    run([args.objcopy, f'--keep-global-symbol={args.table}', f'--keep-global-symbol={name}',
         f'--redefine-sym={args.table}={name}', linked, args.out])
    os.unlink(linked)


if __name__ == '__main__':
    main()
