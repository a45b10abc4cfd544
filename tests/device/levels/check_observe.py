#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Observation has no cost when it is off.  Without the statements of `if (SGD_OBSERVED_LEVEL)` in
# the sources, the compiler makes the same instructions for a host level, but others for the
# observed level.
#
#    check_observe.py --source FOLDER --build FOLDER --levels LEVEL...

import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

CONDITION = re.compile(r'\bif \((SGD_OBSERVED_LEVEL)\b')
# strip() would take the other operands away, too.
REFUSED = re.compile(r'SGD_OBSERVED_LEVEL\s*\|\||\|\|\s*SGD_OBSERVED_LEVEL')


def closing(text, at):
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    while True:
        depth += {'(': 1, '{': 1, ')': -1, '}': -1}.get(text[at], 0)
        at += 1
        if not depth:
            return at


def strip(text):
    """Returns the source without the statements, with the same line numbers, and their count."""
    out, at, taken = [], 0, 0
    for match in CONDITION.finditer(text):
        if match.start() < at:
            continue
        end = closing(text, match.start(1) - 1)
        end += len(text[end:]) - len(text[end:].lstrip())
        end = closing(text, end) if text[end] == '{' else text.index(';', end) + 1
        out += [text[at:match.start()], '{}', '\n' * text.count('\n', match.start(), end)]
        at = end
        taken += 1
    return ''.join(out) + text[at:], taken


def machine_code(command, source, text, build, extra=()):
    """Returns the lines of assembly that the compiler makes of `text` as `source`, with little
    optimization.  Removed statements may change the order of lines and the numbers of labels, so
    the lines are sorted, and the labels have no numbers."""
    words = [word for word in command if word not in ('-c', '-MD', '-fpch-preprocess')
             and not word.endswith(source)]
    for option in '-o', '-MF', '-MQ', '-include':
        if option in words:
            at = words.index(option)
            del words[at:at + 2]
    done = subprocess.run([*words, *extra, '-I', os.path.dirname(os.path.join(build, source)),
                           '-O1', '-g0', '-w', '-S', '-o', '-', '-x', 'c', '-'], input=text,
                          stdout=subprocess.PIPE, check=True, cwd=build, text=True)
    return sorted(re.sub(r'\.L([A-Z]*)\d+', r'.L\1', done.stdout).splitlines())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--source', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--levels', nargs='+', required=True)
    args = parser.parse_args()

    texts = {}
    device = os.path.join(args.source, 'src/device')
    for where, _, names in os.walk(device):
        for name in names:
            path = os.path.join(where, name)
            if name.endswith('.c'):
                with open(path, encoding='utf-8') as f:
                    text = f.read()
                if 'SGD_OBSERVED_LEVEL' in text:
                    texts[os.path.relpath(path, args.source)] = text
    with open(os.path.join(args.build, 'compile_commands.json'), encoding='utf-8') as f:
        commands = {}
        for entry in json.load(f):
            level = re.search(r'libsgd_engine_(\w+)\.a\.p', entry['output'])
            path = os.path.relpath(os.path.join(args.build, entry['file']), args.source)
            if level and path in texts:
                commands[path, level.group(1)] = shlex.split(entry['command'])

    problems, jobs = [], {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def start(key, path, level, text, *extra):
            jobs[key] = pool.submit(machine_code, commands[path, level], path, text, args.build,
                                    extra)

        for path, text in sorted(texts.items()):
            without, taken = strip(text)
            if not taken or 'SGD_OBSERVED_LEVEL' in without or REFUSED.search(text):
                problems.append(f'{path}: cannot take SGD_OBSERVED_LEVEL out')
            for level in args.levels:
                if (path, level) not in commands:
                    problems.append(f'{path}: level {level} does not compile it')
                    continue
                start((path, level, 'as it is'), path, level, text)
                start((path, level, 'without'), path, level, without)
            start((path, 'observed', 'as it is'), path, args.levels[0], text, '-DSGD_OBSERVED')
        for (path, level, what), job in jobs.items():
            if what != 'without':
                continue
            code = job.result()
            if code != jobs[path, level, 'as it is'].result():
                problems.append(f'{path}: level {level} differs without the observed statements')
            if code == jobs[path, 'observed', 'as it is'].result():
                problems.append(f'{path}: the same when observed: the comparison sees nothing')
    for problem in problems:
        print(problem)
    print(f'{len(texts)} files')
    sys.exit(bool(problems) or not texts)


if __name__ == '__main__':
    main()
