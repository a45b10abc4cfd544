#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Observation has no cost when it is off. Without the code of SGD_OBSERVE in the sources,
# the compiler gets the same tokens for a host level, but others for the observed level.
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

def strip(text):
    """Returns the source without SGD_OBSERVE(...), with the same line numbers, and the count."""
    out, at, taken = [], 0, 0
    for match in re.finditer(r'\bSGD_OBSERVE\(', text):
        if match.start() < at:
            continue
        depth, end = 1, match.end()
        while depth:
            depth += {'(': 1, ')': -1}.get(text[end], 0)
            end += 1
        out += [text[at:match.start()], '\n' * text.count('\n', match.start(), end)]
        at = end
        taken += 1
    return ''.join(out) + text[at:], taken


def tokens(command, source, text, build, extra=()):
    """Returns approximately the tokens that the compiler gets for `text` as `source`."""
    words = [word for word in command if word not in ('-c', '-MD', '-fpch-preprocess')
             and not word.endswith(source)]
    for option in '-o', '-MF', '-MQ', '-include':
        if option in words:
            at = words.index(option)
            del words[at:at + 2]
    done = subprocess.run([*words, *extra, '-I', os.path.dirname(os.path.join(build, source)),
                           '-E', '-P', '-x', 'c', '-'], input=text, stdout=subprocess.PIPE,
                          check=True, cwd=build, text=True)
    return done.stdout.split()


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
                if 'SGD_OBSERVE(' in text:
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
            jobs[key] = pool.submit(tokens, commands[path, level], path, text, args.build, extra)

        for path, text in sorted(texts.items()):
            without, taken = strip(text)
            if not taken or 'SGD_OBSERVE' in without:
                problems.append(f'{path}: cannot take SGD_OBSERVE out')
            for level in args.levels:
                if (path, level) not in commands:
                    problems.append(f'{path}: level {level} does not compile it')
                    continue
                start((path, level, 'as it is'), path, level, text)
                start((path, level, 'without'), path, level, without)
            for what, observed in ('as it is', text), ('without', without):
                start((path, 'observed', what), path, args.levels[0], observed, '-DSGD_OBSERVED')
        for (path, level, what), job in jobs.items():
            if what != 'without':
                continue
            same = job.result() == jobs[path, level, 'as it is'].result()
            if level != 'observed' and not same:
                problems.append(f'{path}: level {level} differs without the code of SGD_OBSERVE')
            if level == 'observed' and same:
                problems.append(f'{path}: the observed level is the same without SGD_OBSERVE')
    for problem in problems:
        print(problem)
    print(f'{len(texts)} files')
    sys.exit(bool(problems) or not texts)


if __name__ == '__main__':
    main()
