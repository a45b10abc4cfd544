# SPDX-License-Identifier: MIT
"""Chooses the tests that run for a fault in a file, and their order."""

import json
import os

# The suite of a folder's module.
MODULES = {
    'src/isa': 'isa',
    'src/device': 'device',
    'src/capture': 'captures',
    'src/tools/capture': 'captures',
    'src/compiler': 'compiler',
    'src/gallium': 'driver',
    'src/timing': 'timing',
}
# All suites, short ones first.
SUITES = ('isa', 'device', 'captures', 'compiler', 'driver', 'timing', 'traces', 'run')

# Folders of tests whose names differ from those of the sources.  Otherwise, the tests
# of src/X are in tests/X.
MIRRORS = {
    'src/isa': ('isa', 'packets', 'layout'),
    'src/isa/layout': ('layout',),
    'src/device/control/arena': ('device/core', 'device/hash'),
    'src/device/control/memory': ('device/core', 'device/xfer'),
    'src/device/control/sched': ('device/core', 'device/order'),
    'src/device/control/dispatch': ('device/core', 'device/order', 'device/hash'),
    'src/device/control/cp': ('device/core', 'device/order', 'device/hash'),
    'src/device/geometry/cut': ('device/front', 'device/indirect'),
    'src/device/geometry/ia': ('device/front', 'device/indirect'),
    'src/device/geometry/pipeline': ('device/front',),
    'src/device/shader/grid': ('device/compute', 'device/indirect'),
    'src/device/geometry/vertex': ('device/front',),
    'src/device/geometry/clip': ('device/front',),
    'src/device/geometry/setup': ('device/front', 'device/raster'),
    'src/device/geometry/outputs': ('device/geometry', 'device/xfb'),
    'src/device/geometry/tess': ('device/tessellation',),
    'src/device/pixel/shading': ('device/raster', 'device/interpolation'),
    'src/device/shader/program': ('device/shader',),
    'src/device/shader/atomic': ('device/shader', 'device/compute'),
    'src/device/shader/translate': ('device/shader', 'device/levels'),
    'src/device/texture/image': ('device/texture', 'device/compute'),
    'src/device/observe/records': ('device/observe',),
    'src/device/observe/replay': ('device/observe', 'device/rop', 'device/hash'),
    'src/device/observe/shadow': ('device/observe', 'device/rop', 'device/hash'),
    'src/capture': ('capture', 'captures'),
    'src/tools/capture': ('captures', 'capture'),
    'src/gallium': ('driver',),
    'src/timing/params': ('timing/config',),
    'src/timing/stats': ('timing/sim',),
    'src/timing/report': ('timing/sim',),
}

# Tests that do not count: docs check the text of sources, and the figures of
# instructions are for a build with -O3.
LEFT_OUT_SUITES = {'docs'}
LEFT_OUT_TESTS = {'instructions'}


class Test:
    def __init__(self, entry, targets, tree, build):
        self.name = entry['name']
        self.suites = [s.partition(':')[2] for s in entry['suite']]
        self.suite = self.suites[0]
        self.label = f'{self.suite}: {self.name}'
        self.targets = {os.path.relpath(name, build) for target in entry['depends']
                        for name in targets.get(target, ())}
        self.folder = self.folder_of(entry['cmd'], tree, build)

    @staticmethod
    def folder_of(command, tree, build):
        """Returns the folder in tests/ of the first word of the command that is a path there."""
        for word in command:
            path = os.path.normpath(os.path.join(build, word))
            for top in (build, tree):
                name = os.path.relpath(path, os.path.join(top, 'tests'))
                if not name.startswith('..') and '/' in name:
                    return os.path.dirname(name)
        return ''


def read_tests(tree, build):
    """Returns the tests of this project in a build folder."""
    def introspect(name):
        with open(os.path.join(build, 'meson-info', f'intro-{name}.json'),
                  encoding='utf-8') as f:
            return json.load(f)

    targets = {t['id']: t['filename'] for t in introspect('targets')}
    tests = [Test(entry, targets, tree, build) for entry in introspect('tests')
             if any(s.startswith('sgpu:') for s in entry['suite'])]
    return [t for t in tests
            if t.suite not in LEFT_OUT_SUITES and t.name not in LEFT_OUT_TESTS]


def longest(table, file):
    """Returns the innermost folder of the file with an entry, and this entry."""
    folder = os.path.dirname(file)
    while folder and folder not in table:
        folder = os.path.dirname(folder)
    return folder, table.get(folder)


def mirrored(file, folders):
    """Returns the folders with tests for a file."""
    own = os.path.dirname(file).removeprefix('src/')
    name, table = longest(MIRRORS, file)
    # src/isa/X without an entry has the tests of src/isa
    if name == os.path.dirname(file) or own not in folders:
        return table or ()
    return (own,)


def stages(file, tests, near):
    """Returns lists of tests in the order in which they should run: those of the mirrored
    folders, of the module, and of each other suite unless `near` is set."""
    folders = mirrored(file, {t.folder for t in tests})
    module = longest(MODULES, file)[1]
    others = [name for name in SUITES if name != module]
    others += sorted({t.suite for t in tests} - {module, *others})
    if near:
        others = []
    lists, left = [], list(tests)
    for wanted in ([lambda t: any(t.folder == f or t.folder.startswith(f + '/')
                                  for f in folders)] +
                   [lambda t, name=name: t.suite == name for name in (module, *others)]):
        lists.append([t for t in left if wanted(t)])
        left = [t for t in left if not wanted(t)]
    return [tests for tests in lists if tests]


def by_suite(tests):
    """Returns (suite, tests) pairs, since names of tests are unique only in a suite."""
    suites = {}
    for test in tests:
        suites.setdefault(test.suite, []).append(test)
    return suites.items()
