#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Observation is free when it is off: the objects of the host levels are the same, to the
# byte, if the code of SGD_OBSERVE and its includes are taken out of the sources.  In the
# observed level they are not.
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
import tempfile

INCLUDE = re.compile(r'^#include "[\w/]*observ[\w/]*\.h"', re.M)


def strip(text):
    """The source without SGD_OBSERVE(...); lines keep their numbers."""
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
    return INCLUDE.sub('', ''.join(out) + text[at:]), taken


def compile_object(command, folder, source, text, build, extra=()):
    """The bytes of the object of `text`, compiled as `source` is."""
    os.makedirs(folder)
    path, target = os.path.join(folder, os.path.basename(source)), os.path.join(folder, 'out.o')
    with open(path, 'w', encoding='utf-8') as f:
        f.write(f'#line 1 "{os.path.basename(source)}"\n{text}')
    words = [w for w in command if not w.endswith(source)]
    for option in ('-o', '-MF', '-MQ'):
        if option in words:
            at = words.index(option)
            del words[at:at + 2]
    words = [w for w in words if w not in ('-c', '-MD')]
    subprocess.run([*words, *extra, '-g0', '-I', os.path.dirname(os.path.join(build, source)),
                    '-o', target, '-c', path], check=True, cwd=build)
    with open(target, 'rb') as f:
        return f.read()


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
    with tempfile.TemporaryDirectory() as temp, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def start(key, path, level, text, *extra):
            jobs[key] = pool.submit(compile_object, commands[path, level],
                                    os.path.join(temp, str(len(jobs))), path, text, args.build,
                                    extra)

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
            start((path, 'observed', ''), path, args.levels[0], text, '-DSGD_OBSERVED')
        for (path, level, what), job in jobs.items():
            if what == 'without' and job.result() != jobs[path, level, 'as it is'].result():
                problems.append(f'{path}: level {level} differs without the code of SGD_OBSERVE')
            if level == 'observed' and job.result() == \
                    jobs[path, args.levels[0], 'as it is'].result():
                problems.append(f'{path}: the same when observed: the comparison sees nothing')
    for problem in problems:
        print(problem)
    print(f'{len(texts)} files, {len(jobs)} objects')
    sys.exit(bool(problems) or not texts)


if __name__ == '__main__':
    main()
