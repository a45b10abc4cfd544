#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts how many vertex shaders of real programs compile to the base profile, and writes
docs/vp1.md.

  tests/run/vp1_table.py --output docs/vp1.md

Installs and builds missing programs.  Then it runs glmark2 and glmark2-es2, replays the traces
of tests/traces, and runs piglit's tests that have vertex shaders of the versions that the
driver offers.  All of them print their shaders (SGPU_DEBUG=asm).  Shaders with the same
assembly count as one.  For each other shader, the first reason against the base profile is
counted."""

import argparse
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEAD = re.compile(r'vertex (vp1|full) instructions=\d+ temps=\d+ constants=\d+ loops=\d+$')
REASON = '# not vp1: '
# options of glmark2 that select pictures, models and buffers, but not shaders
SAME_SHADERS = ('texture', 'model', 'interleave', 'use-vbo', 'buffer-usage', 'update-method',
                'update-dispersion', 'update-fraction')
GROUPS = ('glmark2', 'glmark2-es2', 'traces', 'piglit')


def say(text):
    print(text, file=sys.stderr, flush=True)


def shaders_of(text):
    """Returns the vertex shaders that a program printed, as a dictionary from the assembly to
    the reason against the base profile, or to None for shaders in the base profile."""
    found = {}
    body = reason = None
    for line in text.splitlines():
        if HEAD.match(line):
            body, reason = [line], None
        elif body is None:
            continue
        elif line.startswith(REASON):
            # the same problem at another instruction is the same reason
            reason = re.sub(r' \(instruction \d+\)$', '', line[len(REASON):])
        else:
            body.append(line)
            if line == 'END':
                full = body[0].startswith('vertex full')
                found['\n'.join(body)] = (reason or 'unknown') if full else None
                body = None
    return found


def run(command, timeout, **env):
    """Returns the command's output (stdout and stderr), and whether it ended in time."""
    env = dict(os.environ, SGPU_DEBUG='asm', MESA_SHADER_CACHE_DISABLE='true',
               vblank_mode='0', PIGLIT_NO_WINDOW='1', **env)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                           env=env, timeout=timeout, check=False)
            in_time = True
        except subprocess.TimeoutExpired:
            in_time = False
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors='replace'))
    return texts[0], texts[1], in_time


class Table:
    """Rows of the table: group of workloads, name, shaders and note.  Kept in a file if there is
    a path."""

    def __init__(self, path, run_now):
        self.path = path
        self.facts = {}
        self.rows = []
        if path and os.path.exists(path):
            with open(path, encoding='utf-8') as file:
                kept = json.load(file)
            self.facts = kept['facts']
            self.rows = [row for row in kept['rows'] if row[0] not in run_now]

    def add(self, group, name, shaders, note=''):
        self.rows.append((group, name, shaders, note))
        self.keep()
        say(f'{group} {name}: {len(shaders)} vertex shaders, '
            f'{sum(r is None for r in shaders.values())} vp1 {note}')

    def keep(self):
        if self.path:
            with open(self.path, 'w', encoding='utf-8') as file:
                json.dump({'facts': self.facts, 'rows': self.rows}, file)

    def merged(self, group=None):
        found = {}
        for of, _, shaders, _ in self.rows:
            if group is None or of == group:
                found.update(shaders)
        return found


# ------------------------------------------------------------------ glmark2

def glmark2_scenes(program):
    """Returns a dictionary from the scene to its benchmarks: one with default options, and one
    for each value of each option."""
    listing = run([program, '--list-scenes'], 60)[0]
    scenes, scene, option = {}, None, None
    for line in listing.splitlines():
        if m := re.match(r'\[Scene\] (\S+)', line):
            scene = m[1]
            scenes[scene] = [scene]
        elif m := re.match(r'\s+\[Option\] (\S+)', line):
            option = m[1]
        elif option in SAME_SHADERS:
            continue
        elif m := re.match(r'\s+Acceptable Values: (.*)', line):
            scenes[scene] += [f'{scene}:{option}={value}' for value in m[1].strip().split(',')]
        elif m := re.match(r'\s+Default Value: (\d+)$', line):
            if re.fullmatch(r'(vertex|fragment)-steps', option):
                scenes[scene] += [f'{scene}:{option}={steps}' for steps in (0, 1, 5, 15)]
    return {scene: list(dict.fromkeys(wanted)) for scene, wanted in scenes.items()}


def glmark2(table, program):
    def one(benchmarks):
        command = [program, '-s', '640x480']
        for benchmark in benchmarks:
            command += ['-b', f'{benchmark}:nframes=2:duration=5']
        _, err, in_time = run(command, 600)
        return shaders_of(err), '' if in_time else '(cut off)'

    for scene, benchmarks in glmark2_scenes(program).items():
        table.add(program, scene, *one(benchmarks))
    table.add(program, 'its own list of benchmarks', *one(['']))


# ------------------------------------------------------------------- traces

def traces(table, folder):
    for path in sorted(glob.glob(os.path.join(folder, '*.trace'))):
        name = os.path.basename(path)[:-len('.trace')]
        # Only one of the two tools replays the trace: the one for the API that was recorded.
        for tool in 'glretrace', 'eglretrace':
            out, err, in_time = run([tool, '-b', path], 900)
            if re.search(r'Rendered [1-9]\d* frames', out) or not in_time:
                table.add('traces', name, shaders_of(err), '' if in_time else '(cut off)')
                break
        else:
            table.add('traces', name, {}, '(does not replay)')


# ------------------------------------------------------------------- piglit

def version_of(text):
    """Returns the GLSL version that a shader_test requires: (whether it is ES, version times
    100)."""
    m = re.search(r'^GLSL( ES)?\s*(?:>=|=|>)\s*(\d+)\.(\d+)', text, re.M)
    if not m:
        return False, 110
    return bool(m[1]), int(m[2]) * 100 + int(m[3].ljust(2, '0'))


def offered_versions():
    """Returns the newest versions of GLSL ES and GLSL that the driver offers, times 100."""
    info = run(['glxinfo', '-B'], 60)[0]
    found = {}
    for es, pattern in (
            (True, r'^OpenGL ES profile shading language version .* (\d+)\.(\d+)'),
            (False, r'^OpenGL core profile shading language version string: (\d+)\.(\d+)')):
        m = re.search(pattern, info, re.M)
        if not m or 'sgpu' not in info:
            sys.exit(f'glxinfo does not print the versions of sgpu:\n{info}')
        found[es] = int(m[1]) * 100 + int(m[2].ljust(2, '0'))
    return found


def read(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()


def thinned(files, limit):
    """Returns at most `limit` of the files, evenly spaced."""
    if not limit or len(files) <= limit:
        return files
    return [files[i * len(files) // limit] for i in range(limit)]


def batch(runner, files):
    """Runs shader_runner on the files.  It accepts many files, but stops after a file that it
    skips or that crashes it, so it is started again with the rest."""
    found = {}
    while files:
        out, err, _ = run([runner] + files + ['-auto', '-fbo'], 30 + 5 * len(files))
        found.update(shaders_of(err))
        done = [int(n) for n in re.findall(r'^PIGLIT TEST: (\d+) - ', out, re.M)]
        files = files[max(done[-1] if done else 1, 1):]
    return found


def piglit(table, folder, limit, jobs):
    offered = offered_versions()
    programs = os.path.join(folder, 'bin')
    groups = {}
    left_out = 0
    for path in sorted(glob.glob(os.path.join(folder, '**/*.shader_test'), recursive=True)):
        text = read(path)
        if not re.search(r'^\[vertex (shader|program)( file)?\]', text, re.M):
            continue
        es, version = version_of(text)
        if version > offered[es]:
            left_out += 1
        elif '[vertex program]' in text:
            groups.setdefault('shader_runner, ARB_vertex_program', []).append(path)
        else:
            name = f'shader_runner, GLSL {"ES " if es else ""}{version // 100}.{version % 100:02}'
            groups.setdefault(name, []).append(path)
    pool = concurrent.futures.ThreadPoolExecutor(jobs)

    def merge(parts):
        found = {}
        for part in parts:
            found.update(part)
        return found

    def note(all_files, files):
        if len(files) < len(all_files):
            return f'({len(files)} of {len(all_files)} files)'
        return f'({len(files)} files)'

    for name, paths in sorted(groups.items()):
        files = thinned(paths, limit)
        runner = os.path.join(programs, 'shader_runner_gles2' if ' ES ' in name
                              else 'shader_runner')
        parts = pool.map(lambda some, r=runner: batch(r, some),
                         [files[i:i + 50] for i in range(0, len(files), 50)])
        table.add('piglit', name, merge(parts), note(paths, files))

    # tests of the compiler: whole vertex shaders that compile and link
    tests = []
    for path in sorted(glob.glob(os.path.join(folder, '**/*.vert'), recursive=True)):
        text = read(path)
        config = re.search(r'\[config\](.*?)\[end config\]', text, re.S)
        if not config or not re.search(r'expect_result:\s*pass', config[1]):
            continue
        m = re.search(r'glsl_version:\s*(\d+)\.(\d+)(.*)', config[1])
        if not m:
            continue
        version = int(m[1]) * 100 + int(m[2])
        if version > offered[version == 100 or 'es' in m[3]]:
            left_out += 1
            continue
        extensions = re.search(r'require_extensions:[ \t]*(.*)', config[1])
        tests.append([os.path.join(programs, 'glslparsertest'), path, 'pass',
                      f'{m[1]}.{m[2]}', '--check-link']
                     + (extensions[1].split() if extensions else []))
    some = thinned(tests, limit)
    parts = pool.map(lambda command: shaders_of(run(command, 60)[1]), some)
    table.add('piglit', 'glslparsertest', merge(parts), note(tests, some))

    tests = [[os.path.join(programs, 'asmparsertest'), 'ARBvp1.0', path, '-auto'] for path in
             sorted(glob.glob(os.path.join(folder, '**/ARBvp1.0/*.txt'), recursive=True))]
    some = thinned(tests, limit)
    parts = pool.map(lambda command: shaders_of(run(command, 60)[1]), some)
    table.add('piglit', 'asmparsertest, ARBvp1.0', merge(parts), note(tests, some))
    table.facts['left_out'] = left_out
    table.facts['offered'] = {'es' if es else 'gl': f'{version // 100}.{version % 100:02}'
                              for es, version in offered.items()}


# -------------------------------------------------------------------- table

def figures(shaders):
    full = Counter(reason for reason in shaders.values() if reason is not None)
    n = len(shaders)
    return (f'{n} | {n - full.total()} | {full.total()} | '
            + ', '.join(f'{reason}: {count}' for reason, count in full.most_common()))


def written(table):
    head = ['first reasons', '---']
    lines = [
        '# Vertex shaders in the base profile', '',
        'Every vertex shader that fits the base profile (`!!VP1.0`: 128 instructions, '
        '12 temporaries, 96 constants, no control flow) is compiled to it; another to the '
        'full profile. This lists how many are, over real programs, and the first reason '
        'that the compiler found against each that is not. '
        '`SGPU_DEBUG=asm` prints it for a shader, below the line of statistics.', '',
        'This page is written by', '', '```',
        f'{table.facts["command"]}', '```', '',
        'with the driver as it is: no version is overridden, and tests that need a newer one than '
        'it offers are left out. `--sample N` runs at most N files of each kind of test.', '',
        'Shaders with the same assembly count once in a line, and once in a sum. '
        "Shaders of Mesa's own, for clears and copies, are among them.", '',
        'All workloads:', '',
        f'| | vertex shaders | vp1 | full | {head[0]} |', '| --- | --- | --- | --- | --- |',
    ]
    groups = [group for group in GROUPS if any(row[0] == group for row in table.rows)]
    for group in groups:
        lines.append(f'| {group} | {figures(table.merged(group))} |')
    lines.append(f'| **all** | {figures(table.merged())} |')
    for group in groups:
        lines += ['', f'## {group}', '']
        if group == 'piglit':
            offered = table.facts['offered']
            lines += [f'{table.facts["version"]}The driver offers GLSL {offered["gl"]} and GLSL ES '
                      f'{offered["es"]}; the {table.facts["left_out"]} files that need a newer '
                      'one are left out.', '']
        if group == 'traces':
            lines += ['The traces of `tests/traces`.', '']
        lines += [f'| | vertex shaders | vp1 | full | {head[0]} |',
                  '| --- | --- | --- | --- | --- |']
        for of, name, shaders, note in table.rows:
            if of == group:
                lines.append(f'| {name}{" " + note if note else ""} | {figures(shaders)} |')
    return '\n'.join(lines) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--traces', default=os.path.join(TOP, 'tests/traces'),
                        help='a folder of traces (default: tests/traces)')
    parser.add_argument('--piglit', help="piglit's folder (default: the installed package's)")
    parser.add_argument('--sample', type=int, default=0,
                        help='maximum number of files to run of each kind of piglit test')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--only', action='append', choices=GROUPS)
    parser.add_argument('--data', help='a file of results: used for the tests that do not run now')
    parser.add_argument('--output', help='default: stdout')
    parser.add_argument('--inside', action='store_true', help=argparse.SUPPRESS)
    args = parser.parse_args()
    wanted = args.only or GROUPS
    if '--inside' not in sys.argv:
        # Run on sgpu in a new X server.
        sgpu = os.path.join(TOP, 'sgpu')
        subprocess.run([sgpu, 'setup', '--quiet', 'bench', 'trace', 'piglit'], check=True)
        for name in 'DISPLAY', 'WAYLAND_DISPLAY', 'EGL_PLATFORM':
            os.environ.pop(name, None)
        os.execv(sgpu, [sgpu, 'run', '--', sys.executable, os.path.abspath(__file__),
                        *sys.argv[1:], '--inside'])
    # The command that the page names; it omits how the work was split.
    args.command = ('tests/run/vp1_table.py' +
                    (f' --sample {args.sample}' if args.sample else '') +
                    ' --output docs/vp1.md')
    table = Table(args.data, wanted)
    table.facts['command'] = args.command
    for program in ('glmark2', 'glmark2-es2'):
        if program in wanted:
            glmark2(table, program)
    if 'traces' in wanted:
        traces(table, args.traces)
    if 'piglit' in wanted:
        folder = args.piglit or next(iter(glob.glob('/usr/lib/*/piglit')), None)
        if not folder:
            sys.exit('piglit is not installed')
        p = subprocess.run(['dpkg-query', '-W', '-f', '${Version}', 'piglit'],
                           capture_output=True, text=True, check=False)
        table.facts['version'] = (f"Debian's package, version {p.stdout}. "
                                  if p.returncode == 0 else '')
        piglit(table, folder, args.sample, args.jobs)
        table.keep()
    text = written(table)
    if args.output:
        with open(args.output, 'w', encoding='utf-8') as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == '__main__':
    main()
