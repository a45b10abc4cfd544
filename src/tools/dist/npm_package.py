#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# usage: npm_package.py --version V --out F.tgz TARBALL|FOLDER...
#
# Makes a package for npm of one tarball of sgpu (sgpu dist tarball), or its unpacked folder, per
# architecture.  npm is not needed for that.  The same input gives the same bytes;
# SOURCE_DATE_EPOCH is the time of all files.
#
# npm does not unpack links.  A library's link with the name that the loader uses
# (libX.so.0 -> libX.so.0.0.0) is replaced by the library; other links by copies.

import argparse
import contextlib
import gzip
import io
import json
import os
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = os.path.join(HERE, 'npm')
# Node's names for the ELF machines of the driver.
MACHINES = {62: 'x64', 183: 'arm64'}
DRIVER = 'lib/sgpu/libgallium_sgpu.so'


def fail(text):
    print(f'sgpu: {text}', file=sys.stderr)
    sys.exit(1)


@contextlib.contextmanager
def unpacked(path):
    """Context manager that yields the folder of a tarball, or the folder itself."""
    if os.path.isdir(path):
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(path) as archive:
            archive.extractall(folder)
        yield os.path.join(folder, *os.listdir(folder)[:1])


def machine_of(folder):
    try:
        with open(os.path.join(folder, DRIVER), 'rb') as file:
            return MACHINES[int.from_bytes(file.read(20)[18:20], 'little')]
    except (OSError, KeyError):
        fail(f'{folder} is no installation of sgpu: there is no {DRIVER} for x86_64 or aarch64')


def files_of(folder):
    """Yields the name and the path of each file, with links resolved."""
    for base, folders, names in os.walk(folder):
        folders.sort()
        # Files that are stored under the name of a link.
        links = {os.readlink(os.path.join(base, name)) for name in names
                 if os.path.islink(os.path.join(base, name))}
        versions = {target for target in links
                    if any(target.startswith(name + '.') for name in names)}
        for name in sorted(names):
            path = os.path.join(base, name)
            if name not in versions:
                yield os.path.relpath(path, folder), os.path.realpath(path)


class Package:
    """Collects the files of the package."""

    def __init__(self):
        self.files = {}

    def add(self, name, data, executable=False):
        self.files[name] = data, executable

    def add_folder(self, folder, prefix):
        for name, path in files_of(folder):
            with open(path, 'rb') as file:
                self.add(f'{prefix}/{name}', file.read(), os.access(path, os.X_OK))

    def write(self, path, seconds):
        with open(path + '.part', 'wb') as out, \
             gzip.GzipFile('', 'wb', 9, out, mtime=0) as packed, \
             tarfile.open(fileobj=packed, mode='w', format=tarfile.USTAR_FORMAT) as archive:
            # npm reads the description first.
            for name in sorted(self.files, key=lambda n: (n != 'package.json', n)):
                data, executable = self.files[name]
                info = tarfile.TarInfo('package/' + name)
                info.size, info.mtime = len(data), seconds
                info.mode = 0o755 if executable else 0o644
                archive.addfile(info, io.BytesIO(data))
        os.replace(path + '.part', path)


def part(name):
    with open(os.path.join(PARTS, name), encoding='utf-8') as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--version', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('source', nargs='+')
    args = parser.parse_args()
    package = Package()
    machines, programs = [], set()
    for source in args.source:
        if not os.path.exists(source):
            fail(f'there is no {source}')
        with unpacked(source) as folder:
            machine = machine_of(folder)
            machines.append(machine)
            package.add_folder(folder, f'linux-{machine}')
            programs.update(os.listdir(os.path.join(folder, 'bin')))
    if 'sgpu-run' not in programs:
        fail('the tarball has no bin/sgpu-run')
    description = json.loads(part('package.json'))
    description |= {'version': args.version, 'cpu': sorted(machines),
                    'bin': {name: f'bin/{name}' for name in sorted(programs)}}
    package.add('package.json', (json.dumps(description, indent=2) + '\n').encode())
    for name in 'index.js', 'index.d.ts', 'README.md':
        package.add(name, part(name).encode())
    for name in programs:
        package.add(f'bin/{name}', part('launcher.sh').replace('@program@', name).encode(), True)
    package.write(args.out, int(os.environ.get('SOURCE_DATE_EPOCH', '0')))
    size = sum(len(data) for data, _ in package.files.values())
    print(args.out)
    print(f'sgpu: {os.path.getsize(args.out) / 1e6:.1f} MB, unpacked {size / 1e6:.1f} MB',
          file=sys.stderr)


if __name__ == '__main__':
    main()
