#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records the GL calls of a program with apitrace (sgpu trace).

apitrace has separate preload libraries for GLX and EGL.  The tool guesses the right library from
the libraries that the program is linked with.  If the program then only loads the vendor library of
the other API, the tool restarts it with the other preload library.  With LD_DEBUG, the dynamic
loader reports all libraries that are loaded, even if the program unloads them immediately.
"""

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import limited
from gl_common import OURS, Progress, environment_of, fail, say
from gl_traces import (EGL, GLX, READ_LIMIT, ReplayError, parse_frames, read_trace,
                       replay_hashes)

# minimum free disk space in bytes
RESERVE = 4 << 20
# delay in seconds after which a program that has only loaded the other API is restarted
OTHER_SECONDS = 1
# time limit in seconds for a tool that makes no progress in the trace that it writes
WRITE_LIMIT = 900.0
# maximum number of attempts if the end of a recording is lost
ATTEMPTS = 4
# number of frames to record after the requested frames, because the X server sometimes counts one
# frame more than the program shows
SPARE_FRAMES = 4


def guess_api(program):
    """Guesses the API from the libraries that the program is linked with, or otherwise from its
    name."""
    path = shutil.which(program)
    libraries = limited.run(['ldd', path or program], READ_LIMIT).stdout
    glx = any(name in libraries for name in
              ('libGL.so', 'libGLX.so', 'libOpenGL.so'))
    egl = any(name in libraries for name in ('libEGL.so', 'libGLESv2.so'))
    if glx == egl:
        egl = any(word in os.path.basename(program) for word in ('es2', 'egl'))
    return EGL if egl else GLX


def processes_of(session):
    """Yields the process IDs of a session."""
    for name in os.listdir('/proc'):
        if name.isdigit():
            with contextlib.suppress(OSError):
                if os.getsid(int(name)) == session:
                    yield int(name)


# message of the dynamic loader when it has found a vendor library
LOADED = re.compile(r'file=(?:.*/)?lib(GLX|EGL)_.* \[\d+\]; +generating link map')


def loaded_apis(folder):
    """Returns the APIs whose vendor libraries have been loaded by a program and its children,
    according to the log files of the dynamic loader."""
    found = set()
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding='utf-8',
                  errors='replace') as file:
            found |= {{'GLX': GLX, 'EGL': EGL}[kind]
                      for kind in LOADED.findall(file.read())}
    return found


def send(session, number):
    for process in processes_of(session):
        with contextlib.suppress(OSError):
            os.kill(process, number)


def stop(process):
    """Terminates a program and its children such that apitrace writes the rest of its data."""
    for number, seconds in ((signal.SIGINT, 5), (signal.SIGTERM, 3),
                            (signal.SIGKILL, 10)):
        send(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            break
    send(process.pid, signal.SIGKILL)


def is_full(folder):
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize < RESERVE


def check_disk(folder):
    if is_full(folder):
        fail(f'the disk of {os.path.dirname(folder)} is full: nothing was kept')


class Errors(threading.Thread):
    """Forwards the standard error of a program.  Removes the messages of apitrace and extracts
    information from them."""

    # lines of the backtrace that apitrace prints if a signal terminates the program
    TRACE = re.compile(r'\?$|\S+: |\S+\+0x[0-9a-f]+$')
    # error messages of a program that sgpu-shot has disconnected
    CUT_OFF = re.compile(r'X connection to \S+ broken|XIO: +fatal IO error|'
                         r' +after \d+ requests \(')

    def __init__(self, pipe, hide_cut_off):
        super().__init__(daemon=True)
        self.pipe = pipe
        self.hide_cut_off = hide_cut_off
        # A signal arrived while apitrace was writing, so the end of the trace is lost.
        self.lost_end = False
        self.start()

    def run(self):
        ended = False
        for line in self.pipe:
            if 'apitrace: ' in line:
                ended |= 'caught signal' in line
                self.lost_end |= 'ignoring recurrent flush' in line
            elif not (ended and self.TRACE.match(line) or
                      self.hide_cut_off and self.CUT_OFF.match(line)):
                sys.stderr.write(line)
                sys.stderr.flush()


class Run:
    """The result of one run of a program."""

    def __init__(self):
        # the APIs that the program has loaded, and whether it was stopped because it has not loaded
        # the recorded API
        self.apis = set()
        self.wrong = False
        self.lost_end = False


def run_recorded(args, api, env, path):
    with tempfile.TemporaryDirectory() as libraries:
        env = dict(env, LD_DEBUG='files',
                   LD_DEBUG_OUTPUT=os.path.join(libraries, 'of'))
        return run_watched(args, api, env, path, libraries)


def run_watched(args, api, env, path, libraries):
    command = ['apitrace', 'trace', '-a', {GLX: 'gl', EGL: 'egl'}[api],
               '-o', path, *args.program]
    if args.frames or args.seconds:
        limits = ['-f', str(args.frames[1] + 1 + SPARE_FRAMES)] \
            if args.frames else []
        limits += ['-s', str(args.seconds)] if args.seconds else []
        command = [args.shot, '-x', *limits, *command]
    process = subprocess.Popen(command, env=env, start_new_session=True,
                               stderr=subprocess.PIPE, text=True,
                               errors='replace')
    errors = Errors(process.stderr, bool(args.frames or args.seconds))
    progress = Progress()
    run = Run()
    alone_since = None
    try:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
                break
            if is_full(os.path.dirname(path)):
                stop(process)
                check_disk(os.path.dirname(path))
            if os.path.exists(path):
                progress.tell(f'recording, {os.path.getsize(path) >> 10} KiB')
            if args.api or api in run.apis:
                continue
            run.apis |= loaded_apis(libraries)
            if not run.apis or api in run.apis:
                continue
            alone_since = alone_since or time.monotonic()
            if time.monotonic() - alone_since > OTHER_SECONDS:
                stop(process)
                run.wrong = True
                return run
    except KeyboardInterrupt:
        say('stopping the program')
        stop(process)
    except BaseException:
        stop(process)
        raise
    finally:
        progress.end()
    if process.returncode > 0:
        say(f'{args.program[0]} ended with status {process.returncode}')
    elif process.returncode < 0:
        say(f'{args.program[0]} died of signal {-process.returncode}')
    # Use a timeout, since processes that the program has left behind may keep the pipe open.
    errors.join(10)
    run.lost_end = errors.lost_end
    run.apis |= loaded_apis(libraries)
    return run


def record(args, env, folder):
    """Runs the program and returns a complete trace of it."""
    path = os.path.join(folder, 'whole.trace')
    name = args.program[0]
    if not shutil.which(name):
        fail(f"there is no program '{name}'")
    api = args.api or guess_api(name)
    other = EGL if api == GLX else GLX
    attempts = 0
    while True:
        run = run_recorded(args, api, env, path)
        check_disk(folder)
        trace = read_trace(path) if os.path.exists(path) else None
        wrong = run.wrong or (not args.api and run.apis == {other})
        found = trace and trace.api and not wrong
        whole = found and args.frames and args.frames[1] < len(trace.frames)
        if run.lost_end and not wrong and not whole and attempts < ATTEMPTS \
                and (args.frames or args.seconds):
            attempts += 1
            say(f'the end of the recording was lost: starting {name} again')
        elif found:
            if run.lost_end:
                say('the last calls before the end are not in the recording')
            return trace
        elif not args.api and (other in run.apis or os.path.exists(path)):
            # This can only happen once, because args.api is set in the second run.
            args.api = other
            say(f'{name} uses {other.upper()}, not {api.upper()}: starting it '
                'again')
            api = other
        elif args.api:
            fail(f'{name} made no {api.upper()} calls: perhaps it uses the '
                 'other API (--api)')
        else:
            fail(f'{name} made no GLX or EGL calls: there is nothing to keep')
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


def run_apitrace(command, output, folder):
    """Runs a command that writes a new trace to file `output`."""
    with tempfile.TemporaryFile('w+', errors='replace') as errors:
        process = subprocess.Popen([*command, output], stderr=errors,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   preexec_fn=limited.end_with_parent)
        progress = Progress()
        before, since = 0, time.monotonic()
        try:
            while True:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.2)
                    break
                size = os.path.exists(output) and os.path.getsize(output)
                if size != before:
                    before, since = size, time.monotonic()
                elif time.monotonic() - since > WRITE_LIMIT:
                    raise limited.late(process, command, WRITE_LIMIT)
                progress.tell(f'{" ".join(command[:2])}, {size >> 10} KiB')
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            progress.end()
        check_disk(folder)
        if process.returncode:
            errors.seek(0)
            raise ReplayError(f'{" ".join(command[:2])} ended with status '
                              f'{process.returncode}: {errors.read()[-500:]}')


def trim(trace, env, first, last, folder):
    """Returns a shorter trace in which these frames have the same pictures, and the frame numbers
    in the new trace.  If gltrim can't create the trace, keeps the earlier frames."""
    count = last - first + 1
    short = os.path.join(folder, 'short.trace')
    ways = [] if first == 0 else [[], ['-k']]
    if ways:
        wanted = list(replay_hashes(trace, env, (first, last)).values())
    for way in ways:
        with contextlib.suppress(ReplayError):
            run_apitrace(['gltrim', *way, '-f', f'{first}-{last}', trace.path,
                          '-o'], short, folder)
            result = read_trace(short)
            if result and len(result.frames) >= count:
                hashes = list(replay_hashes(result, env, None).values())
                if hashes[-count:] == wanted:
                    begin = len(result.frames) - count
                    return result, (begin, begin + count - 1)
        say('gltrim omitted something that the frames need' +
            ('' if way else '; trying with all state'))
    run_apitrace(['apitrace', 'trim', f'--frames=0-{last}', trace.path, '-o'],
                 short, folder)
    result = read_trace(short)
    if not result or len(result.frames) != last + 1:
        fail(f'apitrace could not cut {trace.path} after frame {last}')
    return result, (first, last)


USAGE = ('sgpu trace [OPTION...] [--] PROGRAM [ARGUMENT...]   '
         '(sgpu trace --help tells more)')


def parse_args():
    parser = argparse.ArgumentParser(prog='sgpu trace', allow_abbrev=False,
                                     add_help=False, usage=USAGE)
    parser.add_argument('--environment', required=True)
    parser.add_argument('--shot', required=True)
    parser.add_argument('--output')
    parser.add_argument('--api', choices=(GLX, EGL))
    parser.add_argument('--frames', type=parse_frames)
    parser.add_argument('--seconds', type=float)
    parser.add_argument('--pack', action='store_true')
    parser.add_argument('--force', action='store_true')
    parser.add_argument('program', nargs='+')
    args = parser.parse_args()
    if not args.output:
        args.output = os.path.basename(args.program[0]) + '.trace'
    if os.path.exists(args.output) and not args.force:
        fail(f'{args.output} exists: --force replaces it, -o chooses another '
             'name')
    folder = os.path.dirname(os.path.abspath(args.output))
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        fail(f'{folder} is not a writable folder')
    return args, folder


def main():
    args, folder = parse_args()
    env = environment_of(OURS, args.environment)
    if 'vblank_mode' not in os.environ:
        del env['vblank_mode']
    # Create the temporary directory on the same disk as the output, so that the complete file can
    # be renamed.
    with tempfile.TemporaryDirectory(dir=folder, prefix='.sgpu-') as part:
        trace = record(args, env, part)
        frames = None
        missing = False
        if args.frames:
            missing = args.frames[1] >= len(trace.frames)
            if missing:
                say(f'{args.program[0]} showed {len(trace.frames)} frames: '
                    'all of them are kept')
            else:
                try:
                    trace, frames = trim(trace, env, *args.frames, part)
                except ReplayError as error:
                    say(f'{error}; all frames are kept')
                    missing = True
        if args.pack:
            packed = os.path.join(part, 'packed.trace')
            run_apitrace(['apitrace', 'repack', '--brotli', trace.path],
                         packed, part)
            trace.path = packed
        size = os.path.getsize(trace.path)
        os.replace(trace.path, args.output)
    say(f'{args.output}: {trace.api.upper()}, {len(trace.frames)} frames, '
        f'{size / 1024:.0f} KiB' +
        ('; frames %d-%d are the requested ones' % frames
         if frames and frames != (0, len(trace.frames) - 1) else ''))
    if not trace.frames:
        say(f'{args.program[0]} never swapped its buffers: `sgpu retrace` can '
            'take pictures at calls (--calls)')
    return 2 if missing else 0


if __name__ == '__main__':
    try:
        sys.exit(main())
    except (ReplayError, limited.Late, OSError) as error:
        fail(error)
    except KeyboardInterrupt:
        fail('interrupted: nothing was kept')
