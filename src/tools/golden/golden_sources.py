# SPDX-License-Identifier: MIT
"""What golden pictures are made of: programs, GL traces, device captures, pages."""

import json
import os
import re
import subprocess
import sys
import tempfile

from golden_files import GoldenError
from golden_picture import PictureError, read_png
from golden_run import DEFAULT_FRAMES, Frames, Run, StandsStill, run_program
from golden_tools import program

PICTURE = re.compile(r'frame-(\d+)\.png$')
BROWSERS = ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome')
# Times of pictures of a page, in milliseconds of the page's clock.
DEFAULT_TIMES = '1000'
# Largest number of starts for a picture.
BROWSER_STARTS = 4
# The page's clock is virtual, fonts and colours are those of every machine.
BROWSER_OPTIONS = [
    '--headless', '--no-sandbox', '--no-first-run', '--disable-gpu-sandbox',
    '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist',
    '--hide-scrollbars', '--force-device-scale-factor=1', '--force-color-profile=srgb',
    '--font-render-hinting=none', '--disable-lcd-text', '--run-all-compositor-stages-before-draw',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
]


def kind_of(command):
    """Returns 'trace', 'capture', 'page' or 'program'."""
    word = command[0]
    if len(command) == 1:
        if word.endswith('.trace'):
            return 'trace'
        if word.endswith('.sgcap'):
            return 'capture'
        if re.match('(https?|file)://', word) or word.endswith(('.html', '.htm')):
            return 'page'
    return 'program'


def default_frames(command):
    return {'trace': 'all', 'capture': 'all', 'page': DEFAULT_TIMES}.get(kind_of(command),
                                                                         DEFAULT_FRAMES)


def need_file(path):
    if not os.path.isfile(path) or not os.access(path, os.R_OK):
        raise GoldenError(f'there is no file {path}, or it cannot be read')


def run_trace(command, options, scratch):
    """Replays a trace of apitrace with the player for its API."""
    path = command[0]
    need_file(path)
    done = subprocess.run([program(['apitrace'], 'the package apitrace'), 'info', path],
                          stdout=subprocess.PIPE, check=False)
    try:
        info = json.loads(done.stdout)
        api = info['API'] if info['ContainerVersion'] and info['ActualDataSize'] else ''
    except (ValueError, KeyError):
        api = ''
    if 'EGL' not in api and 'GLX' not in api:
        raise GoldenError(f'{path} is not a trace of apitrace with GLX or EGL calls: record it '
                          'with `sgpu trace`')
    player = program(['eglretrace' if 'EGL' in api else 'glretrace'], 'the package apitrace')
    return run_program([player, '-b', path], options, scratch)


def run_script(command, options, scratch):
    """Runs a program, or a Python script that is not executable."""
    word = command[0]
    if word.endswith('.py') and os.path.isfile(word) and not os.access(word, os.X_OK):
        command = [program(['python3'], 'Python 3')] + command
    return run_program(command, options, scratch)


def run_capture(command, options, scratch):
    """Replays a device capture, which needs neither the program nor GL."""
    path = command[0]
    need_file(path)
    folder = os.path.join(tempfile.mkdtemp(dir=scratch), 'pictures')
    tool = options.tools.find('sgpu-cap')
    done = subprocess.run([tool, 'replay', '--png', folder, path], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)
    # A replay fails, too, if hashes differ from those at capture.
    found = os.listdir(folder) if os.path.isdir(folder) else []
    pictures = {int(PICTURE.match(name).group(1)): name for name in found if PICTURE.match(name)}
    if done.returncode and not pictures or 'hash is' not in done.stderr and done.returncode:
        raise GoldenError(f'{path} cannot be replayed: {done.stderr.strip()}')
    frames = Frames(options.frames)
    run = Run()
    run.version, run.status, run.kind = options.tools.version(), 0, 'present'
    for number in sorted(pictures):
        if not frames.is_endless and number not in frames.numbers:
            continue
        with open(os.path.join(folder, pictures[number]), 'rb') as file:
            run.pictures[str(number)] = read_png(file.read())
    if not run.pictures:
        raise GoldenError(f'{path} has no pictures of frames {options.frames}: the capture has '
                          'none, or other ones (`sgpu replay --hash` lists them)')
    if options.captures:
        run.capture = os.path.abspath(path)
    return run


def run_browser(command, options, scratch):
    """Runs Chromium for one picture.  At times its virtual clock stops before the page is shown,
    with any driver, so it is started again."""
    for _ in range(BROWSER_STARTS - 1):
        try:
            return run_program(command, options, scratch, listed='999999999', may_wait=False)
        except StandsStill as error:
            print(f'sgpu: golden: {error}: starting {command[0]} again', file=sys.stderr,
                  flush=True)
    return run_program(command, options, scratch, listed='999999999')


def run_page(command, options, scratch):
    """Takes pictures of a page in Chromium, at times of a virtual clock."""
    frames = Frames(options.frames)
    if frames.is_endless:
        raise GoldenError('--frames of a page has times in milliseconds, like 500,2000')
    address = command[0]
    if '://' not in address:
        need_file(address)
        address = 'file://' + os.path.abspath(address)
    browser = program(BROWSERS if not options.browser else [options.browser],
                      'Chromium, or name it with --browser')
    result = Run()
    result.kind = 'page'
    for number in sorted(frames.numbers):
        home = tempfile.mkdtemp(dir=scratch)
        picture = os.path.join(home, 'picture.png')
        done = run_browser(
            [browser] + BROWSER_OPTIONS + options.browser_options + [
                f'--user-data-dir={home}/profile', f'--window-size={options.window}',
                f'--screenshot={picture}', f'--virtual-time-budget={number}', address],
            options, scratch)
        try:
            with open(picture, 'rb') as file:
                result.pictures[str(number)] = read_png(file.read())
        except (OSError, PictureError) as error:
            raise GoldenError(f'{browser} has written no picture of {address}: {error}; its '
                              'output is above') from None
        result.version, result.status = done.version, done.status
    return result


def run(command, options, scratch):
    """Returns the Run of a command, whatever it is."""
    kind = kind_of(command)
    options.is_page = kind == 'page'
    how = {'trace': run_trace, 'capture': run_capture, 'page': run_page}.get(kind, run_script)
    done = how(command, options, scratch)
    missing = sorted(Frames(options.frames).numbers - numbers_of(done))
    if missing and not options.may_miss and kind in ('program', 'trace', 'capture'):
        raise GoldenError(f'{" ".join(command)} has made {len(done.pictures)} of the frames '
                          f'{options.frames}, but not frame {missing[0]}'
                          f'{" and others" if len(missing) > 1 else ""}: choose frames that it '
                          'makes, or a longer --idle')
    return done


def numbers_of(done):
    """Returns the numbers of all frames, whatever their window."""
    return {int(name.rpartition('-')[2]) for name in done.pictures}
