#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks and records the GL traces that traces.toml lists.

  traces.py check NAME     replays the trace: the frames must have the hashes of the
                           manifest; if one has not, the frames are also compared with
                           llvmpipe's
  traces.py look NAME...   also replays the trace on llvmpipe: the frames must look the
                           same
  traces.py settings NAME  replays the trace with the settings of `sgpu retrace
                           --settings`: the frames must stay the same
  traces.py hash NAME...   does the same as look, then writes the hashes to the manifest;
                           a change needs a better reason than "the driver draws it this
                           way"
  traces.py record NAME... runs the programs and records them again
  traces.py list           prints the names of the traces in the repository

Traces that are not in the repository are in build/traces, or in the folder SGPU_TRACES."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
SGPU = os.path.join(TOP, 'sgpu')
MANIFEST = os.path.join(HERE, 'traces.toml')
ELSEWHERE = os.environ.get('SGPU_TRACES') or os.path.join(TOP, 'build', 'traces')


def read_manifest():
    with open(MANIFEST, 'rb') as file:
        return tomllib.load(file)


def path_of(name, entry):
    return os.path.join(HERE if 'hashes' in entry else ELSEWHERE,
                        name + '.trace')


def retrace(name, entry, *options):
    """Replays a trace.  Returns the exit status and the standard output."""
    path = path_of(name, entry)
    if not os.path.exists(path):
        sys.exit(f'there is no {path}; `{sys.argv[0]} record {name}` makes it')
    done = subprocess.run([SGPU, 'retrace', path, *options],
                          stdout=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


def frame_count(entry):
    first, _, last = entry['frames'].partition('-')
    return int(last or first) - int(first) + 1


def hashes_of(output, entry):
    """Returns the hashes of the wanted frames, which are the last ones of the trace."""
    lines = [line.split() for line in output.splitlines()]
    return [line[1] for line in lines
            if len(line) == 2 and line[0].isdigit()][-frame_count(entry):]


def last_frames(name, entry):
    """Returns the numbers of the wanted frames in the file, as text for the option."""
    _, output = retrace(name, entry, '--list')
    count = sum(1 for line in output.splitlines() if ' calls ' in line)
    return f'{count - frame_count(entry)}-{count - 1}'


def check(name, entry):
    if 'hashes' not in entry:
        sys.exit(f'{name} is not in the repository; `settings` checks it')
    status, output = retrace(name, entry, '--frames', last_frames(name, entry), '--hash')
    print(output, end='')
    if status:
        return status
    found = hashes_of(output, entry)
    for number, pair in enumerate(zip(entry['hashes'], found, strict=True)):
        if pair[0] != pair[1]:
            print(f'wanted frame {number} is {pair[1]}, not {pair[0]}')
            status = 1
    if status:
        look(name, entry)
    return status


def look(name, entry):
    with tempfile.TemporaryDirectory() as folder:
        status, output = retrace(
            name, entry, '--frames', last_frames(name, entry), '--hash', '--against',
            'llvmpipe', '--share', str(entry.get('share', 99.9)), '--differences',
            os.path.join(folder, 'differences'))
    print(output, end='')
    return status


def settings(name, entry):
    status, output = retrace(name, entry, '--frames', last_frames(name, entry),
                             '--settings')
    print(output, end='')
    return status


def write_hashes(name, entry):
    status = look(name, entry)
    if status:
        return status
    status, output = retrace(name, entry, '--hash')
    if status:
        return status
    found = ''.join(f'   "{text}",\n' for text in hashes_of(output, entry))
    with open(MANIFEST, encoding='utf-8') as file:
        text = file.read()
    # Match only lines of this table, which ends where the next table begins.
    pattern = re.compile(r'(^\[%s\]\n(?:(?!^\[).*\n)*?hashes = \[\n?)[^]]*' %
                         re.escape(name), re.M)
    text, count = pattern.subn(lambda match: match[1].rstrip('\n') + '\n' + found,
                               text)
    if count != 1:
        sys.exit(f'{name} has no hashes = [ ] in {MANIFEST}')
    with open(MANIFEST, 'w', encoding='utf-8') as file:
        file.write(text)
    return 0


def record(name, entry):
    """Runs the program with a new home folder and without sound."""
    path = path_of(name, entry)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        for file, text in entry.get('home', {}).items():
            file = os.path.join(home, file)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, 'w', encoding='utf-8') as output:
                output.write(text)
        env = dict(os.environ, HOME=home, SDL_AUDIODRIVER='dummy',
                   ALSOFT_DRIVERS='null', vblank_mode='0',
                   **entry.get('environment', {}))
        env['PATH'] += ':'.join(['', '/usr/games', '/usr/libexec/xscreensaver',
                                 os.path.join(TOP, 'build/tests/traces')])
        packages = entry.get('package', '').split()
        if packages and subprocess.run(['dpkg-query', '-W', *packages],
                                       stdout=subprocess.DEVNULL).returncode:
            sys.exit(f"{name} needs: apt-get install {entry['package']}")
        new = os.path.join(home, 'new.trace')
        done = subprocess.run(
            [SGPU, 'trace', '-o', new, '--frames', entry['frames'],
             # Brotli is too slow for large traces.
             *(['--pack'] if 'hashes' in entry else []),
             *(['--api', entry['api']] if 'api' in entry else []), '--',
             *entry['program']], env=env)
        if done.returncode == 0:
            shutil.move(new, path)
    if done.returncode == 0:
        print(f'{path}: {os.path.getsize(path) >> 10} KiB')
    return done.returncode


ACTIONS = {'check': check, 'look': look, 'settings': settings, 'hash': write_hashes,
           'record': record}


def main(action='', *names):
    manifest = read_manifest()
    # Meson calls this with the manifest as a dependency.
    if action == 'list':
        print('\n'.join(name for name in manifest
                        if 'hashes' in manifest[name]))
        return 0
    if action not in ACTIONS or not names:
        sys.exit(__doc__.strip())
    worst = 0
    for name in names:
        if name not in manifest:
            sys.exit(f"no '{name}' in {MANIFEST}")
        worst = max(worst, ACTIONS[action](name, manifest[name]))
    return worst


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
