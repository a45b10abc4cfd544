#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sgpu bench instructions: counts the instructions for a frame of captures, by hardware block.

Callgrind counts the instructions of a replay with one worker.  It writes its counts when the player
is reset, at the end of each loop.  The counts between two resets are those of the last loop only,
without startup, filling of caches and reading of the file.
"""

import argparse
import collections
import glob
import json
import os
import re
import shutil
import sys
import tempfile

import limited
from gl_common import fail, say, tell_progress
from profile_blocks import block_of_function, read_symbols

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
RECORD = os.path.join(TOP, 'tests/captures/instructions.json')
FOLDERS = ('tests/captures', 'tests/frames/modern', 'tests/frames/micro32')
END_OF_LOOP = 'cap_player_reset'
LIMIT = 3600.0  # time limit in seconds for a replay under Valgrind
LEVELS = ('v2', 'v3')  # AVX-512 is not supported by Valgrind
# Maximum relative increase over the recorded figure, with the recorded compiler and with a
# different compiler.  docs/performance.md has the measurements that justify these values.
TOLERANCE, TOLERANCE_OTHER = 0.02, 0.25
SKIPPED = 77  # exit status of a skipped test


def find_capture(name):
    """Returns the path of a capture, given as a path or as a name in the directories of
    captures."""
    if os.path.isfile(name):
        return name
    for folder in FOLDERS:
        path = os.path.join(TOP, folder, name + '.sgcap')
        if os.path.isfile(path):
            return path
    names = sorted(os.path.basename(path).removesuffix('.sgcap') for folder in FOLDERS
                   for path in glob.glob(os.path.join(TOP, folder, '*.sgcap')))
    fail(f"no capture '{name}': neither a file nor one of {', '.join(names)}")
    return None


def read_counts(path):
    """Reads an output file of callgrind.  Returns the instruction counts by (object, function),
    without those of called functions."""
    counts = collections.Counter()
    where, function, is_call = '', '', False
    with open(path, encoding='utf-8', errors='replace') as file:
        for line in file:
            if line.startswith('ob='):
                where = os.path.basename(line[3:].strip())
            elif line.startswith('fn='):
                function = line[3:].strip()
            elif line.startswith('calls='):
                is_call = True
            elif re.match(r'[0-9+*-]', line):
                # The line after calls= has the instruction count of the called function.
                if not is_call:
                    counts[where, function.partition("'")[0]] += int(line.split()[1])
                is_call = False
    return counts


def block_of_count(where, function, blocks):
    if where.startswith('sgpu-cap'):
        return block_of_function(function, blocks) or 'replay, Mesa'
    return 'program, its libraries' if where and where != '???' else 'code without a name'


def count(build, capture, level):
    """Counts the instructions for one frame of a capture, by (block, function)."""
    tool = os.path.join(build, 'src/tools/capture/sgpu-cap')
    if not os.path.exists(tool):
        fail(f'{tool} is missing: is {build} a build folder of sgpu?')
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'counts')
        # Unset MALLOC_PERTURB_, which Meson sets for tests and which makes malloc() fill memory.
        env = {name: value for name, value in os.environ.items()
               if name not in ('MALLOC_PERTURB_', 'GLIBC_TUNABLES', 'SGPU_CAPTURE')}
        # Don't translate in the background, which would end at a different time in each run.
        if env.get('SGPU_EXEC', 'auto') == 'auto':
            env['SGPU_EXEC'] = 'jit'
        debug = [word for word in os.environ.get('SGPU_DEBUG', '').split(',') if word]
        try:
            run = limited.run(
                ['valgrind', '--tool=callgrind', '--compress-strings=no',
                 f'--dump-before={END_OF_LOOP}', f'--callgrind-out-file={out}', tool, 'replay',
                 '--threads', '1', '--loop', '2', capture], LIMIT,
                env=env | {'SGPU_DEBUG': ','.join([*debug, f'host={level}'])})
        except limited.Late as late:
            fail(late)
        except FileNotFoundError:
            fail('there is no valgrind: sgpu setup more installs it')
        frames = re.search(r'^loop 1: .*, (\d+) frames,', run.stdout, re.MULTILINE)
        # The first loop is in file .1, and the second loop in file .2.
        part = out + '.2'
        if run.returncode or not frames or not os.path.exists(part):
            sys.stderr.write(run.stdout + run.stderr)
            fail(f'{capture} could not be counted')
        blocks = read_symbols(build)
        frame = collections.Counter()
        for (where, function), value in read_counts(part).items():
            frame[block_of_count(where, function, blocks), function] += value
    each = max(1, int(frames[1]))
    return collections.Counter({key: value / each for key, value in frame.items()})


def by_block(frame):
    shares = collections.Counter()
    for (block, _), value in frame.items():
        shares[block] += value
    return shares


def number(value):
    return f'{round(value):,}'


def print_capture(name, frame, other, functions):
    """Prints the instruction counts of a capture: the total, the counts by block, and the functions
    with the highest counts. If `other` is not None, also prints the counts of the other build and
    the differences."""
    def line(text, value, old, indent='  '):
        out = f'{indent}{number(value):>13}'
        if other is not None:
            change = f'{100 * (value / old - 1):+.1f} %' if old else 'new'
            out += f' {number(old):>13} {change:>9}'
        print(f'{out}  {text}')

    total = sum(frame.values())
    line(name, total, sum(other.values()) if other else 0, '')
    shares = by_block(frame)
    others = by_block(other) if other is not None else {}
    for block in sorted(set(shares) | set(others), key=lambda b: -max(shares[b], others.get(b, 0))):
        if max(shares[block], others.get(block, 0)) >= 0.001 * total:
            line(f'{block} ({100 * shares[block] / total:.1f} %)', shares[block],
                 others.get(block, 0))
    for (block, function), value in frame.most_common(functions):
        line(f'{function} ({block})', value, other[block, function] if other else 0, '    ')
    sys.stdout.flush()


def compiler_of(build):
    """Returns the compiler and build type of a build directory, e.g. 'gcc 12.2.0, release'."""
    with open(os.path.join(build, 'meson-info/intro-buildoptions.json'), encoding='utf-8') as file:
        options = {option['name']: option['value'] for option in json.load(file)}
    with open(os.path.join(build, 'meson-logs/meson-log.txt'), encoding='utf-8',
              errors='replace') as file:
        found = re.search(r'C compiler for the host machine: .*?\(([^ "]+) ([0-9.]+) "', file.read())
    name = f'{found[1]} {found[2]}' if found else 'unknown'
    return f'{name}, {options["buildtype"]}'


def read_record():
    with open(RECORD, encoding='utf-8') as file:
        return json.load(file)


def check(name, value, record, tolerance):
    """Prints the instruction count of a capture.  Returns whether it is within the tolerance of the
    recorded count."""
    old = record['instructions'].get(name)
    if old is None:
        say(f'{name} has no recorded figure: sgpu bench instructions --update {name}')
        return False
    change = value / old - 1
    verdict = 'more than recorded' if change > tolerance else \
        'fewer than recorded: --update keeps the gain' if change < -tolerance else ''
    print(f'{number(value):>13} {number(old):>13} {100 * change:+7.2f} %  {name}'
          f'{": " + verdict if verdict else ""}', flush=True)
    return change <= tolerance


def has_level(level):
    if level == 'v2':
        return True
    with open('/proc/cpuinfo', encoding='ascii', errors='replace') as file:
        return ' avx2 ' in file.read()


def parse_args():
    parser = argparse.ArgumentParser(prog='sgpu bench instructions', allow_abbrev=False)
    parser.add_argument('captures', nargs='*')
    parser.add_argument('--build', required=True, help=argparse.SUPPRESS)
    parser.add_argument('--against')
    parser.add_argument('--functions', type=int, default=0)
    parser.add_argument('--level', choices=LEVELS, default='v3')
    parser.add_argument('--json')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--update', action='store_true')
    args = parser.parse_args()
    if args.check + args.update + bool(args.against) > 1:
        parser.error('--check, --update and --against exclude each other')
    if (args.check or args.update) and args.level != 'v3':
        parser.error('the recorded figures are those of level v3')
    return args


def main():
    args = parse_args()
    if not has_level(args.level):
        say(f'this processor has no AVX2, which level {args.level} needs')
        sys.exit(SKIPPED)
    if args.check and not shutil.which('valgrind'):
        print('there is no valgrind: sgpu setup more installs it')
        sys.exit(1 if os.environ.get('CI') else SKIPPED)
    record = read_record()
    names = args.captures or list(record['instructions'])
    paths = [find_capture(name) for name in names]
    names = [os.path.basename(path).removesuffix('.sgcap') for path in paths]
    compiler = compiler_of(args.build)
    tolerance = TOLERANCE if compiler == record['compiler'] else TOLERANCE_OTHER
    if args.check:
        print(f'{"instructions":>13} {"recorded":>13}   change  (built by {compiler}, recorded '
              f'with {record["compiler"]}: tolerance {100 * tolerance:.0f} %)')
    elif args.against:
        print(f'{"per frame":>13} {args.against[-13:]:>13}    change')
    report, is_good = {}, True
    for index, (name, path) in enumerate(zip(names, paths, strict=True)):
        frame = count(args.build, path, args.level)
        other = count(args.against, path, args.level) if args.against else None
        total = sum(frame.values())
        report[name] = {'instructions': round(total), 'blocks': {
            block: round(value) for block, value in by_block(frame).most_common()}}
        if other is not None:
            report[name]['against'] = round(sum(other.values()))
        if args.check:
            is_good = check(name, total, record, tolerance) and is_good
        elif args.update:
            record['instructions'][name] = round(total)
            tell_progress(f'{name}: {number(total)}', True)
        else:
            print_capture(name, frame, other, args.functions)
        if sys.stderr.isatty():
            tell_progress(f'{index + 1} of {len(names)} captures', index + 1 == len(names))
    if args.update:
        if args.captures and compiler != record['compiler']:
            fail(f'the other figures are for {record["compiler"]}, this build is by {compiler}: '
                 'record all of them (--update without captures)')
        record = {'compiler': compiler,
                  'instructions': dict(sorted(record['instructions'].items()))}
        with open(RECORD, 'w', encoding='utf-8') as file:
            json.dump(record, file, indent=1)
            file.write('\n')
    if args.json:
        with open(args.json, 'w', encoding='utf-8') as file:
            json.dump({'level': args.level, 'compiler': compiler, 'captures': report}, file,
                      indent=1)
            file.write('\n')
    if not is_good:
        say('a capture takes more instructions than before; to find the functions: sgpu bench '
            'instructions CAPTURE --functions 20 --against OLD-BUILD/; if this is intended, '
            'record it: sgpu bench instructions --update')
        sys.exit(1)


if __name__ == '__main__':
    main()
