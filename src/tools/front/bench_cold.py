# SPDX-License-Identifier: MIT
"""sgpu bench cold:F.trace: the worst frame of a trace that is replayed once, with empty caches."""

import os
import subprocess
import sys
import tempfile

from gl_traces import TOOLS, open_trace

LIMIT = 300.0  # seconds that a replay may take


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


def measure(tools, workload, env):
    """One over the seconds of the worst frame; None if the driver cannot run it."""
    with tempfile.TemporaryDirectory() as cache:
        try:
            run = subprocess.run(
                [os.path.join(tools, 'screenshot/sgpu-shot'), '-l', '-s', str(LIMIT),
                 *command_of(workload)],
                env=env | {'MESA_SHADER_CACHE_DIR': cache, 'MESA_SHADER_CACHE_DISABLE': 'false'},
                capture_output=True, text=True, check=False, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None
    seconds = None if run.returncode else longest(run.stdout)
    if seconds is None:
        sys.stderr.write(run.stderr[-2000:])
        return None
    return 1 / seconds
