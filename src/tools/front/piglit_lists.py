# SPDX-License-Identifier: MIT
"""The tests of piglit with their requirements, and the lists that choose
among them (piglit-profiles/, see docs/piglit.md).

A line of a list is

    REGEX          tests of such a name, from its first character to its last
    asks GL_NAME   tests whose shaders ask for an extension, or
    asks GLSL 4.0  for at least a version (GLSL, GL, ESSL, ES)
    says REGEX     tests in whose output this is found, once they have run
    -LINE          removes the tests that LINE chooses
    N% LINE        N percent of the tests that LINE chooses, the same ones on each
                   machine
    @NAME          the tests of the list NAME.txt

piglit's own description of its shader tests has a test's requirements. The
other tests are programs, of which only the names are known.
"""

import ast
import gzip
import os
import re
import sys
import zlib
from collections import Counter
from xml.etree import ElementTree

VERSIONS = 'GL', 'GLSL', 'ES', 'ESSL'


def read_lines(path):
    try:
        with open(path, encoding='utf-8') as file:
            lines = [line.strip() for line in file]
    except FileNotFoundError:
        return []
    return [line for line in lines if line and not line.startswith('#')]


class Test:
    """A test's name; the extensions and the versions (as VERSIONS names them)
    that it asks for; whether it must run alone; its output, once it has run."""

    def __init__(self, name, extensions=(), versions=(), is_alone=False):
        self.name = name
        self.extensions = frozenset(extensions)
        self.versions = dict(versions)
        self.is_alone = is_alone
        self.output = ''

    def subtest(self, name):
        return Test(f'{self.name}@{name}', self.extensions, self.versions)


def parse_profile(file):
    """The tests of one of piglit's profiles, from its XML."""
    for element in ElementTree.parse(file).getroot():
        options = {option.get('name'): ast.literal_eval(option.get('value'))
                   for option in element.findall('option')}
        es = options.get('api', '').startswith('gles')
        versions = {}
        for kind, option in (('ES' if es else 'GL', 'api_version'),
                             ('ESSL' if es else 'GLSL', 'shader_version')):
            if options.get(option):
                versions[kind] = float(options[option])
        yield Test(element.get('name'),
                   (name.upper() for name in options.get('extensions', ())),
                   versions, not options.get('run_concurrent', True))


def load_profile(folder, profile):
    """The tests of one of piglit's profiles by name; folder has its files."""
    path = os.path.join(folder, f'{profile}.xml.gz')
    if not os.path.exists(path):
        sys.exit(f"sgpu: piglit has no profile '{profile}'")
    with gzip.open(path) as file:
        return {test.name: test for test in parse_profile(file)}


class Rule:
    """A line of a list, without its sign."""

    def __init__(self, line, folder):
        self.line = line
        # The names of the tests that it has chosen.
        self.chosen = []
        share, percent, rest = line.partition('% ')
        self.share = float(share) if percent else None
        words = (rest if percent else line).split(' ', 1)
        if words[0] == 'asks':
            self.matches = self.asking(words[1])
        elif words[0] == 'says':
            said = re.compile(words[1])
            self.matches = lambda test: said.search(test.output)
        elif words[0].startswith('@'):
            self.matches = Selection.load(folder, words[0][1:]).matches
        else:
            regex = re.compile(' '.join(words))
            self.matches = lambda test: regex.fullmatch(test.name)

    @staticmethod
    def asking(what):
        kind, _, version = what.partition(' ')
        if kind in VERSIONS:
            least = float(version)
            return lambda test: test.versions.get(kind, 0) >= least
        extension = what.upper()
        return lambda test: extension in test.extensions

    def chooses(self, test):
        if not self.matches(test):
            return False
        if self.share is not None:
            point = zlib.crc32(test.name.encode()) % 10000
            if point >= self.share * 100:
                return False
        self.chosen.append(test.name)
        return True


class Selection:
    """The tests that a list chooses."""

    def __init__(self, lines, folder):
        self.within = [Rule(line, folder) for line in lines if line[0] != '-']
        self.without = [Rule(line[1:], folder) for line in lines
                        if line[0] == '-']

    @staticmethod
    def load(folder, name):
        path = os.path.join(folder, f'{name}.txt')
        lines = read_lines(path)
        if not lines:
            sys.exit(f'sgpu: no list {path}')
        return Selection(lines, folder)

    def matches(self, test):
        # Evaluates every rule, so that each records the tests that it chooses.
        within = [rule.chooses(test) for rule in self.within]
        without = [rule.chooses(test) for rule in self.without]
        return any(within) and not any(without)

    def unused(self):
        return [rule.line for rule in self.within + self.without
                if not rule.chosen]


class Expectations:
    """The expected results of the lists *-fails.txt, *-flakes.txt and *-skips.txt.

    Fails are lines TEST,RESULT with Fail, Crash, Timeout or Warn.  Skips choose
    tests that skip, all of them: one that begins to skip is seen as one that
    begins to pass is, and a line that has become too wide too.
    """

    def __init__(self, folder):
        files = sorted(os.listdir(folder))
        self.fails = {}
        flakes, skips = [], []
        for file in files:
            lines = read_lines(os.path.join(folder, file))
            if file.endswith('-fails.txt'):
                for line in lines:
                    name, result = line.rsplit(',', 1)
                    if name in self.fails:
                        sys.exit(f'sgpu: {name} is listed twice')
                    self.fails[name] = result
            elif file.endswith('-flakes.txt'):
                flakes += lines
            elif file.endswith('-skips.txt'):
                skips += lines
        self.flakes = Selection(flakes, folder)
        self.skips = Selection(skips, folder)

    def unexpected(self, tests, results):
        """Yields name, expected and found where results are not as listed."""
        for name, result in results.items():
            test = test_of(tests, name)
            expected = self.fails.get(name, 'Pass')
            if expected == 'Pass' and (result in ('Pass', 'Skip') and
                                       self.skips.matches(test)):
                expected = 'Skip'
            if result != expected and not self.flakes.matches(test):
                yield name, expected, result

    def stale(self, results):
        """Yields the entries that no result needs, after a run of tests that
        have one for each entry."""
        for name in self.fails:
            if name not in results:
                yield f'{name}: listed, but there is no such result'
        for line in self.skips.unused():
            yield f'{line}: listed, but nothing skips for it'

    def witnesses(self, tests):
        """Names of few tests that need each entry, after a run of all tests.

        A test that few lines choose and that asks for few extensions comes
        first: it skips for one reason.
        """
        found = {base_of(tests, name) for name in self.fails}
        choices = [{base_of(tests, name) for name in rule.chosen}
                   for rule in self.skips.within + self.skips.without]
        lines = Counter(name for names in choices for name in names)
        for names in choices:
            if names:
                found.add(min(names, key=lambda name: (
                    lines[name], len(test_of(tests, name).extensions), name)))
        return sorted(found)


def base_of(tests, name):
    """The name of a result's test, which for a subtest is a part of its own."""
    base = name
    while base not in tests and '@' in base:
        base = base.rpartition('@')[0]
    return base if base in tests else name


def test_of(tests, name):
    """A result's test; a subtest has the requirements of its test."""
    base = base_of(tests, name)
    if base == name:
        return tests.get(name) or Test(name)
    return tests[base].subtest(name[len(base) + 1:])


def regex_of(name):
    """A line of a list that chooses this test alone."""
    return re.sub(r'([][.*+?(){}|^$\\])', r'\\\1', name)
