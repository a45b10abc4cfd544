#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `sgpu golden` with a program that has no window: check_golden.py SGPU [LIBOSMESA]"""

import os
import shlex
import shutil
import sys

from golden_test import SCENE, Golden


def check_kinds(g):
    """Each way to end a frame has the same pictures twice, and those of one picture are equal."""
    for mode, frames in (('read', 3), ('texture', 3), ('finish', 3), ('end', 1), ('float', 3),
                         ('integer', 3), ('depth', 3)):
        g.run('record', mode, '--', *SCENE, mode, says=f'{frames} frames')
        g.run('check', mode, says=f'{frames} frames, all the same')
    assert g.hashes('read') == g.hashes('texture') == g.hashes('finish'), 'pictures differ'
    assert g.hashes('end') == {'0': g.hashes('read')['2']}, 'the last picture differs'
    assert len(set(g.hashes('read').values())) == 3
    for mode, kind in (('read', 'rgba8'), ('float', 'rgba32f'), ('integer', 'rgba32i'),
                       ('depth', 'r32f')):
        g.run('list', mode, says=f'0 120x90 {kind} ')


def check_differences(g):
    """A program that draws something else."""
    g.run('check', '--junit', 'same.xml', 'read', says='all the same')
    assert g.junit('same.xml') == (3, 0, 0)
    before = g.text('read', 'golden.txt')
    shifted = [*SCENE, 'read', '--shift', '4']
    text = g.run('check', '--junit', 'other.xml', '--report', 'other.html', 'read', '--', *shifted,
                 status=1, says='frame 0: [0-9]+ pixels .* differ by up to .* 3 of 3 frames differ')
    assert 'other.html' in text
    assert g.junit('other.xml') == (3, 3, 0)
    page = g.check_page('other.html', ['0', '1', '2'])
    assert '--update' in page and 'largest difference' in page
    assert g.text('read', 'golden.txt') == before, 'check has changed the golden pictures'
    # A small tolerance does not hide it, a large one does.
    g.run('check', '--within', '1', 'read', '--', *shifted, status=1)
    g.run('check', '--within', '255', 'read', '--', *shifted, says='all the same')
    g.run('check', '--frames', '0', 'read', '--', *shifted, status=1, says='1 of 1 frames')
    g.run('check', 'read', '--', *SCENE, 'read', '--size', '100x90', status=1,
          says='the size is 100x90, and was 120x90')
    g.check_page('read-differences.html', ['0', '1', '2'])
    # Floats that differ in bits which a picture does not show.
    g.run('check', 'float', '--', *SCENE, 'float', '--tint', '0.00001', status=1,
          says='bits beyond the 8')
    g.run('check', '--no-alpha', 'float', '--', *SCENE, 'float', '--tint', '0.00001')


def check_numbers(g):
    """Fewer and more frames."""
    g.run('check', '--junit', 'fewer.xml', 'read', '--', *SCENE, 'read', '--frames', '2', status=1,
          says='frame 2: the program has not made this frame.*1 of 3 frames differ')
    assert g.junit('fewer.xml') == (3, 1, 0)
    g.run('check', 'read', '--', *SCENE, 'read', '--frames', '5', status=1,
          says='frame 4: the golden pictures do not have.*2 of 5 frames differ')
    g.run('record', '--frames', '0-2/2,last', 'some', '--', *SCENE, 'read', '--frames', '9')
    assert sorted(g.hashes('some')) == ['0', '2', '8'], g.hashes('some')
    g.run('check', 'some')
    g.run('record', '--frames', '1,7', 'none', '--', *SCENE, 'read', status=2,
          says='not frame 7')
    g.run('record', '--frames', '3-1', 'none', '--', *SCENE, 'read', status=2, says='expected')
    # Several processes, which a fork makes.
    workers = [*SCENE, 'read', '--frames', '2', '--workers', '3']
    g.run('record', 'workers', '--', *workers, says='6 frames')
    assert sorted(g.hashes('workers')) == ['0', '1', 'process1-0', 'process1-1', 'process2-0',
                                           'process2-1'], g.hashes('workers')
    assert len(set(g.hashes('workers').values())) == 6
    g.run('check', 'workers', says='6 frames, all the same')
    # A program that draws and waits is ended.
    g.run('record', '--idle', '2', 'waits', '--', *SCENE, 'read', '--end', 'wait',
          says='3 frames')
    assert not os.path.exists(g.path('none'))


def check_endings(g):
    """A crash, an error, and a program that draws nothing or not with sgpu."""
    g.run('check', '--junit', 'crash.xml', 'read', '--', *SCENE, 'read', '--end', 'crash', status=2,
          says='was ended by SIGSEGV, after 3 frames')
    assert g.junit('crash.xml') == (1, 0, 1)
    g.run('record', 'none', '--', *SCENE, 'read', '--end', 'fail', status=2,
          says='ended with status 3')
    g.run('record', '--any-status', 'fails', '--', *SCENE, 'read', '--end', 'fail')
    assert g.hashes('fails') == g.hashes('read')
    g.run('record', 'none', '--', *SCENE, 'nothing', status=2, says='made no frame')
    g.run('record', 'none', '--', 'true', status=2, says='no process of it has drawn with sgpu')
    g.run('record', 'none', '--', 'no-such-program', status=2, says='ended with status 127')
    # A full disk: a limit on the size of files.
    full = f"trap '' XFSZ; ulimit -f 10; {shlex.join(SCENE)} read"
    g.run('record', 'none', '--', 'sh', '-c', full, status=2, says='could not write all pictures')
    assert not os.path.exists(g.path('none'))


def check_time(g):
    """A fixed clock and random numbers."""
    g.run('record', '--clock', '25', '--frames', '0-2', 'clock', '--', *SCENE, 'time')
    g.run('check', 'clock')
    assert len(set(g.hashes('clock').values())) == 3
    g.run('record', '--seed', '7', 'seed', '--', *SCENE, 'random')
    g.run('check', 'seed')
    assert len(set(g.hashes('seed').values())) == 3
    g.run('check', '--seed', '8', 'seed', status=1)
    g.run('record', '--clock', 'fast', 'none', '--', *SCENE, 'time', status=2, says='expected')


def check_updates(g):
    """Golden pictures are never overwritten without a word."""
    g.run('record', 'read', '--', *SCENE, 'read', status=2, says='--force replaces')
    before = g.hashes('read')
    shifted = [*SCENE, 'read', '--shift', '9']
    g.run('check', '--update', 'read', '--', *shifted, says='former ones are in read.old')
    assert g.hashes('read.old') == before != g.hashes('read')
    g.run('check', 'read', says='all the same')
    g.run('record', '--force', 'read', '--', *SCENE, 'read')
    assert g.hashes('read') == before
    g.run('check', '--update', '--frames', '1', 'read', status=2, says='takes no --frames')
    os.mkdir(g.path('mine'))
    g.write('mine', 'mine', 'file')
    g.run('record', '--force', 'mine', '--', *SCENE, 'read', status=2, says='other files')
    assert g.text('mine', 'file') == 'mine'
    g.run('record', 'read/golden.txt', '--', *SCENE, 'read', status=2, says='is a file')
    g.run('record', 'no/folder', '--', *SCENE, 'read', status=2, says='there is no folder')


def check_versions(g):
    """Golden pictures of another version, and of another format."""
    shutil.copytree(g.path('read'), g.path('old'))
    text = g.text('read', 'golden.txt')
    version = text.split('\nsgpu ')[1].split('\n')[0]
    g.write(text.replace(f'\nsgpu {version}\n', '\nsgpu 0.0.1\n'), 'old', 'golden.txt')
    g.run('check', 'old', says=f'of sgpu 0.0.1, and this is sgpu {version}.*all the same')
    g.write(text.replace('\nformat 1\n', '\nformat 2\n'), 'old', 'golden.txt')
    g.run('check', '--junit', 'old.xml', 'old', status=2, says='format 2')
    assert g.junit('old.xml') == (1, 0, 1)
    g.run('check', 'no-folder', status=2, says='has no golden pictures')


def check_captures(g):
    """The first draw that differs."""
    g.run('record', '--captures', 'captured', '--', *SCENE, 'finish')
    g.run('check', 'captured', says='all the same')
    g.run('check', '--report', 'draw.html', 'captured', '--', *SCENE, 'finish', '--shift', '3',
          status=1, says='(draw|packet|contents|submission)')
    assert 'First difference of the device captures' in g.text('draw.html')


def check_osmesa(g):
    """A program that draws through OSMesa to its own memory: the pictures of EGL."""
    for library in map(os.path.abspath, sys.argv[2:]):
        osmesa = [*SCENE, 'finish', '--osmesa', library]
        g.run('record', 'osmesa', '--', *osmesa, says='3 frames .buffers at glFinish')
        g.run('check', 'osmesa', says='all the same')
        assert g.hashes('osmesa') == g.hashes('finish'), 'OSMesa and EGL draw different pictures'
        g.run('check', 'finish', '--', *osmesa, says='all the same')


def check_glx(g):
    """A program that draws through GLX to a window: the pictures of EGL, without alpha."""
    g.windows()
    glx = [*SCENE, 'present', '--glx']
    g.run('record', 'glx', '--', *glx, says='3 frames .pictures of windows')
    assert g.hashes('glx') == g.hashes('finish'), 'GLX and EGL draw different pictures'
    g.run('check', '--no-alpha', 'finish', '--', *glx, says='all the same')
    g.run('check', 'finish', '--', *glx, status=1, says='rgb8, and was rgba8')


def main():
    g = Golden(sys.argv[1])
    for check in (check_kinds, check_differences, check_numbers, check_endings, check_time,
                  check_updates, check_versions, check_captures, check_osmesa, check_glx):
        check(g)
        print(check.__doc__, flush=True)


if __name__ == '__main__':
    main()
