# SPDX-License-Identifier: MIT
"""The time of a workload by hardware block, from samples of `perf record`.

Functions of sgpu are assigned to blocks according to the object file that defines them, which
belongs to a directory of src/device, the driver or the compiler.  Other functions are assigned by
shared object.
"""

import collections
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

import limited

# Block by folder of src/device.
BLOCKS = {
    'control/arena': 'dispatch unit',
    'control/core': 'workers, queues',
    'control/cp': 'command processor',
    'control/dispatch': 'dispatch unit',
    'control/memory': 'workers, queues',
    'control/plan': 'command processor',
    'control/sched': 'workers, queues',
    'entry': 'dispatch unit',
    'geometry/clip': 'clip, setup',
    'geometry/cut': 'input assembler, vertices',
    'geometry/front': 'input assembler, vertices',
    'geometry/gs': 'geometry programs',
    'geometry/ia': 'input assembler, vertices',
    'geometry/outputs': 'input assembler, vertices',
    'geometry/pipeline': 'input assembler, vertices',
    'geometry/setup': 'clip, setup',
    'geometry/tess': 'tessellator',
    'geometry/vertex': 'input assembler, vertices',
    'geometry/xfb': 'transform feedback',
    'observe/profile': 'observer',
    'observe/records': 'observer',
    'observe/replay': 'observer',
    'observe/shadow': 'observer',
    'pixel/raster': 'raster',
    'pixel/rop': 'ROP',
    'pixel/shading': 'pixel warps',
    'shader/atomic': 'shader cores',
    'shader/compute': 'grids',
    'shader/grid': 'grids',
    'shader/interp': 'shader cores',
    'shader/program': 'shader cores',
    'shader/translate': 'translator',
    'texture/image': 'image units',
    'texture/unit': 'texture units',
    'xfer': 'copy engine',
}
FREQUENCY = 999  # sampling frequency in Hz
LIMIT = 300.0  # time limit in seconds for the rest of a run


def block_of(archive, member):
    """Returns the hardware block for an object file in one of the project's libraries."""
    if '/device/' not in archive:
        return 'replay' if '/capture/' in archive else 'driver, compiler'
    # Meson names an object after the path of its source, with _ in place of /.
    name = re.sub(r'^meson-generated_\.\._', '', os.path.basename(member))
    for folder, block in BLOCKS.items():
        if name.startswith(folder.replace('/', '_') + '_'):
            return block
    return 'device, other'


def read_symbols(build):
    """Returns {function name: block} for the project's functions."""
    archives = [path for path in glob.glob(f'{build}/src/**/libsg*.a', recursive=True)]
    output = subprocess.run(['nm', '-A', '--defined-only', *archives],
                            capture_output=True, text=True, check=True).stdout
    blocks = {}
    for line in output.splitlines():
        match = re.match(r'([^:]+):(?:([^:]+):)?\S+ [tTwW] (\S+)$', line)
        if match:
            archive, member, name = match.groups()
            blocks[name] = block_of(archive, member or archive)
    return blocks


def block_of_function(symbol, blocks):
    """Returns the block of a function, or of a part that the compiler has split off, or None if
    unknown."""
    return blocks.get(symbol) or blocks.get(symbol.split('.')[0])


def classify(dso, symbol, blocks):
    if dso.startswith('['):
        return 'kernel'
    if dso == 'libgallium_sgpu.so' or dso.endswith('_dri.so'):
        return block_of_function(symbol, blocks) or 'Mesa'
    return 'program, its libraries'


def record(tool, command, env, seconds, warm_up):
    """Runs the command, and returns the samples after its warm-up as a list of (count, shared
    object, symbol)."""
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, 'perf.data')
        begin = time.monotonic()
        run = limited.run(
            ['perf', 'record', '-q', '-F', str(FREQUENCY), '-o', data, '--',
             tool, '-w', str(warm_up), '-s', str(seconds), *command],
            warm_up + seconds + LIMIT, env=env)
        whole = time.monotonic() - begin
        try:
            measured = float(run.stdout.split()[-1])
        except (IndexError, ValueError):
            sys.exit(f'sgpu: {" ".join(command)} could not be measured:\n{run.stderr}')
        report = subprocess.run(
            ['perf', 'report', '-i', data, '--no-children', '-F', 'sample,dso,sym',
             '--time', f'{100 * (1 - measured / whole):.2f}%-100%', '-t', '\t', '--stdio'],
            capture_output=True, text=True)
    rows = []
    for line in report.stdout.splitlines():
        fields = [field.strip() for field in line.split('\t')]
        if line.startswith('#') or len(fields) != 3 or not fields[0].isdigit():
            continue
        rows.append((int(fields[0]), fields[1],
                     re.sub(r'^\[.\] ', '', fields[2])))
    if not rows:
        sys.exit('sgpu: perf recorded nothing:\n' + run.stderr + report.stderr)
    return rows


def profile(workload, tool, command, env, build, seconds, warm_up, functions=12):
    """Prints the percentage of time for each block, and the functions that take the most time."""
    blocks = read_symbols(build)
    shares, names = collections.Counter(), collections.Counter()
    for count, dso, symbol in record(tool, command, env, seconds, warm_up):
        block = classify(dso, symbol, blocks)
        shares[block] += count
        names[(block, symbol if block not in ('kernel', 'program, its libraries')
               else dso)] += count
    total = sum(shares.values())
    print(f'{os.path.basename(workload)}: {total} samples')
    for block, count in shares.most_common():
        print(f'  {100 * count / total:5.1f} %  {block}')
    print('  most:')
    for (block, name), count in names.most_common(functions):
        print(f'  {100 * count / total:5.1f} %  {name} ({block})')
