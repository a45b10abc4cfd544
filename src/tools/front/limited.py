# SPDX-License-Identifier: MIT
"""Runs commands with a time limit.

usage: limited.py SECONDS COMMAND [ARGUMENT...]      (sgpu --limit)

If a command exceeds the limit, it is terminated together with all processes that it has started,
and the exit status is 124.  The error message contains the stacks of their threads.  The stacks
come from gdb or eu-stack, if one of these tools is installed and may attach, and otherwise from the
kernel.
"""

import contextlib
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from printable import printable

PR_SET_PDEATHSIG = 1
GRACE = 10.0  # delay in seconds between SIGTERM and SIGKILL
TOOL_LIMIT = 30.0  # time limit for gdb or eu-stack in seconds
MAX_LINES = 400  # maximum number of lines in the stacks of a process
LATE = 124  # exit status of a command that exceeds its limit, as in timeout(1)
libc = ctypes.CDLL(None)


class Late(Exception):
    """Raised if a command has exceeded its time limit.  The message contains the stacks."""


def end_with_parent():
    """Called in the child process: terminates it when this process ends in any way."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def read(path):
    try:
        with open(path, encoding='utf-8', errors='replace') as file:
            return file.read()
    except OSError:
        return ''


def status_of(pid):
    """Returns (parent, session) of a process, or None if the process has ended."""
    fields = read(f'/proc/{pid}/stat').rpartition(')')[2].split()
    return (int(fields[1]), int(fields[3])) if len(fields) > 3 and fields[0] not in 'ZX' else None


def family(pid):
    """Returns the IDs of the process, of all processes in its session, and of all descendants."""
    known = {int(name): status_of(name) for name in os.listdir('/proc') if name.isdigit()}
    found = {other for other, status in known.items()
             if status and (other == pid or status[1] == pid)}
    while True:
        more = {other for other, status in known.items()
                if status and other not in found and status[0] in found}
        if not more:
            return sorted(found)
        found |= more


def kernel_stacks(pid):
    """Returns lines with the state of each thread according to /proc."""
    lines = []
    for thread in sorted(os.listdir(f'/proc/{pid}/task'), key=int):
        path = f'/proc/{pid}/task/{thread}'
        name, state = read(f'{path}/comm').strip(), re.search(r'^State:\s*(.*)', read(
            f'{path}/status'), re.MULTILINE)
        lines.append(f'thread {thread} ({name}): {state[1] if state else "?"}, waits in '
                     f'{read(f"{path}/wchan") or "?"}, system call '
                     f'{read(f"{path}/syscall").split(" ")[0].strip() or "?"}')
        lines += [f'   {line}' for line in read(f'{path}/stack').splitlines()]
    return lines


def debugger_stacks(pid):
    """Returns the output lines of gdb or eu-stack, or None on failure."""
    for command in (['gdb', '-nx', '-batch', '-iex', 'set debuginfod enabled off', '-p', str(pid),
                     '-ex', 'thread apply all bt 40'], ['eu-stack', '-p', str(pid)]):
        if not shutil.which(command[0]):
            continue
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  errors='replace', timeout=TOOL_LIMIT, check=False)
            lines = done.stdout.splitlines()
            if any(line.startswith('#0') for line in lines):
                return lines
    return None


def stacks(pids):
    """Returns a text with the stacks of all threads in these processes."""
    lines = []
    for pid in pids:
        command = printable(read(f'/proc/{pid}/cmdline').replace('\0', ' ').strip())
        with contextlib.suppress(OSError):
            found = debugger_stacks(pid) or kernel_stacks(pid)
            lines.append(f'process {pid}: {command}')
            lines += [f'   {printable(line)}' for line in found[:MAX_LINES]]
    return '\n'.join(lines)


def end(child, pids=None):
    """Terminates the child and its family().  `pids` is the family, or None if unknown."""
    pids = pids or family(child.pid)
    with contextlib.suppress(ProcessLookupError):
        child.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(timeout=GRACE)
    # Remaining processes in `pids` have a different parent now, so family() may not find them.
    others = (set(pids) | set(family(child.pid))) - {child.pid}
    for pid in others:
        if status_of(pid):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
    last = time.monotonic() + GRACE
    while any(map(status_of, others)) and time.monotonic() < last:
        time.sleep(0.01)
    # Let a shell that has waited for a terminated process clean up.
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(timeout=GRACE)
    with contextlib.suppress(ProcessLookupError):
        child.kill()
    child.wait()


def late(child, command, seconds):
    """Terminates a child that has exceeded its limit.  Returns the exception to raise."""
    begin = time.monotonic()
    pids = family(child.pid)
    text = stacks(pids)
    end(child, pids)
    return Late(f'{" ".join(map(str, command))} did not end within {seconds:g} s; '
                f'{time.monotonic() - begin:.0f} s later it was ended.  Its threads:\n{text}')


def call(command, seconds, **options):
    """Like subprocess.call(), but raises Late after `seconds`.  Ignores SIGINT in the meantime: a
    terminal sends it to both processes, and the command handles it."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        with subprocess.Popen(command, preexec_fn=end_with_parent, **options) as child:
            try:
                return child.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                raise late(child, command, seconds) from None
            except BaseException:
                end(child)
                raise
    finally:
        signal.signal(signal.SIGINT, before)


def run(command, seconds, **options):
    """Like subprocess.run() with captured text output, but raises Late after `seconds`.  If this
    process is interrupted, also terminates the command."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors='replace',
                          start_new_session=True, preexec_fn=end_with_parent, **options) as child:
        try:
            output, errors = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise late(child, command, seconds) from None
        except BaseException:
            end(child)
            raise
    return subprocess.CompletedProcess(command, child.returncode, output, errors)


def exit_on_signals():
    """Makes SIGTERM and SIGHUP raise SystemExit, so that running commands are terminated."""
    def leave(number, _):
        signal.signal(number, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)


def main():
    """Implements `sgpu --limit`."""
    try:
        seconds = float(sys.argv[1])
    except ValueError:
        seconds = 0
    if not 0 < seconds < 1e9:
        sys.exit(f'sgpu: --limit {printable(sys.argv[1])}: expected seconds above 0')
    exit_on_signals()
    try:
        status = call(sys.argv[2:], seconds)
    except Late as error:
        print(f'sgpu: {error}', file=sys.stderr)
        status = LATE
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == '__main__':
    main()
