#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures the frames of the experiment of 1999 (docs/micro32.md): four well separated
frames from each of four games, at 640x480.

usage: capture.py [-o FOLDER] [--count N] [--look] [GAME...]

Runs each game on sgpu in a separate X server, plays it with synthetic input, and
captures single frames: FOLDER/GAME1.sgcap and so on, by default in the folder of this
script.  --look writes a picture next to each capture.  ./sgpu setup frames installs the
packages.

Games run in real time and with random numbers, so a second run gives other frames.

The frames of `modern` come from recorded GL calls (sgpu trace):

   sgpu capture --frames 2 -o F.sgcap -- glretrace T.trace
   sgpu reduce --draws 0-LAST -o modern/NAME.sgcap F.sgcap
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SGPU = os.environ.get('SGPU_COMMAND', os.path.join(HERE, '..', '..', 'sgpu'))
WIDTH, HEIGHT = 640, 480
# port of the server of BZFlag
PORT = 5154
# width and height of its textures, in texels
TEXTURE = 128
# duration of a key or button press in s, since games poll
HOLD = 0.2


def fail(text):
    sys.exit(f'capture.py: {text}')


def write(home, path, text):
    path = os.path.join(home, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='ascii') as file:
        file.write(text)


class Input:
    """Synthetic keys and buttons, at times since the start of the program."""

    def __init__(self, start):
        self.start = start

    def at(self, seconds):
        time.sleep(max(0, self.start + seconds - time.monotonic()))

    @staticmethod
    def send(*args):
        subprocess.run(['xdotool', *args], check=True)

    def key(self, name, hold=HOLD):
        self.send('keydown', name)
        time.sleep(hold)
        self.send('keyup', name)

    def click(self, x, y, button='1'):
        self.send('mousemove', str(x), str(y))
        self.send('mousedown', button)
        time.sleep(HOLD)
        self.send('mouseup', button)

    def move(self, x, y):
        self.send('mousemove', str(x), str(y))


class Game:
    """A program, its start and input, and the moments of captures."""
    name = ''
    argv = ()
    server = ()  # command line of a second program
    window_manager = True
    # times of captures, in seconds from the start of the program
    moments = ()

    def prepare(self, home, env):
        """Writes the program's settings."""

    def play(self, user):
        """Sends the input from the start of the program to the start of the game."""

    def between(self, user, number):
        """Sends the input before moment NUMBER, which counts from 0."""


class CannonSmash(Game):
    """The sports game: table tennis.  scale_window.c changes its window from 800x600."""
    name = 'csmash'
    argv = ('csmash',)
    window_manager = False
    # two moments of the game that the computer plays behind the menu, two of ours
    moments = (9, 14, 31, 36)

    def prepare(self, home, env):
        library = os.path.join(home, 'scale_window.so')
        subprocess.run(['cc', '-O1', '-shared', '-fPIC', '-o', library,
                        os.path.join(HERE, 'scale_window.c'), '-ldl'], check=True)
        env['LD_PRELOAD'] = library

    def play(self, user):
        user.at(4)
        user.click(150, 298)

    def between(self, user, number):
        if number == 2:
            for seconds in (17, 21, 25):
                user.at(seconds)
                user.click(320, 240)
        if number == 3:
            user.at(35)
            user.click(320, 240)


class TuxRacer(Game):
    """The racing game: Extreme Tux Racer."""
    name = 'etr'
    argv = ('etr',)
    moments = (27, 31, 35, 39)

    def play(self, user):
        # Menus: players, the event, its cup, the race.
        for seconds in (8, 11, 14, 17, 20, 23):
            user.at(seconds)
            user.key('Return')


class OpenArena(Game):
    """The first shooter: bots on oa_dm1, from the view of one of them."""
    name = 'openarena'
    argv = ('openarena', '+set', 'com_hunkmegs', '256', '+set', 'cl_renderer', 'opengl1',
            '+set', 'r_mode', '3', '+set', 'r_fullscreen', '0', '+set', 's_initsound', '0',
            '+set', 'r_picmip', '3', '+set', 'r_lodbias', '1', '+set', 'r_subdivisions', '20',
            '+set', 'cg_drawfps', '0', '+set', 'sv_pure', '0', '+set', 'bot_minplayers', '5',
            '+devmap', 'oa_dm1')
    moments = (45, 55, 65, 75)

    def prepare(self, home, env):
        write(home, '.openarena/baseoa/autoexec.cfg',
              'bind F7 "team s"\nbind F8 "follownext"\n')

    def play(self, user):
        user.at(30)
        user.key('F7')
        user.at(35)
        user.key('F8')

    def between(self, user, number):
        user.key('F8')


class BZFlag(Game):
    """The second shooter: tanks on a plain with mountains and a cloudy sky."""
    name = 'bzflag'
    argv = ('bzflag', '-window', f'{WIDTH}x{HEIGHT}', '-solo', '7', '-nolist', '-nomotd', '-mute',
            '-directory', 'data', '-team', 'red', '-time', '12:00:00', f'tester@127.0.0.1:{PORT}')
    data = '/usr/share/games/bzflag'
    server = ('bzfs', '-p', str(PORT), '-i', '127.0.0.1', '-h', '-ms', '5', '-j', '-s', '10')
    moments = (18, 26, 34, 42)

    def prepare(self, home, env):
        # Textures of 128x128 pixels, as in 1999, so that captures are small.
        from PIL import Image
        for name in os.listdir(self.data):
            source, target = os.path.join(self.data, name), os.path.join(home, 'data', name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if name.endswith('.png') and max(Image.open(source).size) > TEXTURE:
                image = Image.open(source)
                image.thumbnail((TEXTURE, TEXTURE))
                image.save(target)
            else:
                os.symlink(source, target)

    def play(self, user):
        user.at(10)
        user.key('i')
        # Turn on the autopilot.
        user.at(12)
        user.key('9')

    def between(self, user, number):
        # After a death, start again.
        user.at(self.moments[number] - 4)
        user.key('i')


GAMES = {game.name: game for game in (CannonSmash, TuxRacer, OpenArena, BZFlag)}


def play(game, folder, count):
    """Plays a game in the display that sgpu run has made, and captures to FOLDER."""
    trigger = os.path.join(folder, 'now')
    output = os.path.join(folder, 'frame.sgcap')
    home = os.path.join(folder, 'home')
    os.mkdir(home)
    env = dict(os.environ, HOME=home, SDL_AUDIODRIVER='dummy', ALSOFT_DRIVERS='null',
               vblank_mode='0', PATH=os.environ['PATH'] + ':/usr/games')
    game.prepare(home, env)
    env['SGPU_CAPTURE'] = f'{output},trigger={trigger},count=1,level=1'
    log = open(os.path.join(folder, 'log'), 'wb')
    helpers = [subprocess.Popen(argv, env=dict(env, SGPU_CAPTURE=''), stdin=subprocess.DEVNULL,
                                stdout=log, stderr=log)
               for argv in (('openbox',) if game.window_manager else (), game.server) if argv]
    program = subprocess.Popen(game.argv, env=env, stdin=subprocess.DEVNULL, stdout=log,
                               stderr=log, cwd=home, start_new_session=True)
    files = []
    try:
        user = Input(time.monotonic())
        game.play(user)
        for number, moment in enumerate(game.moments[:count or None]):
            game.between(user, number)
            user.at(moment)
            if program.poll() is not None:
                fail(f'{game.name} ended before {moment} s: see {log.name}')
            open(trigger, 'w').close()
            # The layer removes the trigger when the next frame begins.
            give_up = time.monotonic() + 30
            while os.path.exists(trigger):
                if time.monotonic() > give_up:
                    fail(f'{game.name} shows no frames: see {log.name}')
                time.sleep(0.05)
            files.append(output if number == 0 else output.replace('.', f'-{number + 1}.'))
            print(f'{game.name}: frame {number + 1} at '
                  f'{time.monotonic() - user.start:.1f} s', flush=True)
        # The frame that the last trigger has started must end.
        time.sleep(4)
    finally:
        for number, seconds in ((signal.SIGTERM, 3), (signal.SIGKILL, 10)):
            if program.poll() is None:
                os.killpg(program.pid, number)
                try:
                    program.wait(seconds)
                except subprocess.TimeoutExpired:
                    pass
        for helper in helpers:
            helper.terminate()
            helper.wait()
        log.close()
    return files


def check_program(argv):
    name = argv[0] if argv else 'true'
    if not shutil.which(name, path=os.environ['PATH'] + ':/usr/games'):
        fail(f'there is no {name}: ./sgpu setup frames installs what is missing')


def capture(name, output, count, look):
    """Plays a game once, and writes its frames to OUTPUT."""
    with tempfile.TemporaryDirectory() as folder:
        env = {key: value for key, value in os.environ.items()
               if key not in ('DISPLAY', 'WAYLAND_DISPLAY', 'EGL_PLATFORM', 'SGPU_CAPTURE')}
        env['SGPU_XVFB'] = f'-screen 0 {WIDTH}x{HEIGHT}x24'
        status = subprocess.run([SGPU, 'run', '--', '/usr/bin/python3', os.path.abspath(__file__),
                                 '--inside', folder, '--count', str(count), name],
                                env=env, check=False).returncode
        if status:
            sys.exit(status)
        for number in range(1, (count or len(GAMES[name].moments)) + 1):
            source = os.path.join(folder, 'frame.sgcap' if number == 1
                                  else f'frame-{number}.sgcap')
            target = os.path.join(output, f'{name}{number}.sgcap')
            if not os.path.exists(source):
                fail(f'{name}: frame {number} was not captured')
            keep_draws(source, target)
            check(target, output if look else None)


def keep_draws(source, target):
    """Keeps a capture from the first draw on.  Earlier contents of targets are only pictures of
    the previous frame, and half of the file.  The paper's traces have no clears."""
    text = subprocess.run([SGPU, 'decode', source], capture_output=True, text=True,
                          check=True).stdout
    draws = len(re.findall(r'^ *[0-9a-f]+: DRAW', text, re.M))
    subprocess.run([SGPU, 'reduce', '--force', '--draws', f'0-{draws - 1}', '-o', target, source],
                   check=True, stderr=subprocess.DEVNULL)


def check(path, pictures):
    """A capture must replay to the picture that the program showed."""
    text = subprocess.run([SGPU, 'replay', '--hash', path], capture_output=True, text=True,
                          check=False)
    if text.returncode:
        fail(f'{path} does not replay: {text.stderr}{text.stdout}')
    if pictures:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([SGPU, 'replay', '--png', folder, path], check=True,
                           stdout=subprocess.DEVNULL)
            for name in os.listdir(folder):
                shutil.move(os.path.join(folder, name),
                            re.sub(r'\.sgcap$', '.png', os.path.join(
                                pictures, os.path.basename(path))))
    print(f'{path}: {os.path.getsize(path) >> 10} KiB', flush=True)


def main():
    parser = argparse.ArgumentParser(prog='capture.py', usage=__doc__.split('usage: ')[1]
                                     .split('\n')[0])
    parser.add_argument('-o', '--output', default=os.path.join(HERE, 'micro32'))
    parser.add_argument('--count', type=int, default=0)
    parser.add_argument('--look', action='store_true')
    parser.add_argument('--inside', help=argparse.SUPPRESS)
    parser.add_argument('games', nargs='*')
    args = parser.parse_args()
    for name in args.games:
        if name not in GAMES:
            fail(f"there is no game '{name}': {', '.join(GAMES)}")
    if args.inside:
        play(GAMES[args.games[0]](), args.inside, args.count)
        return
    for name in args.games or GAMES:
        for argv in (GAMES[name].argv, GAMES[name].server, ('xdotool',), ('openbox',)):
            check_program(argv)
        os.makedirs(args.output, exist_ok=True)
        capture(name, args.output, args.count, args.look)


if __name__ == '__main__':
    main()
