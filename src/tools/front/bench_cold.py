# SPDX-License-Identifier: MIT
"""sgpu bench cold:F.trace: the worst frame of a trace that is replayed once, with empty caches.

The player decompresses and parses the trace in the same thread that makes the calls.  So each
pair has a third replay, by sgpu with GALLIUM_NOOP=1: the player, libGL and Mesa's state tracker
work, the driver draws nothing.  The seconds by which a whole replay is longer are the driver's.
They are of the whole replay, because nothing is presented without a driver.
"""

import os
import re
import statistics
import tempfile

import limited
from gl_common import OURS, say
from gl_traces import TOOLS, open_trace

NOTHING = 'nothing'  # the driver that draws nothing
# seconds of the whole replays of a workload by driver, None of a replay that failed
replays = {}


def command_of(workload):
    trace = open_trace(workload.partition(':')[2])
    return [TOOLS[trace.api], '--benchmark', trace.path]


def longest(output):
    """The longest time between two frames, of what sgpu-shot prints; None if there are none."""
    try:
        frames, seconds = output.splitlines()[-1].split()
        return float(seconds) if int(frames) > 1 and float(seconds) > 0 else None
    except (IndexError, ValueError):
        return None


def whole(output):
    """The seconds of the whole replay, of what the player prints; None if it printed nothing."""
    found = re.search(r'^Rendered \d+ frames in ([0-9.]+) secs', output, re.MULTILINE)
    return float(found.group(1)) if found else None


def replay(tools, workload, env, seconds):
    """One replay with empty caches; None, and the stacks, if it takes too long."""
    with tempfile.TemporaryDirectory() as cache:
        try:
            return limited.run(
                [os.path.join(tools, 'screenshot/sgpu-shot'), '-l', '-s', str(seconds),
                 *command_of(workload)], seconds,
                env=env | {'MESA_SHADER_CACHE_DIR': cache, 'MESA_SHADER_CACHE_DISABLE': 'false'})
        except limited.Late as late:
            say(late)
            return None


def measure(tools, workload, env, driver, limit):
    """One over the seconds of the worst frame; None if the driver cannot run it in `limit`
    seconds."""
    def note(name, run):
        seconds = whole(run.stderr) if run and run.returncode == 0 else None
        replays.setdefault(workload, {}).setdefault(name, []).append(seconds)

    run = replay(tools, workload, env, limit)
    note(driver, run)
    if driver == OURS:
        note(NOTHING, replay(tools, workload, env | {'GALLIUM_NOOP': '1'}, limit))
    seconds = None if run is None or run.returncode else longest(run.stdout)
    if seconds is None:
        if run:
            say(run.stderr[-2000:])
        return None
    return 1 / seconds


def shares(workload, drivers):
    """By driver, the median of its own seconds of the whole replay; those without a pair of
    replays are left out."""
    found = replays.get(workload, {})
    result = {}
    for driver in drivers:
        own = [seconds - nothing for seconds, nothing
               in zip(found.get(driver, []), found.get(NOTHING, []))
               if seconds is not None and nothing is not None]
        if own:
            result[driver] = statistics.median(own)
    return result


def share_text(own):
    """The drivers' own seconds, and how many times as long the others' are.  A share that is
    within the scatter of the replays can be below zero, and has no ratio."""
    text = []
    for driver, seconds in own.items():
        text.append(f'{driver} {1000 * seconds:.0f} ms')
        if driver != OURS and own.get(OURS, 0) > 0 and seconds > 0:
            text[-1] += f' ({seconds / own[OURS]:.2f})'
    return ', the driver alone: ' + ', '.join(text) if text else ''
