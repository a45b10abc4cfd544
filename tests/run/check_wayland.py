#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a Wayland client on sgpu in a headless Weston, and checks Weston's screenshot:
weston-simple-egl draws a triangle whose corners are red, green and blue.

usage: check_wayland.py SGPU"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time

from picture import read_png

SIZE = 400
SKIPPED = 77


def wait_for(condition, *processes):
    """Waits until the condition holds, for as long as the test may run.  None of the processes
    may end before."""
    while not (found := condition()):
        for process in processes:
            assert process.poll() is None, f'{process.args[0]} has ended'
        time.sleep(0.2)
    return found


def take_picture(folder):
    subprocess.run(['weston-screenshooter'], cwd=folder, check=True)
    (path,) = glob.glob(os.path.join(folder, 'wayland-screenshot-*.png'))
    picture = read_png(path)
    os.remove(path)
    return picture


def coloured_pixels(pixels):
    """Returns the number of pixels with a colour near that of each corner.  The desktop is grey."""
    def near(pixel, channel):
        return pixel[channel] - sum(pixel) + pixel[channel] > 150
    return [sum(near(pixel, channel) for pixel in pixels)
            for channel in range(3)]


def main(sgpu):
    if not shutil.which('weston'):
        print('no weston here')
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(XDG_RUNTIME_DIR=folder, WAYLAND_DISPLAY='sgpu-test',
                          EGL_PLATFORM='wayland')
        weston = subprocess.Popen(
            ['weston', '--backend=headless-backend.so', '--use-pixman',
             '--socket=sgpu-test', '--no-config', '--idle-time=0', '--debug',
             f'--width={SIZE}', f'--height={SIZE}',
             f'--log={folder}/weston.log'])
        client = None
        try:
            print('waiting for weston', flush=True)
            wait_for(lambda: os.path.exists(f'{folder}/sgpu-test'), weston)
            client = subprocess.Popen([sgpu, 'run', 'weston-simple-egl'])

            def drawn():
                counts = coloured_pixels(take_picture(folder)[2])
                return counts if min(counts) > 50 else None

            print('waiting for the triangle', flush=True)
            counts = wait_for(drawn, client, weston)
            print('red, green and blue pixels:', *counts)
        finally:
            for process in filter(None, (client, weston)):
                process.terminate()
                process.wait()
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
