# SPDX-License-Identifier: MIT
"""GL traces (files of apitrace): their contents and replays.

Frames are counted from 0, as in apitrace.  A frame ends with the call that presents it (a swap).
The picture of a frame is the picture that this call presents.
"""

import hashlib
import json
import os
import platform
import re
import subprocess
import tempfile
import threading

import limited
from gl_common import Progress, fail, say

READ_LIMIT = 600.0  # time limit for reading a trace in seconds
# the kinds of traces; apitrace has a separate replay tool for each kind
GLX, EGL = 'glx', 'egl'
TOOLS = {GLX: 'glretrace', EGL: 'eglretrace'}
# policies that must not change the pictures
POLICIES = ('inorder', 'ooo', 'ooo+split', 'ooo+split+break')
THREADS = (1, 2, 4)
SHUFFLES = (1, 2)
# prevents glibc from using instructions beyond x86-64-v2
LIBC_V2 = {'GLIBC_TUNABLES': 'glibc.cpu.hwcaps=' + ','.join(
    f'-{name}' for name in (
        'AVX', 'AVX2', 'AVX512F', 'AVX512BW', 'AVX512CD', 'AVX512DQ', 'AVX512VL',
        'BMI1', 'BMI2', 'FMA', 'LZCNT', 'MOVBE'))}


class ReplayError(Exception):
    """Raised if a replay fails."""


class Trace:
    """A trace file and its contents."""

    def __init__(self, path, api, frames, has_tail=False):
        self.path = path
        self.api = api
        # (first call, last call) of each frame
        self.frames = frames
        # the trace has calls after its last frame, which present nothing
        self.has_tail = has_tail

    def numbers(self, asked):
        """Returns the frame range (first, last) for `asked`, or for all frames if `asked` is
        None."""
        first, last = asked or (0, len(self.frames) - 1)
        if not self.frames:
            fail(f'{self.path} has no frame: the program never swapped its '
                 'buffers, or the file was cut off; --calls takes pictures at '
                 'chosen calls')
        if last >= len(self.frames):
            fail(f'{self.path} has frames 0-{len(self.frames) - 1}, but not '
                 f'{last}')
        return range(first, last + 1)


def read_trace(path):
    """Returns the trace in a file, or None if the file is not a trace.  The api of the trace is
    None if it contains no GL calls."""
    info = limited.run(['apitrace', 'info', '--dump-frames', path], READ_LIMIT)
    try:
        info = json.loads(info.stdout)
    except ValueError:
        return None
    # apitrace also prints this information for files that are not traces.
    if info['ContainerVersion'] == 0 or info['ActualDataSize'] == 0:
        return None
    api = {'OpenGL + GLX/WGL/CGL': GLX,
           'OpenGL/GLES1/GLES2/VG + EGL': EGL}.get(info['API'])
    frames = [frame for frame in info.get('Frames', []) if frame]
    return Trace(path, api, [(frame['FirstCallId'], frame['LastCallId']) for frame in frames],
                 info['ActualDataSize'] > sum(frame['SizeInBytes'] for frame in frames))


def open_trace(path):
    """Returns the trace in a file.  Exits if the trace can't be replayed."""
    if not os.path.exists(path):
        fail(f'there is no file {path}; `sgpu trace -o {path} -- PROGRAM` '
             'records one')
    if not os.path.isfile(path) or not os.access(path, os.R_OK):
        fail(f'{path} cannot be read, or is not a file')
    trace = read_trace(path)
    if not trace:
        fail(f'{path} is not a trace of apitrace, or was cut off at '
             'its beginning')
    if not trace.api:
        fail(f'{path} has no GLX or EGL calls: record it again, with the '
             'API that the program uses (`sgpu trace --api`)')
    return trace


def without_tail(trace, folder):
    """Returns the trace, or a copy in directory `folder` that ends after the last frame.
    Otherwise, --loop of the players would repeat the calls after the last frame, which present
    nothing."""
    trace.numbers(None)
    if not trace.has_tail:
        return trace
    say(f'{trace.path}: the calls after the last frame are omitted, so that the frame can be '
        'repeated')
    path = os.path.join(folder, f'{len(os.listdir(folder))}-{os.path.basename(trace.path)}')
    done = limited.run(['apitrace', 'trim', f'--calls=0-{trace.frames[-1][1]}', '-o', path,
                        trace.path], READ_LIMIT)
    cut = None if done.returncode else read_trace(path)
    if not cut or cut.has_tail or len(cut.frames) != len(trace.frames):
        fail(f'apitrace could not cut {trace.path} after its last frame: {done.stderr[-500:]}')
    return cut


def parse_frames(text):
    """Parses a frame range A-B, or A for a single frame.  Returns (first, last)."""
    first, dash, last = text.partition('-')
    try:
        numbers = int(first), int(last if dash else first)
    except ValueError:
        numbers = 1, 0
    if not 0 <= numbers[0] <= numbers[1]:
        fail(f"'{text}' is not a range of frames: A-B, counted from 0, or A")
    return numbers


class Replay:
    """A running replay.  As a context manager, provides its standard output as `output`."""

    def __init__(self, trace, env, options, timeout):
        self.trace = trace
        self.timeout = timeout
        self.late = False
        self.stacks = ''
        self.errors = tempfile.TemporaryFile('w+', errors='replace')
        self.process = subprocess.Popen(
            [TOOLS[trace.api], *options, trace.path], env=env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.errors)
        self.output = self.process.stdout
        self.timer = threading.Timer(timeout, self.stop)

    def stop(self):
        self.late = True
        self.stacks = limited.stacks(limited.family(self.process.pid))
        self.process.kill()

    def __enter__(self):
        self.timer.start()
        return self

    def __exit__(self, kind, *_):
        if kind:
            self.process.kill()
        # Read the rest of the output, so that the process doesn't block on the pipe.
        self.output.read()
        status = self.process.wait()
        self.timer.cancel()
        self.errors.seek(0)
        text = self.errors.read()
        if kind:
            return
        if status:
            how = (f'was stopped after {self.timeout:g} s (--timeout).  Its threads:\n'
                   f'{self.stacks}'
                   if self.late else f'died of signal {-status}' if status < 0
                   else f'ended with status {status}')
            say('\n'.join(text.splitlines()[-10:]))
            raise ReplayError(f'the replay of {self.trace.path} {how}')
        # Print the messages of the driver, but drop those of apitrace.
        for line in text.splitlines():
            if line.startswith('sgpu:'):
                say(line[5:].strip())


def of_frames(trace, numbers):
    """Returns the numbers of the calls that end these frames, in apitrace's syntax."""
    return (f'{trace.frames[numbers[0]][0]}-{trace.frames[numbers[-1]][1]}'
            '/frame')


def read_pnm(stream):
    """Yields the pictures in a stream of PNM files, as bytes in 8-bit RGB with the top row
    first."""
    while stream.readline().strip() == b'P6':
        header = []
        while len(header) < 3:
            line = stream.readline()
            if not line:
                return
            header += line.partition(b'#')[0].split()
        size = int(header[0]) * int(header[1]) * 3
        pixels = stream.read(size)
        if len(pixels) != size:
            return
        yield pixels


def replay_hashes(trace, env, asked, timeout=600):
    """Replays frames.  Returns {frame: MD5 of its pixels in 8-bit RGB with the top row first}."""
    # Don't use apitrace's MD5s, which include alpha with OpenGL ES but not with OpenGL.
    numbers = trace.numbers(asked)
    replay = Replay(trace, env, ['-b', '-s', '-', '-S',
                                 of_frames(trace, numbers)], timeout)
    progress = Progress()
    hashes = {}
    with replay:
        for number, pixels in zip(numbers, read_pnm(replay.output)):
            hashes[number] = hashlib.md5(pixels).hexdigest()
            progress.tell(f'{len(hashes)}/{len(numbers)} frames')
    progress.end()
    if len(hashes) != len(numbers):
        raise ReplayError(f'the replay of {trace.path} showed {len(hashes)} of '
                          f'{len(numbers)} frames')
    return hashes


def replay_pictures(trace, env, folder, asked=None, calls=None, timeout=600):
    """Writes PNG files to directory `folder`, and returns their names in order: frame-N.png or
    call-N.png.

    `asked` is the range of frames, or None for all.  If `calls` is given, in apitrace's syntax
    (`apitrace help dump`), writes the pictures at these calls instead.
    """
    with tempfile.TemporaryDirectory(dir=folder, prefix='.sgpu-') as part:
        numbers = None if calls else trace.numbers(asked)
        replay = Replay(trace, env, [
            '-b', '-s', os.path.join(part, ''),
            '-S', calls or of_frames(trace, numbers)], timeout)
        progress = Progress()
        done = threading.Event()

        def watch():
            while not done.wait(0.5):
                total = f'/{len(numbers)}' if numbers else ''
                progress.tell(f'{len(os.listdir(part))}{total} pictures')
        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            with replay:
                pass
        finally:
            done.set()
            watcher.join()
            progress.end()

        found = sorted(name for name in os.listdir(part)
                       if name.endswith('.png'))
        if not found:
            raise ReplayError(f'the replay of {trace.path} made no picture')
        for name in found:
            with open(os.path.join(part, name), 'rb') as file:
                if not file.read().endswith(b'IEND\xaeB`\x82'):
                    raise ReplayError('a picture could not be written whole: '
                                      f'is the disk of {folder} full?')
        frame_of = {trace.frames[number][1]: number for number in numbers or ()}
        names = []
        for name in found:
            call = int(name.removesuffix('.png'))
            new = (f'call-{call:08}.png' if calls
                   else f'frame-{frame_of[call]:05}.png')
            os.replace(os.path.join(part, name), os.path.join(folder, new))
            names.append(new)
    if numbers and len(names) != len(numbers):
        raise ReplayError(f'the replay of {trace.path} showed {len(names)} of '
                          f'{len(numbers)} frames')
    return names


def replay_times(trace, env, repeats, timeout=600):
    """Replays the last frame repeatedly.  Returns the time of each repetition in milliseconds, from
    swap to swap, as measured in the process by Mesa's HUD."""
    with tempfile.TemporaryDirectory() as folder:
        env = dict(env, GALLIUM_HUD='frametime', GALLIUM_HUD_VISIBLE='false',
                   GALLIUM_HUD_PERIOD='0', GALLIUM_HUD_DUMP_DIR=folder)
        replay = Replay(trace, env, ['-b', f'--loop={repeats}'], timeout)
        with replay:
            pass
        try:
            with open(os.path.join(folder, 'frametime_(ms)'),
                      encoding='ascii') as file:
                times = [float(line) for line in file]
        except FileNotFoundError:
            times = []
    if len(times) < repeats:
        raise ReplayError(f'{trace.path}: only {len(times)} of {repeats} '
                          'frames could be timed, for the others were not '
                          'shown in a window')
    return times[-repeats:]


def debug_with(word):
    """Returns the value of SGPU_DEBUG with `word` added."""
    debug = os.environ.get('SGPU_DEBUG')
    return f'{debug},{word}' if debug else word


def has_libc_level(variables, level):
    """Returns whether the C library's dynamic loader, run with these environment variables, reports
    that the processor supports this level of x86-64."""
    text = limited.run(['/lib64/ld-linux-x86-64.so.2', '--help'], READ_LIMIT,
                       env=dict(os.environ, **variables)).stdout
    return bool(re.search(rf'^ *x86-64-{level} \(supported', text, re.M))


def settings():
    """Yields settings that must not change the pictures, as (name, environment variables).  The
    variables are None if this machine does not support the setting."""
    yield 'as before', {}
    for threads in THREADS:
        for policy in POLICIES:
            yield f'{threads} threads, {policy}', {
                'SGPU_THREADS': str(threads), 'SGPU_DISPATCH': policy}
    for seed in SHUFFLES:
        yield f'4 threads, shuffle={seed}', {
            'SGPU_THREADS': '4', 'SGPU_DISPATCH': 'ooo+split+break',
            'SGPU_DEBUG': debug_with(f'shuffle={seed}')}
    with tempfile.TemporaryDirectory() as folder:
        cache = {'MESA_SHADER_CACHE_DIR': folder,
                 'MESA_SHADER_CACHE_DISABLE': 'false'}
        # If a program exits without closing its display, Mesa's cache loses the entries that its
        # thread has not written yet.  A replay may therefore leave the cache empty, and the next
        # replay may add entries that an earlier replay has lost.
        for _ in range(5):
            yield 'shader cache, empty', cache
            before = files_of(folder)
            if before:
                break
        else:
            raise ReplayError('replays put no shader into the cache')
        for _ in range(5):
            yield 'shader cache, filled', cache
            found = before
            before = files_of(folder)
            if found == before:
                break
        else:
            raise ReplayError('replays do not find their shaders in the cache')
    yield 'no shader cache', {'MESA_SHADER_CACHE_DISABLE': 'true'}
    if platform.machine() != 'x86_64':
        return
    for level in 'v2', 'v3', 'v4':
        if has_libc_level({}, level):
            yield f'host level {level}', {'SGPU_DEBUG': debug_with(f'host={level}')}
        else:
            yield f'host level {level}', None
    # Emulate a processor of level v2: the C library must not use later instructions either.
    if has_libc_level(LIBC_V2, 'v3'):
        raise ReplayError('GLIBC_TUNABLES does not keep the C library from AVX2')
    yield 'host level v2, C library without AVX2', dict(
        LIBC_V2, SGPU_DEBUG=debug_with('host=v2'))


def files_of(folder):
    """Returns the files in a directory and its subdirectories, except for Mesa's index and
    marker."""
    return {os.path.join(where, name) for where, _, names in os.walk(folder)
            for name in names if name not in ('index', 'marker')}


def hash_of_picture(path):
    """Returns the MD5 of the pixels of a PNG file, computed as in replay_hashes()."""
    from PIL import Image
    return hashlib.md5(Image.open(path).convert('RGB').tobytes()).hexdigest()


class Difference:
    """The differences between two pictures.  If their sizes differ, all pixels count as
    different."""

    def __init__(self, ours, theirs, within):
        import numpy
        from PIL import Image
        a = numpy.asarray(Image.open(ours).convert('RGB')).astype(int)
        b = numpy.asarray(Image.open(theirs).convert('RGB')).astype(int)
        self.sizes = a.shape[1::-1], b.shape[1::-1]
        if a.shape != b.shape:
            self.pixels, self.worst, self.same = a.shape[0] * a.shape[1], 255, 0
            self.picture = None
            return
        most = numpy.abs(a - b).max(axis=2)
        self.pixels = int((most > 0).sum())
        self.worst = int(most.max())
        self.same = float((most <= within).mean())

        # Draw the other picture in dark gray, with the different pixels in color: blue for a
        # difference of up to 2, green up to 16, and red to yellow above.
        picture = numpy.repeat(b.mean(axis=2, keepdims=True) / 4, 3, axis=2)
        for low, high, colour in ((1, 2, (64, 96, 255)), (3, 16, (0, 224, 64)),
                                  (17, 255, (255, 0, 0))):
            chosen = (most >= low) & (most <= high)
            picture[chosen] = colour
            if high == 255:
                picture[chosen, 1] = most[chosen]
        self.picture = Image.fromarray(picture.astype('uint8'))

    def text(self):
        if self.sizes[0] != self.sizes[1]:
            return ('%dx%d pixels' % self.sizes[0] +
                    ' against %dx%d' % self.sizes[1])
        return (f'{self.pixels:9} pixels differ, by up to {self.worst:3}; '
                f'{self.same * 100:8.4f} %')
