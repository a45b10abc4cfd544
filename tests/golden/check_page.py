#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `sgpu golden` with a page in Chromium, and looks at the page of differences with it:
check_page.py SGPU"""

import os
import shutil
import subprocess
import sys
import time

from golden_test import HERE, SCENE, Golden
from golden_picture import read_png

SKIPPED = 77


def check_web(g):
    """A page with WebGL at two times of its clock."""
    page = os.path.join(HERE, 'webgl.html')
    options = ['--window', '400x300', '--frames', '200,1000']
    g.run('record', *options, 'page', '--', page, says='2 frames .pictures of a page')
    g.run('list', 'page', says='200 400x300')
    assert len(set(g.hashes('page').values())) == 2, 'the page does not move'
    g.run('check', 'page', says='all the same')
    g.run('check', '--report', 'page-report.html', 'page', '--', f'file://{page}?colour=0.6',
          status=1, says='2 of 2 frames differ')
    g.check_page('page-report.html', ['200', '1000'])
    g.run('record', '--browser', 'no-such-browser', 'none', '--', page, status=2, says='--browser')


def check_standstill(g):
    """A browser that does nothing is started again."""
    browser = g.path('browser')
    scene = ' '.join(SCENE)
    g.write('#!/bin/sh\n'
            'for word; do case $word in --screenshot=*) picture=${word#*=};; esac; done\n'
            f'mkdir {g.path("started")} 2>/dev/null && exec sleep 100\n'
            f'EGL_PLATFORM=surfaceless {scene} read\n'
            f'cp {g.path("page", "frame-200.png")} "$picture"\n', browser)
    os.chmod(browser, 0o755)
    begun = time.monotonic()
    g.run('check', '--browser', browser, '--frames', '200', 'page', says='starting .* again')
    assert time.monotonic() - begun < 60


def check_report(g):
    """The page of differences, as a browser shows it."""
    env = {'EGL_PLATFORM': 'surfaceless'}
    g.run('record', 'scene', '--', *SCENE, 'read', env=env)
    g.run('check', '--report', 'report.html', 'scene', '--', *SCENE, 'read', '--shift', '3',
          status=1, env=env)
    picture = g.path('report.png')
    subprocess.run(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
                    '--disable-dev-shm-usage', f'--user-data-dir={g.path("profile")}',
                    '--window-size=1400,2600', f'--screenshot={picture}',
                    'file://' + g.path('report.html')], check=True, timeout=200,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(picture, 'rb') as file:
        shown = read_png(file.read())
    # The red of the triangle's corner and the grey of a difference are on the page.
    assert len({shown.rgb[i:i + 3] for i in range(0, len(shown.rgb), 3 * 97)}) > 50, 'no pictures'


def main():
    if not shutil.which('chromium'):
        print('Chromium is not installed')
        return SKIPPED
    g = Golden(sys.argv[1])
    g.windows()
    check_web(g)
    check_standstill(g)
    check_report(g)
    return 0


sys.exit(main())
