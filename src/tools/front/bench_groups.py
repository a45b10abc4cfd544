# SPDX-License-Identifier: MIT
"""The workloads of sgpu bench, and the groups of workloads."""

import glob
import os

import bench_micro
import bench_programs
from gl_common import fail

COMPUTE = ['particles', 'blur', 'reduction', 'matrix', 'scan']
SCENES = ['buffer', 'build', 'bump', 'clear', 'conditionals', 'desktop', 'effect2d', 'function',
          'ideas', 'jellyfish', 'loop', 'pulsar', 'refract', 'shading', 'shadow', 'terrain',
          'texture']
DEFAULT = ['glxgears'] + [f'glmark2:{scene}' for scene in ('build', 'texture', 'shading', 'bump')]


def traces_of(folder):
    if not folder:
        fail('no traces: --traces DIR or SGPU_TRACES must name a folder with *.trace files '
             '(sgpu trace records them)')
    found = sorted(glob.glob(os.path.join(folder, '*.trace')))
    if not found:
        fail(f'{folder} has no *.trace file')
    return found


def expand(asked, traces, build):
    """Returns the requested workloads, with each group replaced by its workloads."""
    found = []
    for name in asked or DEFAULT:
        if name == 'micro':
            found += [f'micro:{one}' for one in bench_micro.names(os.path.join(build, 'src/tools'))]
        elif name == 'scenes':
            found += ['glxgears'] + [f'glmark2:{scene}' for scene in SCENES]
        elif name == 'compute':
            found += [f'compute:{one}' for one in COMPUTE]
        elif name == 'traces':
            found += traces_of(traces)
        elif name == 'programs':
            found += bench_programs.installed()
        elif name == 'all':
            found += expand(['scenes', 'micro', 'compute', 'programs'] +
                            (['traces'] if traces else []), traces, build)
        else:
            found.append(name)
    return found
