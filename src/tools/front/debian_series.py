#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the patches of a Debian source package as one patch, in the order of its series.

usage: debian_series.py ARCHIVE

ARCHIVE is the file of the source package that contains the folder debian/: NAME.debian.tar.xz
(format 3.0), or NAME.diff.gz (format 1.0), a patch that adds debian/ to the source.
"""

import gzip
import os
import sys
import tarfile

SERIES = 'debian/patches/'


class Unreadable(Exception):
    pass


def files_of_tar(path):
    """Returns {name: contents} of the files in debian/patches."""
    files = {}
    with tarfile.open(path) as tar:
        for member in tar:
            if member.isfile() and member.name.startswith(SERIES):
                files[member.name[len(SERIES):]] = tar.extractfile(member).read()
    return files


def files_of_diff(path):
    """Returns {name: contents} of the files in debian/patches.  Rejects a package that changes
    files outside of debian/, because the series does not contain these changes."""
    files = {}
    added, left = None, 0
    with gzip.open(path) as diff:
        for line in diff:
            if left:
                if not line.startswith((b'+', b'\\')):
                    raise Unreadable('it changes a file of debian/ in place of adding it')
                if line.startswith(b'+'):
                    added.append(line[1:])
                    left -= 1
            elif line.startswith(b'\\'):
                added[-1] = added[-1].rstrip(b'\n')
            elif line.startswith(b'+++ '):
                name = line[4:].split(b'\t')[0].strip().decode().partition('/')[2]
                if not name.startswith('debian/'):
                    raise Unreadable(f'it changes {name} outside of debian/')
                added = []
                if name.startswith(SERIES):
                    files[name[len(SERIES):]] = added
            elif line.startswith(b'@@ '):
                # The format is @@ -0,0 +1,COUNT @@, where a count of 1 is omitted.
                old, new = line.split()[1:3]
                if old != b'-0,0':
                    raise Unreadable('it changes a file of debian/ in place of adding it')
                left = int((new.split(b',') + [b'1'])[1])
    return {name: b''.join(lines) for name, lines in files.items()}


def names_of_series(text):
    """Yields the names of the patches in order.  Each line contains one name; '#' starts a
    comment."""
    for line in text.decode().splitlines():
        words = line.partition('#')[0].split()
        if words[1:] not in ([], ['-p1']):
            raise Unreadable(f'its series has an option that is not known: {line}')
        yield from words[:1]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    path = sys.argv[1]
    try:
        files = files_of_diff(path) if path.endswith('.diff.gz') else files_of_tar(path)
        if 'series' not in files:
            raise Unreadable('it has no series of patches')
        for name in names_of_series(files['series']):
            if name not in files:
                raise Unreadable(f'its series names {name}, which it does not hold')
            # patch(1) ignores text that precedes a patch.
            sys.stdout.buffer.write(b'\nPatch: %s\n' % name.encode() + files[name])
            if not files[name].endswith(b'\n'):
                sys.stdout.buffer.write(b'\n')
    except (Unreadable, OSError, EOFError, UnicodeDecodeError, tarfile.TarError) as error:
        sys.exit(f'{os.path.basename(path)}: {error}')


if __name__ == '__main__':
    main()
