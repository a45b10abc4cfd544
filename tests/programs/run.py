#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Runs programs of programs.toml, each in a separate X server, and takes a picture of each.
#
#    tests/programs/run.py [--driver sgpu|llvmpipe]... [--out DIR] PROGRAM...
#
# Writes DIR/PROGRAM-DRIVER.png and .log, and prints a line per run.  With both drivers (the
# default), also prints how the pictures differ.  `sgpu setup programs` installs the programs.
# The exit status is 1 if a program ends too early, is not done in time or does not pass its
# check, and 77 if a program is not installed.

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TOP, 'src/tools/front'))

import gl_common  # pylint: disable=wrong-import-position

SKIPPED = 77
SCREEN = '1280x800x24'


@contextlib.contextmanager
def process(command, **options):
    """Runs a program in a new session.  All processes of the session end with the block."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True,
                          **options) as child:
        try:
            yield child
        finally:
            for number in signal.SIGTERM, signal.SIGKILL:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(5)


@contextlib.contextmanager
def x_server(cookie):
    """Starts an X server and returns the name of its display. cookie: file with the
    authorization for programs."""
    gl_common.write_cookie(cookie)
    read, write = os.pipe()
    with process(['Xvfb', '-displayfd', str(write), '-screen', '0', SCREEN, '-nolisten', 'tcp',
                  '-noreset', '-auth', cookie], pass_fds=[write], stdout=subprocess.DEVNULL,
                 stderr=subprocess.DEVNULL):
        os.close(write)
        with os.fdopen(read) as pipe:
            yield ':' + pipe.readline().strip()


def driver_env(driver):
    if driver == 'llvmpipe':
        return {'LIBGL_ALWAYS_SOFTWARE': '1', 'GALLIUM_DRIVER': 'llvmpipe'}
    text = subprocess.run([os.path.join(TOP, 'sgpu'), 'env'], stdout=subprocess.PIPE, check=True,
                          text=True).stdout
    return dict(re.findall(r"^export (\w+)='(.*)'$", text, re.MULTILINE))


def wait(child, log, done, seconds):
    """Waits until the output matches `done`.  Returns whether it did before the program ended or
    the time was over, and the output."""
    end = time.monotonic() + seconds
    while True:
        ended = child.poll() is not None
        with open(log, encoding='utf-8', errors='replace') as f:
            text = f.read()
        if done and re.search(done, text):
            return True, text
        if ended or time.monotonic() > end:
            return False, text
        time.sleep(0.2)


def run(name, program, driver, out):
    """Runs a program.  Returns its picture and a description of what is wrong, if anything."""
    from PIL import ImageGrab  # pylint: disable=import-outside-toplevel
    log = os.path.join(out, f'{name}-{driver}.log')
    with contextlib.ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        os.chmod(home, 0o700)
        for path, text in program.get('files', {}).items():
            os.makedirs(os.path.dirname(os.path.join(home, path)), exist_ok=True)
            with open(os.path.join(home, path), 'w', encoding='utf-8') as f:
                f.write(text)
        env = {k: v for k, v in os.environ.items() if k != 'WAYLAND_DISPLAY'}
        env |= {'HOME': home, 'XDG_RUNTIME_DIR': home, 'SDL_AUDIODRIVER': 'dummy',
                'ALSOFT_DRIVERS': 'null', 'vblank_mode': '0',
                'PATH': env.get('PATH', os.defpath) + ':/usr/games'}
        env |= driver_env(driver) | program.get('env', {})
        env['XAUTHORITY'] = os.path.join(home, '.Xauthority')
        env['DISPLAY'] = stack.enter_context(x_server(env['XAUTHORITY']))
        if program.get('window_manager'):
            stack.enter_context(process(['openbox'], env=env, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL))
            time.sleep(0.5)
        output = stack.enter_context(open(log, 'wb'))
        child = stack.enter_context(process(
            [word.format(here=HERE, home=home) for word in program['command']], env=env,
            stdout=output, stderr=subprocess.STDOUT))
        done, text = wait(child, log, program.get('done'), program['seconds'])
        problem = ''
        if child.poll() is not None:
            problem = f'ends with status {child.returncode}'
        elif program.get('done') and not done:
            problem = f'is not done after {program["seconds"]} s'
        elif not re.search(program.get('check', ''), text):
            problem = 'does not pass its check'
        if done:
            time.sleep(program.get('settle', 0))
        os.environ['XAUTHORITY'] = env['XAUTHORITY']
        picture = ImageGrab.grab(xdisplay=env['DISPLAY']).convert('RGB')
    picture.save(os.path.join(out, f'{name}-{driver}.png'))
    speed = re.search(program['speed'], text) if 'speed' in program else None
    print(f'{name} on {driver}: {problem or (speed[1] if speed else "runs")}', flush=True)
    return picture, problem


def compare(name, a, b, out):
    import numpy  # pylint: disable=import-outside-toplevel
    from PIL import Image  # pylint: disable=import-outside-toplevel
    d = abs(numpy.asarray(a).astype(int) - numpy.asarray(b).astype(int)).max(2)
    print(f'{name}: {(d > 2).sum()} pixels of {d.size} differ by more than 2, '
          f'{(d > 20).sum()} by more than 20')
    Image.fromarray(numpy.minimum(d * 8, 255).astype('uint8')).save(
        os.path.join(out, f'{name}-differences.png'))


def main():
    with open(os.path.join(HERE, 'programs.toml'), 'rb') as f:
        programs = tomllib.load(f)
    parser = argparse.ArgumentParser()
    parser.add_argument('--driver', action='append', choices=['sgpu', 'llvmpipe'])
    parser.add_argument('--out', default=os.path.join(TOP, 'build', 'programs'))
    parser.add_argument('program', nargs='+', choices=list(programs))
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)

    status = 0
    for name in args.program:
        command = programs[name]['command'][0]
        if not shutil.which(command, path=os.environ.get('PATH', os.defpath) + ':/usr/games'):
            print(f'{name}: there is no {command}')
            status = status or SKIPPED
            continue
        pictures = []
        for driver in args.driver or ['sgpu', 'llvmpipe']:
            picture, problem = run(name, programs[name], driver, args.out)
            pictures.append(picture)
            status = 1 if problem else status
        if len(pictures) == 2:
            compare(name, *pictures, args.out)
    sys.exit(status)


if __name__ == '__main__':
    main()
