#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists the scenes whose pixels differ between two revisions, for the release notes.

usage: changed_scenes.py OLD [NEW]     (git revisions; NEW: default HEAD)

Compares the hashes that the tests expect: tests/device/hash (the device), tests/driver/pictures
(OpenGL), tests/traces (programs) and tests/captures (programs, without the driver).  A scene whose
trace or capture was recorded again is listed apart, since it has another input.  New and removed
scenes are counted only.  Exit status: 0 if no pixels have changed, 1 if some have, 2 after an
error.
"""

import lzma
import os
import re
import subprocess
import sys

TOP = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../..'))
# Folders of tests with hashes.
LINES = {'device': 'tests/device/hash/hashes.txt', 'OpenGL': 'tests/driver/pictures/pictures.txt'}
TRACES = 'tests/traces/traces.toml'
CAPTURES = 'tests/captures/'
PRESENT = re.compile(rb'^PRESENT frame (\d+) .* hash ([0-9a-f]{16})', re.MULTILINE)


class Revision:
    """The files of a git revision."""

    def __init__(self, name, top=TOP):
        self.top = top
        done = self.git('rev-parse', '--verify', '--quiet', f'{name}^{{commit}}')
        if done is None:
            sys.exit(f'sgpu: {name} is no revision of {top}')
        self.commit = done.decode().strip()
        listed = self.git('ls-tree', '-r', self.commit, 'tests')
        # {path: hash of its contents}
        self.blobs = {}
        for line in listed.decode().splitlines():
            about, _, path = line.partition('\t')
            self.blobs[path] = about.split()[2]

    def git(self, *words):
        done = subprocess.run(['git', '-C', self.top, *words], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
        return done.stdout if done.returncode == 0 else None

    def read(self, path):
        """Returns the contents of a file, or nothing if there is no such file."""
        return self.git('cat-file', 'blob', self.blobs[path]) if path in self.blobs else b''

    def scenes(self):
        """Returns {(suite, scene): (hashes, input)}.  A change of the input explains a change of
        the hashes."""
        found = {}
        for suite, path in LINES.items():
            for line in self.read(path).decode().splitlines():
                words = line.split()
                if len(words) == 2 and re.match('[0-9a-f]{16}$', words[0]):
                    found[suite, words[1]] = (words[0],), None
        found.update(self.traces())
        found.update(self.captures())
        return found

    def traces(self):
        found, name = {}, None
        for line in self.read(TRACES).decode().splitlines():
            section = re.match(r'\[([^]]+)\]$', line)
            if section:
                name = section[1]
            for value in re.findall('"([0-9a-f]{32})"', line):
                hashes = found.get(('trace', name), ((), None))[0]
                found['trace', name] = (hashes + (value,),
                                        self.blobs.get(f'tests/traces/{name}.trace'))
        return found

    def captures(self):
        found = {}
        for path in self.blobs:
            if path.startswith(CAPTURES) and path.endswith('.txt.xz'):
                name = path[len(CAPTURES):-len('.txt.xz')]
                text = lzma.decompress(self.read(path))
                found['capture', name] = (tuple(value.decode() for _, value in
                                                PRESENT.findall(text)),
                                          self.packets(text))
        return found

    @staticmethod
    def packets(text):
        """Returns what the program has sent, without the hashes of pictures."""
        return PRESENT.sub(b'', text)


def compare(old, new):
    """Returns the lists of scenes with other pixels, and of those with another input, and the
    numbers of new, removed and equal scenes."""
    changed, again, same = [], [], 0
    for key in old.keys() & new.keys():
        if old[key][0] == new[key][0]:
            same += 1
        elif old[key][1] == new[key][1]:
            changed.append(key)
        else:
            again.append(key)
    return sorted(changed), sorted(again), len(new.keys() - old.keys()), \
        len(old.keys() - new.keys()), same


def print_scenes(title, scenes):
    if scenes:
        print(f'\n{title}:\n')
        for suite in sorted({key[0] for key in scenes}):
            names = ', '.join(f'`{name}`' for kind, name in scenes if kind == suite)
            print(f'- {suite}: {names}')


def main(argv):
    if len(argv) not in (2, 3) or argv[1] in ('-h', '--help'):
        print(__doc__.strip())
        return 0 if argv[1:2] in (['-h'], ['--help']) else 2
    old, new = (Revision(name) for name in (argv[1], argv[2] if len(argv) > 2 else 'HEAD'))
    changed, again, added, removed, same = compare(old.scenes(), new.scenes())
    print(f'Pixels of {argv[1]} ({old.commit[:12]}) and {argv[2] if len(argv) > 2 else "HEAD"} '
          f'({new.commit[:12]}): {len(changed)} of {len(changed) + len(again) + same} scenes '
          f'differ; {added} scenes are new, {removed} are gone.')
    print_scenes('Other pixels', changed)
    print_scenes('Recorded again, so their pixels cannot be compared', again)
    return 1 if changed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
