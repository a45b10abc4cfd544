# SPDX-License-Identifier: MIT
"""Shared by the Python tools that run GL programs on several drivers."""

import os
import subprocess
import sys
import time

import limited
from printable import printable

OURS = 'sgpu'
FRONT = os.path.dirname(os.path.abspath(__file__))
DRIVER_LIMIT = 120.0  # seconds for a driver to tell its name


def say(text):
    """Prints to standard error, after the pending standard output."""
    sys.stdout.flush()
    print(f'sgpu: {printable(text)}', file=sys.stderr, flush=True)


def fail(text):
    """Ends the tool with an error."""
    say(str(text))
    sys.exit(2)


def write_cookie(path):
    """Makes the file of Xauthority for a new X server."""
    with open(path, 'wb') as file:
        subprocess.run(['sh', '-c', '. "$front/common.sh" && x_cookie'], stdout=file, check=True,
                       env=dict(os.environ, front=FRONT, top='', build=''))


def is_ours(driver):
    return driver == OURS or '/' in driver or '=' in driver


def environment_of(driver, ours):
    """The process's environment, so that it gets this driver.

    ours is the output of `sgpu env`, a variable per line.  A driver with a
    slash is another build folder of sgpu, NAME=VALUE is this one with a variable.
    """
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(('LIBGL_', 'GALLIUM_', '__GLX_', '__EGL_'))}
    env['vblank_mode'] = '0'
    if is_ours(driver):
        env.update(line.split('=', 1) for line in ours.splitlines())
        if '=' in driver:
            env.update([driver.split('=', 1)])
        elif driver != OURS:
            env['LIBGL_DRIVERS_PATH'] = os.path.join(os.path.abspath(driver), 'dri')
    else:
        env.update(LIBGL_ALWAYS_SOFTWARE='1', GALLIUM_DRIVER=driver,
                   __GLX_VENDOR_LIBRARY_NAME='mesa')
    return env


def check_driver(driver, env):
    """The renderer's name; ends the tool if another driver answers."""
    if driver == 'swiftshader':
        return 'of Chromium, for program:webgl'
    try:
        output = limited.run(['glxinfo', '-B'], DRIVER_LIMIT, env=env).stdout
    except limited.Late as late:
        fail(late)
    for line in output.splitlines():
        if line.startswith('OpenGL renderer string: '):
            name = line.partition(': ')[2]
            if (OURS if is_ours(driver) else driver) in name:
                return name
    fail(f"'{driver}' is not what answers here: glxinfo -B with the "
         'environment of `sgpu env` says why')


def tell_progress(text, is_end):
    """Prints one line that a terminal overwrites; elsewhere only the last text."""
    if sys.stderr.isatty():
        print(f'\rsgpu: {printable(text)} ', end='\n' if is_end else '',
              file=sys.stderr, flush=True)
    elif is_end:
        say(text)


class Progress:
    """Prints the progress of a long operation: a terminal has one line that is
    overwritten, other outputs get a line each half minute."""

    def __init__(self):
        self.tty = sys.stderr.isatty()
        self.start = time.monotonic()
        self.next = self.start + (2 if self.tty else 30)
        self.told = False

    def tell(self, text):
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + (1 if self.tty else 30)
        text += f', {now - self.start:.0f} s'
        if self.tty:
            print(f'\rsgpu: {printable(text)} ', end='', file=sys.stderr, flush=True)
            self.told = True
        else:
            say(text)

    def end(self):
        if self.told:
            print(file=sys.stderr)
