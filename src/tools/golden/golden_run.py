# SPDX-License-Identifier: MIT
"""Runs a program and collects the pictures of its frames, which the driver writes to a folder."""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from golden_files import GoldenError
from golden_picture import PictureError, read_frame

# Kinds of frames from the one with the lowest priority on, as in sgpu_frames.h.
KINDS = ('end', 'finish', 'read', 'present')
FRAME = re.compile(r'(\d+)-(end|finish|read|present)-(\d+)-(\d+|last)\.frame$')
ITEM = re.compile(r'(\d+)(?:(-)(\d*))?(?:/(\d+))?$')
DEFAULT_FRAMES = '0-9'
ADDR_NO_RANDOMIZE = 0x0040000
# Interval in seconds at which the folder is looked at.
INTERVAL = 0.02
# Time that a program has to end after SIGTERM, in seconds.
END_SECONDS = 3
# A program stands still if its processes use less than this share of a processor for this time.
STILL_SECONDS = 10
STILL_SHARE = 0.05


class StandsStill(GoldenError):
    """The program waits for something that does not come."""


class Frames:
    """The list of --frames."""

    def __init__(self, text):
        self.text = text
        self.last = self.all = self.open = False
        self.numbers = set()
        for item in text.split(','):
            match = ITEM.match(item)
            if item == 'last':
                self.last = True
            elif item == 'all':
                self.all = True
            elif match:
                self.add(*match.groups())
            else:
                self.wrong()

    def wrong(self):
        raise GoldenError(f'--frames {self.text}: expected numbers and ranges like '
                          '0-9,20,0-100/10, or last, or all')

    def add(self, first, dash, last, step):
        first, step = int(first), int(step or 1)
        end = int(last) if last else first
        if step == 0 or end < first or end - first > 100000 or (step > 1 and not dash):
            self.wrong()
        if dash and not last:
            self.open = True
        self.numbers.update(range(first, end + 1, step))

    @property
    def is_endless(self):
        """True if the number of frames is known only when the program has ended."""
        return self.all or self.last or self.open


class Run:
    """A run of a program: its pictures and how it ended."""

    def __init__(self):
        self.pictures = {}  # Picture by the name of the frame
        self.version = ''   # version of the driver that has drawn, or ''
        self.kind = ''      # kind of the frames
        self.status = None  # exit status, or None if the program was ended
        self.capture = None  # path of a device capture


def no_random_addresses():
    """Keeps addresses the same in each run, since hash tables may depend on them."""
    with contextlib.suppress(OSError, AttributeError, ImportError):
        import ctypes  # pylint: disable=import-outside-toplevel
        libc = ctypes.CDLL(None)
        libc.personality(libc.personality(0xffffffff) | ADDR_NO_RANDOMIZE)


def signal_name(status):
    """Returns the name of the signal that has ended a program, or None."""
    number = -status if status < 0 else status - 128
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    return None


class Folder:
    """The folder that the driver writes to."""

    def __init__(self, path, surface):
        self.path = path
        self.surface = surface

    def processes(self):
        """Returns {process ID: version of the driver}, of the processes that have loaded it."""
        found = {}
        for name in sorted(os.listdir(self.path)):
            if name.endswith('.process'):
                with open(os.path.join(self.path, name), encoding='utf-8') as file:
                    found[int(name.split('.')[0])] = file.readline().strip().partition(' ')[2]
        return found

    def check_failures(self):
        """Raises an error if the driver could not write a picture."""
        if any(name.endswith('.failed') for name in os.listdir(self.path)):
            raise GoldenError(f'the driver could not write all pictures to {self.path} (its '
                              'message is above): TMPDIR chooses another disk, --frames fewer '
                              'frames')

    def files(self):
        """Returns {(kind, process, surface): {number or 'last': path}}."""
        found = {}
        for name in os.listdir(self.path):
            match = FRAME.match(name)
            if match:
                process, kind, surface, number = match.groups()
                found.setdefault((kind, int(process), int(surface)), {})[
                    number if number == 'last' else int(number)] = os.path.join(self.path, name)
        return found

    def has_all(self, frames):
        """Returns whether each window has all frames that are wanted."""
        if frames.is_endless:
            return False
        shown = [set(files) for key, files in self.files().items()
                 if key[0] == 'present' and self.surface in (None, key[2])]
        return bool(shown) and all(frames.numbers <= numbers for numbers in shown)

    def newest(self):
        """Returns the time of the newest file."""
        times = []
        for name in os.listdir(self.path):
            with contextlib.suppress(FileNotFoundError):
                times.append(os.stat(os.path.join(self.path, name)).st_mtime)
        return max(times, default=0)

    def collect(self, frames):
        """Returns the kind of the frames, and {name: Picture}."""
        files = self.files()
        kind = max((key[0] for key in files), key=KINDS.index, default='')
        keys = sorted(key for key in files if key[0] == kind)
        # In the order in which the processes were started.
        processes = sorted({key[1] for key in keys})
        pictures = {}
        for key in sorted(keys, key=lambda key: (processes.index(key[1]), key[2])):
            if self.surface not in (None, key[2]):
                continue
            prefix = f'process{processes.index(key[1])}-' if processes.index(key[1]) else ''
            prefix += f'window{key[2]}-' if key[2] else ''
            for number, picture in sorted(read_numbers(files[key], frames).items()):
                pictures[f'{prefix}{number}'] = picture
        return kind, pictures


def read_numbers(group, frames):
    """Returns {number: Picture} of a window."""
    pictures, last = {}, None
    for number, path in group.items():
        try:
            with open(path, 'rb') as file:
                fields, picture = read_frame(file.read())
        except (OSError, PictureError) as error:
            raise GoldenError(f'{path}: {error}') from None
        if number == 'last':
            last = int(fields['number']), picture
        else:
            pictures[number] = picture
    if last and frames.last and last[0] > max(pictures, default=-1):
        pictures[last[0]] = last[1]
    return pictures


def end(child, processes):
    """Ends the program: the processes that draw first, then all, so that scripts around them can
    clean up."""
    for number, targets in ((signal.SIGTERM, processes), (signal.SIGTERM, [-child.pid]),
                            (signal.SIGKILL, [-child.pid])):
        if child.poll() is None or number == signal.SIGKILL:
            for target in targets:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(target, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(END_SECONDS)


class Activity:
    """The processor time of the processes of a session."""

    def __init__(self, session):
        self.session = session
        self.since, self.ticks = time.monotonic(), 0

    def read(self):
        """Returns the time in ticks."""
        ticks = 0
        for name in os.listdir('/proc'):
            with contextlib.suppress(OSError, ValueError, IndexError):
                with open(f'/proc/{int(name)}/stat', encoding='utf-8', errors='replace') as file:
                    # The name, in parentheses, may have spaces.
                    fields = file.read().rpartition(')')[2].split()
                if int(fields[3]) == self.session:
                    ticks += int(fields[11]) + int(fields[12])
        return ticks

    def stands_still(self):
        """Returns whether the session has done next to nothing for STILL_SECONDS."""
        now = time.monotonic()
        if now - self.since < STILL_SECONDS:
            return False
        ticks = self.read()
        # Processes that have ended no longer count.
        used = abs(ticks - self.ticks) / os.sysconf('SC_CLK_TCK')
        share = used / (now - self.since)
        self.since, self.ticks = now, ticks
        return share < STILL_SHARE


def wait(child, folder, frames, options, may_wait=True):
    """Waits for the frames.  Returns whether the program has ended by itself, and whether the time
    was over.  Without `may_wait`, raises StandsStill for a program that only waits."""
    start = time.monotonic()
    begun = time.time()
    activity = Activity(child.pid)
    while True:
        ended = child.poll() is not None
        if ended or folder.has_all(frames):
            return ended, False
        if time.monotonic() - start > options.timeout:
            return False, True
        if not may_wait and activity.stands_still():
            raise StandsStill(f'the program has done nothing for {STILL_SECONDS} seconds')
        quiet = time.time() - max(begun, folder.newest())
        if quiet > options.idle and folder.files():
            return False, False
        time.sleep(INTERVAL)


def environment_of(options, folder, listed):
    """Returns the variables that only the program gets, not the X server."""
    variables = {'SGPU_FRAMES': f'{listed} {folder}', 'vblank_mode': '0'}
    preload = False
    if options.clock:
        path = os.path.join(folder, 'clock')
        with open(path, 'wb') as file:
            file.write(bytes(8))
        variables['SGPU_CLOCK'] = f'{options.clock} {path}'
        preload = True
    if options.seed is not None:
        variables.update(SGPU_SEED=str(options.seed), PYTHONHASHSEED=str(options.seed))
        preload = True
    if preload:
        library = options.tools.find('libsgpu_clock.so')
        others = os.environ.get('LD_PRELOAD')
        variables['LD_PRELOAD'] = f'{library}:{others}' if others else library
    return variables


def start(command, options, variables):
    """Starts the program in a session of its own, with an X server of its own."""
    env = dict(os.environ)
    if not options.display:
        for name in ('DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'):
            env.pop(name, None)
    env.pop('SGPU_CAPTURE', None)
    env['SGPU_NO_BUILD'] = '1'
    words = [f'{name}={value}' for name, value in variables.items()] + options.environment
    return subprocess.Popen(  # pylint: disable=consider-using-with
        options.tools.runner() + ['env'] + words + command, env=env, stdin=subprocess.DEVNULL,
        stdout=sys.stderr, start_new_session=True,
        preexec_fn=no_random_addresses if options.seed is not None else None)


def run_program(command, options, scratch, listed=None, may_wait=True):
    """Runs a program and returns a Run.  `listed` is the list of frames for the driver."""
    frames = Frames(options.frames)
    path = tempfile.mkdtemp(dir=scratch)
    folder = Folder(path, options.surface)
    variables = environment_of(options, path, listed or options.frames)
    run = Run()
    if options.captures:
        run.capture = os.path.join(path, 'capture.sgcap')
        variables['SGPU_CAPTURE'] = run.capture + captured(frames)
    with start(command, options, variables) as child:
        try:
            ended, late = wait(child, folder, frames, options, may_wait)
            if not ended:
                end(child, list(folder.processes()))
        finally:
            end(child, [])
    run.status = child.returncode if ended else None
    folder.check_failures()
    versions = folder.processes()
    run.version = next(iter(versions.values()), '')
    run.kind, run.pictures = folder.collect(frames)
    if run.capture and not os.path.exists(run.capture):
        run.capture = None
    check_run(run, late, command, options)
    return run


def captured(frames):
    """Returns the option of SGPU_CAPTURE for these frames."""
    if frames.is_endless or not frames.numbers:
        return ''
    return f',frames={min(frames.numbers)}-{max(frames.numbers)}'


def check_run(run, late, command, options):
    """Raises an error if the run is no base for a comparison."""
    text = shlex.join(command)
    if run.status:
        name = signal_name(run.status)
        how = f'was ended by {name}' if name else f'ended with status {run.status}'
        if name or not options.any_status:
            raise GoldenError(
                f'{text} {how}, after {len(run.pictures)} frames: its output is above' +
                ('' if name else '; --any-status takes programs that end so'))
    if not run.version:
        raise GoldenError(f'{text}: no process of it has drawn with sgpu; `sgpu doctor -- {text}` '
                          'tells which driver it has loaded, and why')
    if late and not run.pictures:
        raise GoldenError(f'{text} has made no frame in {options.timeout:g} seconds (--timeout)')
    if not run.pictures and not options.is_page:
        raise GoldenError(f'{text} has made no frame{"" if options.surface is None else " there"}: '
                          'it has presented no picture, read no pixels and finished no drawing')
    if late and Frames(options.frames).is_endless:
        raise GoldenError(f'{text} has not ended in {options.timeout:g} seconds (--timeout), which '
                          f'--frames {options.frames} needs; choose frames by their numbers')
