#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks the GitHub Action, the GitLab template and the package for npm with a small tarball.

   check_ci.py PROGRAM [ARGUMENT...]

The tarball has programs that print their arguments, in place of sgpu.  With Node.js, the package
for npm is loaded, too.  If dist/ has the real tarball of this machine's architecture, the action
runs PROGRAM with it, which draws and checks a picture.
"""

import glob
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
PLAY = os.path.join(HERE, 'play.py')
SGPU_RUN = '''#!/bin/sh
case $1 in
--version) echo 'sgpu 9.8.7' ;;
--env) echo "export SGPU_TEST_A='it'\\\\''s \\$HOME'"; echo "export LD_LIBRARY_PATH='/x y'" ;;
--require) shift 2; echo "required: $*"; exec "$@" ;;
*) exit 3 ;;
esac
'''
SGPU_GOLDEN = '''#!/bin/sh
echo "golden: $*"
for folder; do :; done
[ "$folder" = good ]
'''
MACHINES = {'x86_64': ('x64', 62), 'aarch64': ('arm64', 183)}

faults = 0


def check(title, condition, text=''):
    global faults  # pylint: disable=global-statement
    if not condition:
        faults += 1
        print(f'FAIL {title}\n{text}')


def write(path, data, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(data)
    os.chmod(path, mode)


def make_tarball(out):
    """Returns the folder and the tarball."""
    name = f'sgpu-9.8.7-linux-{platform.machine()}'
    folder = os.path.join(out, name)
    write(os.path.join(folder, 'bin/sgpu-run'), SGPU_RUN.encode(), 0o755)
    write(os.path.join(folder, 'bin/sgpu-golden'), SGPU_GOLDEN.encode(), 0o755)
    head = bytes(18) + MACHINES[platform.machine()][1].to_bytes(2, 'little')
    write(os.path.join(folder, 'lib/sgpu/libgallium_sgpu.so'), head)
    write(os.path.join(folder, 'lib/sgpu/glvnd/libEGL_sgpu.so.0.0.0'), b'egl')
    os.symlink('libEGL_sgpu.so.0.0.0', os.path.join(folder, 'lib/sgpu/glvnd/libEGL_sgpu.so.0'))
    write(os.path.join(folder, 'lib/sgpu/dri/sgpu_dri.so'), b'dri')
    os.symlink('sgpu_dri.so', os.path.join(folder, 'lib/sgpu/dri/swrast_dri.so'))
    tarball = folder + '.tar.gz'
    with tarfile.open(tarball, 'w:gz') as archive:
        archive.add(folder, name)
    return folder, tarball


def play(*args):
    run = subprocess.run([sys.executable, PLAY, *args], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return run.returncode, run.stdout


def check_github(tarball):
    with open(tarball, 'rb') as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    given = ['github', '--input', f'tarball={tarball}', '--input', f'sha256={digest}']
    environment = 'test "$SGPU_TEST_A" = "it\'s \\$HOME"; test "$LD_LIBRARY_PATH" = "/x y"'
    status, text = play(*given, '--step', environment, '--step', 'sgpu-run --version')
    check('github', status == 0 and 'output version: sgpu 9.8.7' in text, text)
    status, text = play(*given, '--input', 'environment=false', '--step',
                        'test -z "$SGPU_TEST_A"; sgpu-run --version')
    check('github, no environment', status == 0, text)
    status, text = play(*given, '--input', 'run=echo "a  b"; exit 5')
    check('github, a command that fails', status == 1 and 'a  b\n' in text and 'status 5' in text,
          text)
    status, text = play(*given, '--input', 'golden=good')
    check('github, golden', status == 0 and 'golden: check --junit' in text, text)
    status, text = play(*given, '--input', 'golden=bad')
    check('github, golden pictures differ', status == 1, text)
    status, text = play('github', '--input', f'tarball={tarball}', '--input', 'sha256=12')
    check('github, another hash', status == 1 and 'has another SHA-256: ' + digest in text, text)
    status, text = play('github', '--input', 'tarball=/none')
    check('github, no file', status == 1 and '::error title=sgpu::there is no file /none' in text,
          text)


def check_gitlab(tarball):
    status, text = play('gitlab', '--variable', f'SGPU_TARBALL={tarball}', '--script',
                        'test "$SGPU_TEST_A" = "it\'s \\$HOME"', '--script', 'sgpu-run --version')
    check('gitlab', status == 0 and text.count('sgpu 9.8.7') == 2, text)
    for title, wrong, message in (
            ('no variable', '', 'SGPU_TARBALL is missing'),
            ('no tarball', f'SGPU_TARBALL={PLAY}', 'is no tarball of sgpu')):
        status, text = play('gitlab', *(['--variable', wrong] if wrong else []))
        check(f'gitlab, {title}', status == 1 and message in text, text)
    status, text = play('gitlab', '--variable', f'SGPU_TARBALL={tarball}', '--variable',
                        f'SGPU_SHA256={"0" * 64}')
    check('gitlab, another hash', status == 1 and 'has another SHA-256' in text, text)


def pack(out, source):
    run = subprocess.run(
        [sys.executable, os.path.join(TOP, 'src/tools/dist/npm_package.py'), '--version', '9.8.7',
         '--out', out, source], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False, env=os.environ | {'SOURCE_DATE_EPOCH': '1000000000'})
    check('npm package', run.returncode == 0, run.stdout)
    with open(out, 'rb') as file:
        return file.read()


def check_npm(folder, tarball, out):
    machine = MACHINES[platform.machine()][0]
    package = os.path.join(out, 'sgpu.tgz')
    check('npm, the same bytes', pack(package, tarball) == pack(package, folder))
    with tarfile.open(package) as archive:
        names = archive.getnames()
        check('npm, no links', all(member.isfile() for member in archive))
        archive.extractall(os.path.join(out, 'node_modules'))
    os.rename(os.path.join(out, 'node_modules/package'), os.path.join(out, 'node_modules/sgpu'))
    check('npm, libraries', {f'package/linux-{machine}/lib/sgpu/glvnd/libEGL_sgpu.so.0',
                             f'package/linux-{machine}/lib/sgpu/dri/swrast_dri.so'} <= set(names)
          and f'package/linux-{machine}/lib/sgpu/glvnd/libEGL_sgpu.so.0.0.0' not in names, names)
    run = subprocess.run([os.path.join(out, 'node_modules/sgpu/bin/sgpu-run'), '--version'],
                         stdout=subprocess.PIPE, text=True, check=False)
    check('npm, bin/sgpu-run', run.stdout == 'sgpu 9.8.7\n', run.stdout)
    node = shutil.which('node')
    if not node:
        print('there is no node: index.js is not loaded')
        return
    script = '''
        const sgpu = require('sgpu'), assert = require('assert');
        const o = sgpu.launchOptions({ headless: true, args: ['-a'], env: { Z: '1' } });
        assert.deepStrictEqual(sgpu.variables(),
           { SGPU_TEST_A: "it's $HOME", LD_LIBRARY_PATH: '/x y' });
        assert.deepStrictEqual(o.args, ['--use-angle=gl-egl', '-a']);
        assert(o.headless && o.env.Z === '1' && o.env.SGPU_TEST_A && o.env.PATH);
        assert.strictEqual(sgpu.version, '9.8.7');'''
    run = subprocess.run([node, '-e', script], cwd=out, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    check('npm, index.js', run.returncode == 0, run.stdout)


def main():
    out = tempfile.mkdtemp()
    try:
        folder, tarball = make_tarball(out)
        check_github(tarball)
        check_gitlab(tarball)
        check_npm(folder, tarball, out)
        # The real tarball, if it has been made: bin/sgpu-run must start.
        for real in glob.glob(os.path.join(TOP, f'dist/sgpu-*-linux-{platform.machine()}.tar.*')):
            status, text = play('github', '--input', f'tarball={real}', '--input',
                                'run=' + ' '.join(sys.argv[1:]))
            check('github, ' + os.path.basename(real), status == 0, text)
    finally:
        shutil.rmtree(out)
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
