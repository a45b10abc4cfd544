# SPDX-License-Identifier: MIT
"""sgpu bench cold:F.trace: measures the longest frame of a trace that is replayed once, with empty
caches.

The player decompresses and parses the trace in the same thread that makes the GL calls.  To
separate this from the time of the driver, each pair has a third replay by sgpu with GALLIUM_NOOP=1,
which runs the player, libGL and Mesa's state tracker, but draws nothing.  The driver's time is the
time of a whole replay minus the time of this replay.  It is not known for single frames, because
nothing is presented with GALLIUM_NOOP.
"""

import os
import re
import statistics
import tempfile

import limited
from gl_common import OURS, say
from gl_traces import TOOLS, open_trace

NOTHING = 'nothing'  # key for the replays that draw nothing
# times of the whole replays in seconds, by workload and driver; None for a replay that failed
replays = {}


def command_of(workload):
    trace = open_trace(workload.partition(':')[2])
    return [TOOLS[trace.api], '--benchmark', trace.path]


def longest(output):
    """Returns the longest time between two frames from the output of sgpu-shot, or None if there
    is none."""
    try:
        frames, seconds = output.splitlines()[-1].split()
        return float(seconds) if int(frames) > 1 and float(seconds) > 0 else None
    except (IndexError, ValueError):
        return None


def whole(output):
    """Returns the time in seconds of the whole replay from the output of the player, or None if
    there is none."""
    found = re.search(r'^Rendered \d+ frames in ([0-9.]+) secs', output, re.MULTILINE)
    return float(found.group(1)) if found else None


def replay(tools, workload, env, seconds):
    """Replays once with empty caches.  If the replay takes too long, prints the stacks and
    returns None."""
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
    """Returns the reciprocal of the time of the longest frame in seconds, or None if the driver
    can't replay the trace within `limit` seconds."""
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
    """Returns each driver's median time in seconds for the whole replay, without the time of the
    player.  Omits drivers without a complete pair of replays."""
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
    """Formats the times of shares() and the ratios of the other drivers to sgpu.  A time that is
    too small to be measured may be negative, and then has no ratio."""
    text = []
    for driver, seconds in own.items():
        text.append(f'{driver} {1000 * seconds:.0f} ms')
        if driver != OURS and own.get(OURS, 0) > 0 and seconds > 0:
            text[-1] += f' ({seconds / own[OURS]:.2f})'
    return ', the driver alone: ' + ', '.join(text) if text else ''
