#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a Python wheel of a tarball of sgpu and of the module sgpu_gl.

usage: make_wheel.py --version V --arch ARCH --glibc V --module FOLDER --output FOLDER TARBALL"""

import argparse
import base64
import hashlib
import os
import stat
import sys
import tarfile
import time
import zipfile

METADATA = '''Metadata-Version: 2.1
Name: sgpu-gl
Version: {version}
Summary: OpenGL without a GPU: a software GPU behind a real OpenGL driver, with EGL, GLX and OSMesa
License: MIT
Requires-Python: >=3.8
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Multimedia :: Graphics :: 3D Rendering
Description-Content-Type: text/markdown

Import `sgpu_gl` before the module that loads an OpenGL library, or run any program by
`python -m sgpu_gl PROGRAM`. It needs no GPU, no X server, no root, and no OpenGL library of the
system. The same pixels come out on every machine.
'''

WHEEL = '''Wheel-Version: 1.0
Generator: sgpu dist
Root-Is-Purelib: false
Tag: {tag}
'''

# A program of the package.  The module is not imported: it changes the variables of its process,
# and sgpu-doctor tells what a program gets without it.  pip makes the first line that of the
# environment's Python.
LAUNCHER = '''#!python
# SPDX-License-Identifier: MIT
import importlib.util
import os
import sys

folder = os.path.dirname(importlib.util.find_spec('sgpu_gl').origin)
program = os.path.join(folder, 'sgpu', 'bin', '{program}')
os.environ['SGPU_PYTHON'] = sys.executable
os.execv(program, [program, *sys.argv[1:]])
'''


class Wheel:
    def __init__(self, path, date):
        self.file = zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED, compresslevel=9)
        self.date = date
        self.record = []

    def add(self, name, data, executable=False, record=True):
        info = zipfile.ZipInfo(name, self.date)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.create_system = 3
        info.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
        self.file.writestr(info, data)
        if record:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
            self.record.append(f'{name},sha256={digest},{len(data)}')

    def close(self, record_name):
        text = '\n'.join(sorted(self.record) + [f'{record_name},,']) + '\n'
        self.add(record_name, text.encode(), record=False)
        self.file.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0])
    for name in ('version', 'arch', 'glibc', 'module', 'output'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('tarball')
    options = parser.parse_args()

    tag = f'py3-none-manylinux_{options.glibc.replace(".", "_")}_{options.arch}'
    path = os.path.join(options.output, f'sgpu_gl-{options.version}-{tag}.whl')
    info = f'sgpu_gl-{options.version}.dist-info'
    # A zip file has no times before 1980.
    date = time.gmtime(max(int(os.environ['SOURCE_DATE_EPOCH']), 315532800))[:6]

    wheel = Wheel(path + '.part', date)
    for name in sorted(os.listdir(options.module)):
        if name.endswith('.py'):
            with open(os.path.join(options.module, name), 'rb') as file:
                wheel.add(f'sgpu_gl/{name}', file.read())
    programs = []
    with tarfile.open(options.tarball) as tarball:
        for member in tarball.getmembers():
            if member.isdir():
                continue
            if not member.isfile():
                sys.exit(f'{options.tarball}: {member.name} is a link, which wheels cannot have')
            inner = member.name.split('/', 1)[1]
            if inner.startswith('bin/'):
                programs.append(inner[len('bin/'):])
            wheel.add('sgpu_gl/sgpu/' + inner, tarball.extractfile(member).read(),
                      bool(member.mode & 0o100))
    wheel.add(f'{info}/METADATA', METADATA.format(version=options.version).encode())
    wheel.add(f'{info}/WHEEL', WHEEL.format(tag=tag).encode())
    if 'sgpu-run' not in programs:
        sys.exit(f'{options.tarball} has no bin/sgpu-run')
    for program in sorted(programs):
        wheel.add(f'sgpu_gl-{options.version}.data/scripts/{program}',
                  LAUNCHER.format(program=program).encode(), True)
    wheel.close(f'{info}/RECORD')
    os.replace(path + '.part', path)
    print(path)


if __name__ == '__main__':
    main()
