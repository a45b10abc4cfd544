#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a program with more rights than its user reads no environment variables.
The program here has a file that sets its group ID.  Also checks that other programs report
wrong values of the variables, and that no library of the product calls getenv().

usage: check_secure.py BUILD PROGRAM LIBGALLIUM [LIBRARY...]"""

import os
import shutil
import stat
import subprocess
import sys
import tempfile

SKIP = 77
OTHER_USER = 65534
# Tuples of a variable, a wrong value, and a text that the program's message must contain.
WRONG = (
    ('SGPU_THREADS', 'many', 'SGPU_THREADS'),
    ('SGPU_DISPATCH', 'random', 'SGPU_DISPATCH'),
    ('SGPU_EXEC', 'slow', 'SGPU_EXEC'),
    ('SGPU_CAPTURE', 'f,nonsense', 'SGPU_CAPTURE'),
    ('SGPU_TIMING', 'nothing', 'SGPU_TIMING'),
    ('SGPU_DEBUG', 'help', 'noopt'),
    ('GALLIUM_DRIVER', 'other', 'no screen'),
    ('HOME', 'FOLDER', 'strange'),
)


def run(program, library, env):
    done = subprocess.run([program, library], check=True, env=env, encoding='utf-8',
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    secure, _, text = done.stdout.partition('\n')
    return secure == '1', text


def check_symbols(libraries):
    for library in libraries:
        names = subprocess.run(['nm', '-D', '--undefined-only', library], check=True,
                               stdout=subprocess.PIPE, encoding='utf-8').stdout.split()
        assert not any(name.split('@')[0] == 'getenv' for name in names), library


def other_group():
    if os.getuid() == 0:
        return OTHER_USER
    return next((group for group in os.getgroups() if group != os.getegid()), None)


def main(build, program, *libraries):
    check_symbols(libraries)
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(('SGPU_', 'GALLIUM_', 'MESA_', 'LIBGL_', 'DRIRC_'))}
    with tempfile.TemporaryDirectory(dir=build) as folder:
        with open(os.path.join(folder, '.drirc'), 'w', encoding='utf-8') as file:
            file.write('<strange></strange>\n')
        copy = os.path.join(folder, 'secure')
        shutil.copy(program, copy)
        group = other_group()
        if group is not None:
            os.chown(copy, -1, group)
        os.chmod(copy, stat.S_ISGID | 0o755)
        if group is None or not run(copy, libraries[0], env)[0]:
            print('no file can set the group')
            sys.exit(SKIP)
        for name, value, said in WRONG:
            wrong = dict(env, LIBGL_DEBUG='verbose', **{name: value.replace('FOLDER', folder)})
            secure, text = run(program, libraries[0], wrong)
            assert not secure and said in text, (name, text)
            secure, text = run(copy, libraries[0], wrong)
            assert secure and text.strip() == 'screen', (name, text)


if __name__ == '__main__':
    main(*sys.argv[1:])
