# SPDX-License-Identifier: MIT
"""Which tests run for a fault of a file, and in which order."""

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
# The rest of the suites, the short ones first.
SUITES = ('isa', 'device', 'captures', 'compiler', 'driver', 'timing', 'traces', 'run')

# Folders of tests whose names differ from those of the sources: src/X has its
# tests in tests/X otherwise.
MIRRORS = {
    'src/isa': ('isa', 'packets', 'layout'),
    'src/isa/layout': ('layout',),
    'src/device/arena': ('device/core', 'device/hash'),
    'src/device/memory': ('device/core', 'device/xfer'),
    'src/device/sched': ('device/core', 'device/order'),
    'src/device/dispatch': ('device/core', 'device/order', 'device/hash'),
    'src/device/cp': ('device/core', 'device/order', 'device/hash'),
    'src/device/ia': ('device/front', 'device/indirect'),
    'src/device/vertex': ('device/front',),
    'src/device/clip': ('device/front',),
    'src/device/setup': ('device/front', 'device/raster'),
    'src/device/outputs': ('device/geometry', 'device/xfb'),
    'src/device/tess': ('device/tessellation',),
    'src/device/pixel': ('device/raster', 'device/interpolation'),
    'src/device/translate': ('device/shader', 'device/levels'),
    'src/device/image': ('device/texture', 'device/compute'),
    'src/device/shadow': ('device/rop', 'device/hash'),
    'src/capture': ('capture', 'captures'),
    'src/tools/capture': ('captures', 'capture'),
    'src/gallium': ('driver',),
    'src/timing/params': ('timing/config',),
    'src/timing/stats': ('timing/sim',),
    'src/timing/report': ('timing/sim',),
}

# Tests that no fault may run into: docs look at the sources' text, and the
# figures of instructions are those of a build with -O3.
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
        """Below tests/: of the first word of the command that lies there."""
        for word in command:
            path = os.path.normpath(os.path.join(build, word))
            for top in (build, tree):
                name = os.path.relpath(path, os.path.join(top, 'tests'))
                if not name.startswith('..') and '/' in name:
                    return os.path.dirname(name)
        return ''


def read_tests(tree, build):
    """The tests of this project that a build folder has."""
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
    """The entry of the innermost folder that has one."""
    folder = os.path.dirname(file)
    while folder and folder not in table:
        folder = os.path.dirname(folder)
    return folder, table.get(folder)


def mirrored(file, folders):
    """Folders of tests for a file."""
    own = os.path.dirname(file).removeprefix('src/')
    name, table = longest(MIRRORS, file)
    # src/isa/X without an entry of its own has those of src/isa
    if name == os.path.dirname(file) or own not in folders:
        return table or ()
    return (own,)


def stages(file, tests, near):
    """Lists of tests, to run one after another: those of the mirrored folders,
    of the module, and of each other suite unless near is set."""
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
    """Names of tests are unique in a suite only."""
    suites = {}
    for test in tests:
        suites.setdefault(test.suite, []).append(test)
    return suites.items()
