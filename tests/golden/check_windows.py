#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `sgpu golden` with programs that have windows, with GL traces and with device captures:
check_windows.py SGPU GLX_X11 GLX_WINDOWS_X11 (two programs of tests/run)"""

import hashlib
import os
import re
import shutil
import subprocess
import sys

from golden_test import TOP, Golden
from golden_picture import read_png

CLOCK = ['--clock', '60', '--frames', '4,6']


def check_gears(g, program):
    """Animated programs with a fixed clock, also with other numbers of threads."""
    g.run('record', *CLOCK, program, '--', program, says=r'2 frames \(pictures of windows\)')
    assert len(set(g.hashes(program).values())) == 2, 'the gears do not turn'
    g.run('check', program, says='2 frames, all the same')
    g.run('check', program, env={'SGPU_THREADS': '1', 'SGPU_DISPATCH': 'inorder'})
    # Another speed of the clock turns the gears elsewhere.
    g.run('check', '--clock', '30', '--report', f'{program}.html', program, status=1,
          says='2 of 2 frames differ')
    g.check_page(f'{program}.html', ['4', '6'])


def check_trace(g):
    """A trace: the pictures have the hashes that tests/traces expects."""
    trace = os.path.join(TOP, 'tests/traces/es2gears.trace')
    g.run('record', 'trace', '--', trace, says='3 frames')
    with open(os.path.join(TOP, 'tests/traces/traces.toml'), encoding='utf-8') as file:
        section = file.read().partition('[es2gears]')[2].partition(']\n')[0]
    for number, wanted in zip((1, 2), re.findall('"([0-9a-f]{32})"', section)):
        with open(g.path(f'trace/frame-{number}.png'), 'rb') as file:
            assert hashlib.md5(read_png(file.read()).rgb).hexdigest() == wanted, number
    g.run('check', 'trace', says='all the same')
    g.run('check', '--frames', '1', 'trace', says='1 frames, all the same')
    shutil.copy(__file__, g.path('wrong.trace'))
    g.run('record', 'none', '--', 'wrong.trace', status=2, says='not a trace')
    g.run('record', 'none', '--', 'no.trace', status=2, says='there is no file')


def check_capture(g):
    """A capture: the same hashes as the program's own, and the first draw that differs."""
    captures = os.path.join(TOP, 'tests/captures')
    gears = os.path.join(captures, 'gears.sgcap')
    g.run('record', 'capture', '--', gears, says='2 frames')
    g.run('check', 'capture', says='all the same')
    g.run('check', 'capture', '--', os.path.join(captures, 'es2gears.sgcap'), status=1)
    shutil.copy(__file__, g.path('wrong.sgcap'))
    g.run('record', 'none', '--', 'wrong.sgcap', status=2, says='cannot be replayed')
    # The frames of a program and of a capture of it are the same.
    g.run('record', *CLOCK, '--captures', 'both', '--', 'glxgears')
    g.run('record', '--frames', '4,6', 'again', '--', 'both/capture.sgcap')
    assert g.hashes('both') == g.hashes('again') == g.hashes('glxgears')
    g.run('check', '--clock', '30', '--report', 'both.html', 'both', status=1)
    assert 'First difference of the device captures' in g.text('both.html')


def check_screenshot(g):
    """The golden picture of a window is what the X server shows."""
    g.run('record', '--frames', '0', 'still', '--', 'glxgears', '-geometry', '200x200')
    with open(g.path('still/frame-0.png'), 'rb') as file:
        golden = read_png(file.read())
    assert (golden.width, golden.height) == (200, 200) and golden.alpha is None
    env = {key: value for key, value in os.environ.items()
           if key not in ('DISPLAY', 'WAYLAND_DISPLAY', 'EGL_PLATFORM')}
    subprocess.run([g.sgpu, 'run', '--screenshot', g.path('shot.png'), '--frames', '1', '--',
                    'glxgears', '-geometry', '200x200'], env=env, check=True,
                   stdout=subprocess.DEVNULL)
    with open(g.path('shot.png'), 'rb') as file:
        shot = read_png(file.read())
    # The window shows a later angle, but the same background and the same colours.
    assert (shot.width, shot.height) == (200, 200) and shot.rgb[:3] == golden.rgb[:3]


def check_surfaces(g, glx, windows):
    """Several windows, windows that change their size, parts of pictures, single buffers."""
    for name, program, test, frames in (
            ('parts', glx, 'sub_buffer', 8), ('single', glx, 'single', 4),
            ('resize', windows, 'resize', 60), ('windows', windows, 'windows', 16)):
        g.run('record', '--frames', 'all', name, '--', program, test, says=f'{frames} frames')
        g.run('check', name, says='all the same')
    assert {'0', 'window1-0', 'window2-3'} <= set(g.hashes('windows'))
    g.run('record', '--frames', '0-3', '--surface', '1', 'one', '--', windows, 'windows',
          says='4 frames')
    assert set(g.hashes('one')) == {f'window1-{i}' for i in range(4)}
    g.run('check', 'one', says='4 frames, all the same')


def main():
    g = Golden(sys.argv[1])
    g.windows()
    for program in 'glxgears', 'es2gears_x11':
        check_gears(g, program)
    check_surfaces(g, *map(os.path.abspath, sys.argv[2:]))
    for check in check_trace, check_capture, check_screenshot:
        check(g)


main()
