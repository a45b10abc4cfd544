#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the files, output and exit statuses of `sgpu trace` and `sgpu retrace`.

usage: check_commands.py SGPU
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from PIL import Image

SGPU = sys.argv[1]
BUILD = os.environ['SGPU_BUILD']
SCENES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'scenes-window.trace')
FAILURES = []


def check(status, text, *arguments, prefix=()):
    """Runs sgpu and checks its exit status and that its output matches a regular expression."""
    done = subprocess.run([*prefix, SGPU, *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True,
                          errors='replace', stdin=subprocess.DEVNULL)
    if done.returncode != status or not re.search(text, done.stdout):
        FAILURES.append(arguments)
        print(f'sgpu {" ".join(arguments)}: status {done.returncode}, expected '
              f"{status} and '{text}' in:\n{done.stdout}")
    return done.stdout


def expect(good, text):
    if not good:
        FAILURES.append(text)
        print(text)


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def hashes(output):
    return re.findall(r'^(\d+) ([0-9a-f]{32})$', output, re.M)


def check_recording():
    check(0, r'gears.trace: GLX, 3 frames', 'trace', '-o', 'gears.trace',
          '--frames', '0-2', '--', 'glxgears', '-geometry', '120x100')
    before = read('gears.trace')
    check(2, 'exists: --force', 'trace', '-o', 'gears.trace', 'glxgears')
    check(2, 'made no GLX or EGL calls', 'trace', '-o', 'gears.trace', '--force', 'true')
    expect(read('gears.trace') == before, 'the file was not left alone')
    check(0, r'EGL, \d frames', 'trace', '-o', 'es.trace', '--pack', '--frames',
          '5-6', 'es2gears_x11', '-geometry', '120x100')
    # The program that a shell starts is not known before it runs.
    check(0, r'uses EGL[^$]*EGL, 1 frames', 'trace', '-o', 'shell.trace',
          '--frames', '0', '--', 'sh', '-c', 'es2gears_x11')
    check(2, 'made no GLX calls', 'trace', '-o', 'no.trace', '--api', 'glx',
          '--frames', '0', 'es2gears_x11')
    check(0, 'never swapped', 'trace', '-o', 'info.trace', 'glxinfo', '-B')
    check(2, 'showed [0-9]+ frames', 'trace', '-o', 'few.trace', '--frames',
          '0-100000', '--seconds', '0.3', 'glxgears')
    check(2, 'made no GLX or EGL calls', 'trace', '-o', 'no.trace', 'true')
    check(2, "no program 'nosuchprogram'", 'trace', 'nosuchprogram')
    check(2, 'not a writable folder', 'trace', '-o', '/nonexistent/x', 'glxgears')
    check(2, 'not a range', 'trace', '--frames', '5-3', 'glxgears')
    check(1, "no option '--nonsense'", 'trace', '--nonsense', 'glxgears')
    expect(not os.path.exists('no.trace'), 'a recording of nothing was kept')
    if subprocess.run(['unshare', '-rm', 'true'], check=False).returncode == 0:
        os.mkdir('small')
        check(2, 'small is full', 'trace', '-o', 'small/x.trace', 'glxgears',
              prefix=['unshare', '-rm', 'sh', '-c',
                      'mount -t tmpfs -o size=1m none small && exec "$@"',
                      'sh'])
    else:
        print('skipped: a recording on a full disk (no user namespaces here)')


def check_pictures():
    # For the first frame, apitrace reads more pixels than the window has.
    frames = ['retrace', 'gears.trace', '--frames', '1-2']
    first = hashes(check(0, '', *frames, '--hash'))
    expect([frame for frame, _ in first] == ['1', '2'], f'two hashes, not {first}')
    # The gears move with the time, so each of these frames is different.
    others = hashes(check(0, '', 'retrace', SCENES, '--hash'))
    expect(len(others) == len({text for _, text in others}) == 3,
           f'three hashes, not {others}')
    output = check(0, '2 pictures in kept', *frames, '--snapshots', 'kept',
                   '--hash')
    expect(hashes(output) == first, 'the pictures have other hashes')
    # Replays of other tests may write at the same time, so use a unique name.
    name = f'gears-{os.getpid()}'
    shutil.copy('gears.trace', f'{name}.trace')
    frames[1] = f'{name}.trace'
    differences = os.path.join(BUILD, 'retrace', name)
    check(0, '2 pictures, 0 differ', *frames, '--compare', 'kept')
    expect(not os.path.exists(differences), 'there is no difference')
    before = sorted(os.listdir('.'))

    picture = Image.open('kept/frame-00001.png')
    red, green, blue = picture.getpixel((3, 7))
    picture.putpixel((3, 7), (red, green ^ 5, blue))
    picture.save('kept/frame-00001.png')
    check(1, '1 pixels differ, by up to +5.*\n.*\n2 pictures, 1 differ',
          *frames, '--compare', 'kept')
    found = Image.open(f'{differences}/frame-00001.png')
    marked = [(x, y) for x in range(found.width) for y in range(found.height)
              if found.getpixel((x, y)) == (0, 224, 64)]
    expect(marked == [(3, 7)], f'the difference is marked at {marked}')
    check(0, '0 differ', *frames, '--compare', 'kept', '--within', '5')
    check(0, '0 differ', *frames, '--compare', 'kept', '--share', '99.9')
    os.unlink('kept/frame-00002.png')
    check(1, 'frame-00002.png: not in kept', *frames, '--compare', 'kept')
    Image.new('RGB', (10, 20)).save('kept/frame-00002.png')
    check(1, '120x100 pixels against 10x20', *frames, '--compare', 'kept')
    expect(sorted(os.listdir('.')) == before, 'a picture is in the current folder')
    shutil.rmtree(differences, ignore_errors=True)
    os.unlink(f'{name}.trace')


def check_replay():
    check(0, 'GLX, 3 frames\n.* 0 calls 0-', 'retrace', 'gears.trace', '--list')
    output = check(0, '2 pictures, 0 differ', 'retrace', 'gears.trace',
                   '--against', 'llvmpipe', '--frames', '1-2')
    expect(output.count('within 2 ') + output.count('within 2\n') == 2,
           'not two rows')
    output = check(0, 'median .* frames per second', 'retrace', 'gears.trace',
                   '--loop', '7', '--times')
    expect(len(re.findall(r'^\d+\.\d{3}$', output, re.M)) == 7, 'seven times')
    output = check(0, '', 'retrace', 'es.trace', '--settings', '--frames', '1-2')
    levels = output.count('host level') - output.count('skipped: host level')
    # The settings of the shader cache are repeated until the cache has all shaders.
    repeats = sum(max(output.count(f'shader cache, {state}') - 1, 0) for state in ('empty', 'filled'))
    pictures = output.count('the same pictures') - repeats
    expect(pictures == 18 + levels, f'not all settings:\n{output}')
    calls = check(0, r'pictures in calls', 'retrace', 'gears.trace', '--calls',
                  '*/draw', '--snapshots', 'calls')
    expect(os.path.isdir('calls') and os.listdir('calls') and
           all(re.fullmatch(r'call-\d{8}\.png', name)
               for name in os.listdir('calls')), calls)
    check(2, 'no file nosuch.trace', 'retrace', 'nosuch.trace')
    check(2, 'is not a trace', 'retrace', SGPU)
    check(2, 'is not a file', 'retrace', '.')
    check(2, 'frames 0-2, but not 3', 'retrace', 'gears.trace', '--frames', '1-3')
    check(2, 'has no frame', 'retrace', 'info.trace', '--hash')
    check(2, 'is not a folder', 'retrace', 'gears.trace', '--compare', 'nosuch')
    shutil.copy('gears.trace', 'cut.trace')
    os.truncate('cut.trace', 3000)
    check(2, 'no frame|not a trace|no GLX or EGL calls', 'retrace', 'cut.trace', '--hash')


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_recording()
        check_pictures()
        check_replay()
        os.chdir('/')
    return 1 if FAILURES else 0


if __name__ == '__main__':
    sys.exit(main())
