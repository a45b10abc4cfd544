#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests src/tools/front/debian_series.py on small source packages of both formats.

usage: check_debian_series.py ROOT
"""

import gzip
import io
import os
import subprocess
import sys
import tarfile
import tempfile

TOOL = os.path.join(sys.argv[1], 'src/tools/front/debian_series.py')

# The second patch changes lines that the first one adds.
FIRST = b'--- /dev/null\n+++ b/a.c\n@@ -0,0 +1,2 @@\n+one\n+two\n'
SECOND = b'A text.\n--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n'
PATCHES = {
    'debian/patches/first.patch': FIRST,
    'debian/patches/second.patch': SECOND,
    'debian/patches/unused.patch': b'not in the series\n',
    'debian/patches/series': b'# comment\n\nfirst.patch -p1\nsecond.patch # why\n',
    'debian/rules': b'#!/usr/bin/make -f\n',
}


def tar(path, files):
    with tarfile.open(path, 'w:xz') as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


def diff(path, files, old=0):
    text = b''
    for name, data in files.items():
        lines = data.splitlines(keepends=True)
        text += b'--- x-1.orig/%s\n+++ x-1/%s\n' % (name.encode(), name.encode())
        text += b'@@ -0,%d +1,%d @@\n' % (old, len(lines)) if len(lines) != 1 else \
            b'@@ -0,%d +1 @@\n' % old
        text += b'-gone\n' * old + b''.join(b'+' + line for line in lines)
        if not text.endswith(b'\n'):
            text += b'\n\\ No newline at end of file\n'
    with gzip.open(path, 'wb') as archive:
        archive.write(text)


def run(path):
    return subprocess.run([sys.executable, TOOL, path], capture_output=True)


def applied(series, folder):
    """Returns a.c after all patches, or None if they do not apply."""
    os.makedirs(folder)
    result = subprocess.run(['patch', '-f', '-p1', '-d', folder], input=series,
                            capture_output=True)
    if result.returncode:
        return None
    with open(os.path.join(folder, 'a.c'), 'rb') as file:
        return file.read()


def main():
    failed = 0

    def check(condition, what):
        nonlocal failed
        if not condition:
            print('wrong:', what)
            failed += 1

    with tempfile.TemporaryDirectory() as tmp:
        for write, name in [(tar, 'x_1-1.debian.tar.xz'), (diff, 'x_1-1.diff.gz')]:
            path = os.path.join(tmp, name)
            write(path, PATCHES)
            result = run(path)
            check(result.returncode == 0, (name, result.stderr))
            check(applied(result.stdout, os.path.join(tmp, name + '.d')) == b'one\nthree\n', name)
            check(b'not in the series' not in result.stdout, name)

            # A patch without a newline at its end must not run into the next patch.
            write(path, PATCHES | {'debian/patches/first.patch': FIRST[:-1]})
            check(b'+two\n\nPatch: second.patch' in run(path).stdout, name)

            for files, message in [
                    ({'debian/rules': b'x\n'}, b'no series'),
                    (PATCHES | {'debian/patches/series': b'lost.patch\n'}, b'lost.patch'),
                    (PATCHES | {'debian/patches/series': b'first.patch -p0\n'}, b'-p0')]:
                write(path, files)
                result = run(path)
                check(result.returncode != 0 and message in result.stderr and
                      b'Traceback' not in result.stderr, (name, message, result.stderr))
            with open(path, 'wb') as file:
                file.write(b'not an archive')
            result = run(path)
            check(result.returncode != 0 and b'Traceback' not in result.stderr, result.stderr)

        path = os.path.join(tmp, 'x_1-1.diff.gz')
        for files, old, message in [(PATCHES | {'src/a.c': b'x\n'}, 0, b'src/a.c'),
                                    (PATCHES, 1, b'in place of adding')]:
            diff(path, files, old)
            result = run(path)
            check(result.returncode != 0 and message in result.stderr, result.stderr)
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
