# SPDX-License-Identifier: MIT
"""Piglit profiles that run batches of shader tests, each batch in a single process.

Shader tests spend most of their time on starting the process.  Only the results `pass` of a batch
are used.  All other tests are run again, each in a separate process.
"""

import gzip
import os
from xml.etree import ElementTree

SIZE = 32  # maximum number of tests per batch
PREFIX = 'sgpu-batch@'  # prefix of batch names


def subtest_of(file):
    """Returns the name of the subtest that shader_runner reports for a file."""
    return os.path.basename(os.path.splitext(file)[0]).lower()


class Batches:
    """Batches of tests.  `tests` contains {subtest: test name} for each batch."""

    def __init__(self, shaders):
        """`shaders` is {test name: (program, file)}."""
        self.shaders = shaders
        self.tests = {}
        filling = {}
        for name, (program, file) in shaders.items():
            # shader_runner names the results in a batch after the files, without directories, so
            # file names in a batch must be unique.
            batch = filling.get(program, {})
            if len(batch) == SIZE or subtest_of(file) in batch:
                self.add(batch)
                batch = {}
            batch[subtest_of(file)] = name
            filling[program] = batch
        for batch in filling.values():
            self.add(batch)

    def add(self, batch):
        if len(batch) > 1:
            self.tests[f'{PREFIX}{len(self.tests)}'] = batch

    def write(self, path):
        """Writes the profile to a .xml.gz file."""
        root = ElementTree.Element('PiglitTestList', count=str(len(self.tests)), name='batches')
        for name, batch in self.tests.items():
            files = [self.shaders[test] for test in batch.values()]
            test = ElementTree.SubElement(root, 'Test', type='multi_shader', name=name)
            for option, value in (('prog', files[0][0]), ('files', [file for _, file in files]),
                                  ('subtests', list(batch))):
                ElementTree.SubElement(test, 'option', name=option, value=repr(value))
            skips = ElementTree.SubElement(test, 'Skips')
            for _ in files:
                # piglit requires an entry for each file, although shader_runner itself skips the
                # tests.
                skip = ElementTree.SubElement(skips, 'Skip')
                ElementTree.SubElement(skip, 'option', name='extensions', value='set()')
        with gzip.open(path, 'wb') as file:
            ElementTree.ElementTree(root).write(file, encoding='utf-8', xml_declaration=True)

    def passed(self, name, result):
        """Returns the tests of a batch that have passed, in piglit's result format."""
        subtests = result.get('subtests', {})
        return {test: {'result': 'pass'} for subtest, test in self.tests.get(name, {}).items()
                if subtests.get(subtest) == 'pass'}
