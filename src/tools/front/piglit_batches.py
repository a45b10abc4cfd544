# SPDX-License-Identifier: MIT
"""Profiles of piglit that run many shader tests in a process.

Most of such a test's time is the start of its process.  Only a pass counts: any other
test of a batch runs again, by itself.
"""

import gzip
import os
from xml.etree import ElementTree

SIZE = 32
PREFIX = 'sgpu-batch@'


def subtest_of(file):
    """The name that shader_runner reports for a file."""
    return os.path.basename(os.path.splitext(file)[0]).lower()


class Batches:
    """Batches of tests by their names in piglit's results."""

    def __init__(self, shaders):
        """shaders: name of a test: (program, file)."""
        self.shaders = shaders
        self.tests = {}
        filling = {}
        for name, (program, file) in shaders.items():
            # A batch's results have the files' names without their folders.
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
        """Writes the profile, of type .xml.gz."""
        root = ElementTree.Element('PiglitTestList', count=str(len(self.tests)), name='batches')
        for name, batch in self.tests.items():
            files = [self.shaders[test] for test in batch.values()]
            test = ElementTree.SubElement(root, 'Test', type='multi_shader', name=name)
            for option, value in (('prog', files[0][0]), ('files', [file for _, file in files]),
                                  ('subtests', list(batch))):
                ElementTree.SubElement(test, 'option', name=option, value=repr(value))
            skips = ElementTree.SubElement(test, 'Skips')
            for _ in files:
                # shader_runner skips by itself; piglit takes an option of each for a test's.
                skip = ElementTree.SubElement(skips, 'Skip')
                ElementTree.SubElement(skip, 'option', name='extensions', value='set()')
        with gzip.open(path, 'wb') as file:
            ElementTree.ElementTree(root).write(file, encoding='utf-8', xml_declaration=True)

    def passed(self, name, result):
        """The tests that have passed, as results of piglit."""
        subtests = result.get('subtests', {})
        return {test: {'result': 'pass'} for subtest, test in self.tests.get(name, {}).items()
                if subtests.get(subtest) == 'pass'}
