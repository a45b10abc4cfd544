# SPDX-License-Identifier: MIT
"""sgpu bench micro: runs sgpu-micro, and compares the results with the limits of the machine."""

import os
import tempfile
import time

import limited
from gl_common import say

LIST_LIMIT = 120.0  # time limit in seconds for listing the benchmarks or for a copy

# workloads that measure whole processes: the benchmark to draw, and whether the shader cache is
# filled before
STARTS = {'start-cold': ('fill-opaque', False), 'start-warm': ('fill-opaque', True),
          'shaders-cold': ('shaders', False), 'shaders-warm': ('shaders', True)}
facts = {}


def tool_of(tools):
    return os.path.join(tools, 'bench/sgpu-micro')


def names(tools):
    """Returns the names of the benchmarks that the tool lists, and of the workloads that measure
    whole processes."""
    output = limited.run([tool_of(tools)], LIST_LIMIT).stdout
    listed = [line.split()[0] for line in output.splitlines()]
    return [name for name in listed if name != 'shaders'] + list(STARTS)


def copy_bandwidth(tools):
    """Returns the bandwidth of a copy by all processors in bytes per second, the best of three
    runs."""
    return max(float(limited.run([tool_of(tools), '-c'], LIST_LIMIT).stdout) for _ in range(3))


def run_tool(tools, arguments, env, seconds):
    """Runs the tool and returns its output lines.  If the tool fails, prints its errors and returns
    None."""
    run = limited.run([tool_of(tools), *arguments], seconds, env=env)
    if run.returncode or not run.stdout:
        say(run.stderr[-2000:])
        return None
    return run.stdout.splitlines()


def measure_start(tools, name, env, seconds):
    """Returns the reciprocal of the time in seconds until the first frame or, for `shaders`, of the
    longest frame."""
    draws, is_warm = STARTS[name]
    arguments = [draws] if draws == 'shaders' else ['-1', draws]
    with tempfile.TemporaryDirectory() as cache:
        env = env | {'MESA_SHADER_CACHE_DIR': cache}
        if is_warm and run_tool(tools, arguments, env, seconds) is None:
            return None
        begin = time.monotonic()
        lines = run_tool(tools, arguments, env, seconds)
    if lines is None:
        return None
    return 1 / (float(lines[-1]) - (begin if '-1' in arguments else 0))


def measure(tools, workload, env, seconds, warm_up, limit_s):
    """Returns the frames per second, or None if the driver can't run the benchmark or draws a wrong
    picture.  Raises limited.Late if the run takes limit_s seconds longer than the measurement."""
    name = workload.partition(':')[2]
    if name in STARTS:
        return measure_start(tools, name, env, limit_s)
    lines = run_tool(tools, ['-w', str(warm_up), '-s', str(seconds), name], env,
                     warm_up + seconds + limit_s)
    if lines is None:
        return None
    found = {}
    for line in lines[:-1]:
        words = line.split()
        found[words[0]] = float(words[1])
        if words[0] == 'work':
            found['unit'] = ' '.join(words[2:])
        elif words[0] == 'lanes':
            found['busy'] = float(words[3])
    # Only keep facts from sgpu's runs: the limits are computed from its counters, which other
    # drivers don't have.
    if name not in facts or 'lanes' in found:
        facts[name] = found
    frames, elapsed = lines[-1].split()
    return int(frames) / float(elapsed)


def limit(workload, fps, copy):
    """Returns sgpu's rate of work per second, and how close it is to the limits: the fraction of
    the copy bandwidth that the minimum number of bytes needs, the fraction of lanes that have a
    pixel, and the fraction of time that workers are busy."""
    name = workload.partition(':')[2]
    if name in STARTS:
        return {'seconds': 1 / fps}
    found = facts.get(name, {})
    result = {'rate': found.get('work', 0) * fps, 'unit': found.get('unit', '')}
    if found.get('bytes'):
        result['bandwidth'] = found['bytes'] * fps / copy
    if found.get('lanes'):
        result |= {'lanes': found['lanes'], 'busy': found['busy']}
    return result


def limit_text(found):
    if 'seconds' in found:
        return f'{1000 * found["seconds"]:.1f} ms'
    text = f'{found["rate"] / 1e6:,.1f} M {found["unit"]}/s'
    if 'bandwidth' in found:
        text += f', {100 * found["bandwidth"]:.1f} % of a copy'
    if 'lanes' in found:
        text += f', {100 * found["lanes"]:.0f} % of lanes, workers {100 * found["busy"]:.0f} % busy'
    return text
