# SPDX-License-Identifier: MIT
"""sgpu bench micro: runs of sgpu-micro, and the limits of what they measure."""

import os
import tempfile
import time

import limited
from gl_common import say

LIST_LIMIT = 120.0  # seconds for a list, or a copy

# workloads of whole processes: what is drawn, and whether its shader cache is there
STARTS = {'start-cold': ('fill-opaque', False), 'start-warm': ('fill-opaque', True),
          'shaders-cold': ('shaders', False), 'shaders-warm': ('shaders', True)}
facts = {}


def tool_of(tools):
    return os.path.join(tools, 'bench/sgpu-micro')


def names(tools):
    """The benchmarks that the tool lists, and those of whole processes."""
    output = limited.run([tool_of(tools)], LIST_LIMIT).stdout
    listed = [line.split()[0] for line in output.splitlines()]
    return [name for name in listed if name != 'shaders'] + list(STARTS)


def copy_bandwidth(tools):
    """Bytes per second of a copy by all processors, the best of three."""
    return max(float(limited.run([tool_of(tools), '-c'], LIST_LIMIT).stdout) for _ in range(3))


def run_tool(tools, arguments, env, seconds):
    """The lines of a run; None, and what the tool said, if it fails."""
    run = limited.run([tool_of(tools), *arguments], seconds, env=env)
    if run.returncode or not run.stdout:
        say(run.stderr[-2000:])
        return None
    return run.stdout.splitlines()


def measure_start(tools, name, env, seconds):
    """One over the seconds to the first frame, or of the worst frame."""
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
    """Frames per second; None if the driver cannot run it or its picture is wrong.  Raises
    limited.Late if it takes limit_s seconds more than it measures."""
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
    # Only sgpu has the counters; its runs are those that the limit is of.
    if name not in facts or 'lanes' in found:
        facts[name] = found
    frames, elapsed = lines[-1].split()
    return int(frames) / float(elapsed)


def limit(workload, fps, copy):
    """What sgpu does in a second, beside the limit: the share of a copy's bandwidth that the
    least bytes take, the share of lanes with a pixel, and of the workers' time that is work."""
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
