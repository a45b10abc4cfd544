# SPDX-License-Identifier: MIT
"""Commands with a limit of time.

usage: limited.py SECONDS COMMAND [ARGUMENT...]      (sgpu --limit; the status of one that is
                                                     late is 124)

A command that is late ends with all that it started, and the error has the stacks of
their threads: gdb's or eu-stack's where one is installed and may attach, else what the
kernel tells.
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
GRACE = 10.0  # seconds from SIGTERM to SIGKILL
TOOL_LIMIT = 30.0  # seconds for the stacks of a process
MAX_LINES = 400  # of a process
LATE = 124  # exit status, as timeout(1) has it
libc = ctypes.CDLL(None)


class Late(Exception):
    """A command did not end in its time; the text has the stacks."""


def end_with_parent():
    """In the child: it ends if this process does, however that ends."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def read(path):
    try:
        with open(path, encoding='utf-8', errors='replace') as file:
            return file.read()
    except OSError:
        return ''


def status_of(pid):
    """(parent, session) of a living process, or None."""
    fields = read(f'/proc/{pid}/stat').rpartition(')')[2].split()
    return (int(fields[1]), int(fields[3])) if len(fields) > 3 and fields[0] not in 'ZX' else None


def family(pid):
    """The process, those of its session, and all their descendants."""
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
    """What /proc has of each thread."""
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
    """Those of gdb or eu-stack, or None."""
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
    """Text of the stacks of all threads of these processes."""
    lines = []
    for pid in pids:
        command = printable(read(f'/proc/{pid}/cmdline').replace('\0', ' ').strip())
        with contextlib.suppress(OSError):
            found = debugger_stacks(pid) or kernel_stacks(pid)
            lines.append(f'process {pid}: {command}')
            lines += [f'   {printable(line)}' for line in found[:MAX_LINES]]
    return '\n'.join(lines)


def end(child, pids=None):
    """Ends the child and its family."""
    pids = pids or family(child.pid)
    with contextlib.suppress(ProcessLookupError):
        child.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(timeout=GRACE)
    # Those that are left have another parent now.
    others = (set(pids) | set(family(child.pid))) - {child.pid}
    for pid in others:
        if status_of(pid):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
    last = time.monotonic() + GRACE
    while any(map(status_of, others)) and time.monotonic() < last:
        time.sleep(0.01)
    # A shell cleans up when what it waited for is gone.
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(timeout=GRACE)
    with contextlib.suppress(ProcessLookupError):
        child.kill()
    child.wait()


def late(child, command, seconds):
    """Ends a child that took longer; the error of it."""
    begin = time.monotonic()
    pids = family(child.pid)
    text = stacks(pids)
    end(child, pids)
    return Late(f'{" ".join(map(str, command))} did not end within {seconds:g} s; '
                f'{time.monotonic() - begin:.0f} s later it was ended.  Its threads:\n{text}')


def call(command, seconds, **options):
    """As subprocess.call; raises Late after these seconds.  SIGINT, which a terminal sends to
    both, is the command's."""
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
    """As subprocess.run with text and captured output; raises Late after these seconds.  If
    this process is interrupted, the command ends, too."""
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
    """SIGTERM and SIGHUP leave by way of the exception that ends commands."""
    def leave(number, _):
        signal.signal(number, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)


def main():
    """What `sgpu --limit` runs."""
    try:
        seconds = float(sys.argv[1])
    except ValueError:
        seconds = 0
    if not 0 < seconds < 1e9:
        sys.exit(f'sgpu: --limit {printable(sys.argv[1])}: expected seconds, more than 0')
    exit_on_signals()
    try:
        status = call(sys.argv[2:], seconds)
    except Late as error:
        print(f'sgpu: {error}', file=sys.stderr)
        status = LATE
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == '__main__':
    main()
