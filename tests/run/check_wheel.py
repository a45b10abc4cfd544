#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests make_wheel.py: the wheel has the files and programs of a tarball, and its programs run with
the variables of the caller.

usage: check_wheel.py TOP"""

import base64
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile

DIST = os.path.join(sys.argv[1], 'src/tools/dist')
# Prints its name, its arguments, and the variables that importing the module would change.
PROGRAM = '''#!/bin/sh
if [ "${1:-}" = --env ]; then
   echo "export MARK='imported'"
   exit
fi
echo "${0##*/}: $* ${MARK-} ${EGL_PLATFORM-} ${SGPU_PYTHON:+python}"
exit 5
'''
PROGRAMS = ['sgpu-cap', 'sgpu-doctor', 'sgpu-golden', 'sgpu-run']


def make_tarball(path):
    with tarfile.open(path, 'w') as archive:
        files = {f'bin/{name}': (PROGRAM, 0o755) for name in PROGRAMS}
        for name, (text, mode) in {**files, 'share/text': ('text', 0o644)}.items():
            info = tarfile.TarInfo(f'sgpu-1.2.3-linux-x86_64/{name}')
            info.size, info.mode = len(text), mode
            archive.addfile(info, io.BytesIO(text.encode()))


def make_wheel(tarball, folder):
    os.mkdir(folder)
    made = subprocess.run(
        [sys.executable, f'{DIST}/make_wheel.py', '--version', '1.2.3', '--arch', 'x86_64', '--glibc',
         '2.31', '--module', f'{DIST}/python/sgpu_gl', '--output', folder, tarball],
        env={**os.environ, 'SOURCE_DATE_EPOCH': '1000000000'}, check=True, stdout=subprocess.PIPE,
        text=True).stdout.strip()
    with open(made, 'rb') as file:
        return made, file.read()


def unpack(wheel, folder):
    """Unpacks as pip does, and checks the list of files."""
    with zipfile.ZipFile(wheel) as archive:
        record = archive.read('sgpu_gl-1.2.3.dist-info/RECORD').decode().splitlines()
        listed = dict(line.split(',', 1) for line in record)
        assert sorted(listed) == sorted(archive.namelist()), listed
        for info in archive.infolist():
            data = archive.read(info)
            if not info.filename.endswith('/RECORD'):
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')
                assert listed[info.filename] == f'sha256={digest},{len(data)}', info.filename
            os.chmod(archive.extract(info, folder), info.external_attr >> 16)


def run(folder, *command):
    env = {name: value for name, value in os.environ.items()
           if name not in ('DISPLAY', 'WAYLAND_DISPLAY', 'EGL_PLATFORM', 'MARK', 'SGPU_GL')}
    done = subprocess.run([sys.executable, *command], env={**env, 'PYTHONPATH': folder}, text=True,
                          stdout=subprocess.PIPE, check=False)
    return done.returncode, done.stdout.split()


with tempfile.TemporaryDirectory() as top:
    source = os.path.join(top, 'sgpu.tar')
    make_tarball(source)
    first, data_of_first = make_wheel(source, f'{top}/first')
    assert make_wheel(source, f'{top}/second')[1] == data_of_first, 'other bytes'
    installed = os.path.join(top, 'installed')
    unpack(first, installed)
    scripts = os.path.join(installed, 'sgpu_gl-1.2.3.data/scripts')
    assert sorted(os.listdir(scripts)) == PROGRAMS, os.listdir(scripts)
    for name in PROGRAMS:
        script = os.path.join(scripts, name)
        with open(script, encoding='utf-8') as file:
            assert file.readline() == '#!python\n', name  # the line that pip replaces
        assert os.access(script, os.X_OK), name
        found = run(installed, script, 'one', 'two')
        assert found == (5, [f'{name}:', 'one', 'two', 'python']), found
    found = run(installed, '-m', 'sgpu_gl', 'program')
    assert found == (5, ['sgpu-run:', 'program']), found
    found = run(installed, '-c', 'import os, sgpu_gl; print(os.environ["MARK"])')
    assert found == (0, ['imported']), found
