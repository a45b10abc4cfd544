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

BLOCKS = {
    'core': 'workers, queues', 'cp': 'command processor',
    'dispatch': 'dispatch unit', 'front': 'input assembler, vertices',
    'cut': 'input assembler, vertices', 'ia': 'input assembler, vertices',
    'pipeline': 'input assembler, vertices', 'vertex': 'input assembler, vertices',
    'tess': 'tessellator', 'compute': 'grids', 'grid': 'grids', 'image': 'image units',
    'clip': 'clip, setup', 'setup': 'clip, setup', 'raster': 'raster',
    'pixel': 'pixel warps', 'shader': 'shader cores',
    'program': 'shader cores', 'atomic': 'shader cores',
    'texture': 'texture units', 'rop': 'ROP', 'xfer': 'copy engine',
}
FREQUENCY = 999  # sampling frequency in Hz
LIMIT = 300.0  # time limit in seconds for the rest of a run


def block_of(archive, member):
    """Returns the hardware block for an object file in one of the project's libraries."""
    if '/device/' not in archive:
        return 'replay' if '/capture/' in archive else 'driver, compiler'
    match = re.match(r'(?:meson-generated_\.\._)?([a-z]+)_', os.path.basename(member))
    return BLOCKS.get(match.group(1), 'device, other') if match else 'device, other'


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
    if dso == 'sgpu_dri.so' or dso.endswith('_dri.so'):
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
