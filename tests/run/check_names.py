#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the names that programs see (docs/releases.md, docs/names.md): those of GL, with any number
of threads, through GLX and EGL; options that replace them; and --version of the programs.

usage: check_names.py SGPU MESON.BUILD RELEASES.md NAMES PROGRAM..."""

import hashlib
import os
import re
import subprocess
import sys
import tempfile

DRIRC = '''<driconf><device><application name="names" executable="names">
   <option name="force_gl_renderer" value="llvmpipe (sgpu)"/>
</application></device></driconf>
'''


def output(*command, **variables):
    environment = {**os.environ, **variables}
    # sgpu-golden is not in the build folder.
    environment['SGPU_GOLDEN_BUILD'] = environment['SGPU_BUILD']
    environment['SGPU_GOLDEN_TOP'] = os.path.dirname(sys.argv[2])
    return subprocess.run(command, env=environment, check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def glx_names(text):
    """Returns the names in the output of glxinfo -B."""
    line = r'^OpenGL (?:core profile |ES profile )?(vendor|renderer|version) string: (.*)$'
    found = re.findall(line, text, re.M)
    return {kind: {value for name, value in found if name == kind}
            for kind in ('vendor', 'renderer', 'version')}


def egl_names(text):
    """Returns the names in the output of names.c."""
    names = {}
    for line in text.strip().splitlines():
        kind, _, value = line.partition(': ')
        names.setdefault(kind, set()).add(value)
    return names


def uuid(text):
    """Returns the UUID that the driver makes of a text."""
    return hashlib.sha1(text.encode()).hexdigest()[:32]


def main(sgpu, meson, releases, names, *programs):
    with open(meson, encoding='utf-8') as file:
        version = re.search(r"^  version : '(\d+\.\d+\.\d+)',$", file.read(), re.M)[1]
    with open(releases, encoding='utf-8') as file:
        notes = file.read()
    assert f'\n## {version} (' in notes, f'{releases} has no section for {version}'

    first = output(sgpu, '--version')
    mesa = re.fullmatch(rf'sgpu {version} \(Mesa (25\.\S+)\)\n', first)[1]
    for program in programs:
        name = os.path.basename(program)
        assert output(program, '--version') == f'{name} {version}\n', name
        assert output(program, '--help').startswith('usage: '), name

    ends = f'Mesa {mesa} (sgpu {version})'
    glx = {
        'vendor': {'sgpu'},
        'renderer': {'sgpu'},
        'version': {f'4.6 (Core Profile) {ends}', f'4.6 (Compatibility Profile) {ends}',
                    f'OpenGL ES 3.2 {ends}'},
    }
    egl = {**glx, 'driver UUID': {uuid(f'sgpu driver {version}')},
           'device UUID': {uuid('sgpu device')}}
    assert uuid('sgpu device') in notes.replace('-', ''), f'{releases} has another UUID'
    for read, expected, *command in ((glx_names, glx, 'glxinfo', '-B'),
                                     (egl_names, egl, names, 'core', 'compat', 'es')):
        def run(**variables):
            return read(output(sgpu, 'run', '--', *command, **variables))
        for threads in ('1', '3'):
            found = run(SGPU_THREADS=threads)
            assert found == expected, f'{command[0]}: {found}'
        # Names for programs that look for those of other renderers.
        found = run(force_gl_renderer='llvmpipe (sgpu)', force_gl_vendor='Mesa')
        assert found == {**expected, 'vendor': {'Mesa'}, 'renderer': {'llvmpipe (sgpu)'}}, found
        found = run(MESA_GL_VERSION_OVERRIDE='4.2')
        assert f'4.2 (Core Profile) {ends}' in found['version'], found
    check_file(sgpu, names)
    print(first.strip())


def check_file(sgpu, names):
    """Checks that a file of driconf changes the renderer of the program that it names."""
    with tempfile.TemporaryDirectory() as home:
        with open(os.path.join(home, '.drirc'), 'w', encoding='utf-8') as file:
            file.write(DRIRC)
        found = egl_names(output(sgpu, 'run', '--', names, 'core', HOME=home))
        assert found['renderer'] == {'llvmpipe (sgpu)'}, found


if __name__ == '__main__':
    main(*sys.argv[1:])
