#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# The objects of the host levels. Each must define one global symbol, its table, and
# may use only functions that are compiled once for all hosts.
#
#    check_levels.py --nm PROGRAM --common ARCHIVE... --engines ARCHIVE... --levels OBJECT...
#
# The object of a level is sgd_level_LEVEL.o, its archive libsgd_engine_LEVEL.a.

import argparse
import os
import re
import subprocess
import sys

TABLE = 'sgd_arch_ops'
# Symbols that sanitizers and coverage add.
TOOLS = re.compile(r'^_*(asan|tsan|ubsan|sancov|odr_asan|gcov|llvm)[._]|^(__start_|__stop_|DW\.ref\.)')


def symbols(nm, path, *options):
    """Returns the global symbols of an object or archive: name, type."""
    out = subprocess.run([nm, '-g', '-P', *options, path], check=True, capture_output=True,
                         text=True).stdout
    found = []
    for line in out.splitlines():
        parts = line.split()
        if len(parts) >= 2 and len(parts[1]) == 1 and not TOOLS.match(parts[0]):
            found.append((parts[0], parts[1]))
    return found


def defined(nm, path):
    return {name for name, kind in symbols(nm, path) if kind not in 'UwvN'}


def undefined(nm, path):
    return {name for name, kind in symbols(nm, path) if kind in 'Uwv'}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--nm', required=True)
    parser.add_argument('--common', nargs='+', required=True)
    parser.add_argument('--engines', nargs='+', required=True)
    parser.add_argument('--levels', nargs='+', required=True)
    args = parser.parse_args()
    errors = []

    # The archive also has the objects of the levels, whose only global symbols are the tables.
    common = set().union(*(defined(args.nm, path) for path in args.common))
    engine = {}
    for path in args.engines:
        level = re.fullmatch(r'libsgd_engine_(\w+)\.a', os.path.basename(path)).group(1)
        engine[level] = defined(args.nm, path)
        if len(engine[level]) < 100:
            errors.append(f'{path}: {len(engine[level])} symbols are too few to be the engines')

    for path in args.levels:
        level = re.fullmatch(r'sgd_level_(\w+)\.o', os.path.basename(path)).group(1)
        table = f'{TABLE}_{level}'
        if defined(args.nm, path) != {table}:
            errors.append(f'{path}: defines {sorted(defined(args.nm, path))}, expected {table}')
        for name in sorted(undefined(args.nm, path)):
            if name in engine[level]:
                errors.append(f'{path}: {name} is a function of the engines and not resolved')
            elif name.startswith('sgd_') and name not in common:
                errors.append(f'{path}: {name} is not in the common part')
    both = common & set().union(*engine.values())
    if both:
        errors.append(f'in the engines and in the common part: {", ".join(sorted(both))}')

    for error in errors:
        print(error)
    print(f'{len(args.levels)} levels, {len(common)} common symbols')
    sys.exit(bool(errors))


if __name__ == '__main__':
    main()
