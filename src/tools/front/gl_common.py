# SPDX-License-Identifier: MIT
"""Functions shared by the Python tools that run GL programs on several drivers."""

import os
import sys
import time

import limited
from printable import printable

OURS = 'sgpu'
DRIVER_LIMIT = 120.0  # time limit for glxinfo in seconds


def say(text):
    """Flushes the standard output, and prints a text to the standard error."""
    sys.stdout.flush()
    print(f'sgpu: {printable(text)}', file=sys.stderr, flush=True)


def fail(text):
    """Prints an error and exits."""
    say(str(text))
    sys.exit(2)


def write_cookie(path):
    """Writes an Xauthority file for a new X server, as src/tools/run/sgpu_xserver.c does."""
    with open(path, 'wb') as file:
        file.write(b'\377\377\0\0\0\0\0\022MIT-MAGIC-COOKIE-1\0\020' + os.urandom(16))


def is_ours(driver):
    return driver == OURS or '/' in driver or '=' in driver


def use_build(env, build):
    """Changes the environment for sgpu to the driver of a different build directory."""
    own = os.path.dirname(env['LIBGL_DRIVERS_PATH'])
    for name in ('LIBGL_DRIVERS_PATH', '__EGL_VENDOR_LIBRARY_FILENAMES', 'LD_LIBRARY_PATH'):
        if name in env:
            env[name] = env[name].replace(own, build)


def environment_of(driver, ours):
    """Returns the environment of this process, changed such that programs load this driver.

    `ours` contains the variables for sgpu, one per line.  A driver name with a slash is a different
    build directory of sgpu.  NAME=VALUE means sgpu with this environment variable.
    """
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(('LIBGL_', 'GALLIUM_', '__GLX_', '__EGL_'))}
    env['vblank_mode'] = '0'
    if is_ours(driver):
        env.update(line.split('=', 1) for line in ours.splitlines())
        if '=' in driver:
            env.update([driver.split('=', 1)])
        elif driver != OURS:
            use_build(env, os.path.abspath(driver))
    else:
        env.update(LIBGL_ALWAYS_SOFTWARE='1', GALLIUM_DRIVER=driver,
                   __GLX_VENDOR_LIBRARY_NAME='mesa')
    return env


def check_driver(driver, env):
    """Returns the renderer string of the driver.  Exits if a different driver is loaded."""
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
    fail(f"the OpenGL driver here is not '{driver}': glxinfo -B with the "
         'environment of `sgpu env` shows the reason')


def tell_progress(text, is_end):
    """Prints progress.  On a terminal, updates a single line.  Otherwise, only prints the last text
    (`is_end`)."""
    if sys.stderr.isatty():
        print(f'\rsgpu: {printable(text)} ', end='\n' if is_end else '',
              file=sys.stderr, flush=True)
    elif is_end:
        say(text)


class Progress:
    """Prints the progress of a long operation.  On a terminal, updates a single line.  Otherwise,
    prints a line every 30 seconds."""

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
