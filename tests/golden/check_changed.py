#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests changed_scenes.py with a repository of two revisions."""

import lzma
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, 'src/tools/front'))

import changed_scenes  # pylint: disable=wrong-import-position

DEVICE, TRACES = changed_scenes.LINES['device'], changed_scenes.TRACES


def present(value, more=''):
    return lzma.compress(f'FRAME 5\nDRAW {more}\nPRESENT frame 5 p 3x3 at 0,0 hash {value}\n'
                         .encode())


def trace(name, *hashes):
    return f'[{name}]\nhashes = [\n' + ''.join(f'   "{value * 32}",\n' for value in hashes) + ']\n'


# {path: contents in the first revision, contents in the second one}
FILES = {
    DEVICE: (f'{"1" * 16} same\n{"2" * 16} other\n{"3" * 16} gone\n'.encode(),
             f'{"1" * 16} same\n{"a" * 16} other\n{"4" * 16} new\n'.encode()),
    TRACES: ((trace('t-same', '1', '2') + trace('t-other', '3') + trace('t-again', '4')).encode(),
             (trace('t-same', '1', '2') + trace('t-other', 'f') + trace('t-again', 'e')).encode()),
    'tests/traces/t-other.trace': (b'a', b'a'),
    'tests/traces/t-again.trace': (b'a', b'b'),
    'tests/captures/same.txt.xz': (present('1' * 16), present('1' * 16, 'x')),
    'tests/captures/other.txt.xz': (present('2' * 16), present('b' * 16)),
    'tests/captures/again.txt.xz': (present('3' * 16), present('c' * 16, 'y')),
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        def git(*words):
            subprocess.run(['git', '-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b',
                            *words], check=True, stdout=subprocess.DEVNULL)
        git('init', '-q')
        for i in range(2):
            for path, contents in FILES.items():
                os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
                with open(os.path.join(folder, path), 'wb') as file:
                    file.write(contents[i])
            git('add', '.')
            git('commit', '-q', '-m', 'x')
        old, new = (changed_scenes.Revision(name, folder).scenes() for name in ('HEAD^', 'HEAD'))
    changed, again, added, removed, same = changed_scenes.compare(old, new)
    assert changed == [('capture', 'other'), ('device', 'other'), ('trace', 't-other')], changed
    assert again == [('capture', 'again'), ('trace', 't-again')], again
    assert (added, removed, same) == (1, 1, 3), (added, removed, same)
    changed_scenes.print_scenes('Other pixels', changed)


main()
