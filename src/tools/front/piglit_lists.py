# SPDX-License-Identifier: MIT
"""The tests of piglit with their requirements, the lists that choose tests, and the
lists of expected results (piglit-profiles/, see docs/piglit.md).

A line of a list that chooses tests is one of

    REGEX          tests whose whole name matches
    asks GL_NAME   tests whose shaders require an extension
    asks GLSL 4.0  tests whose shaders require at least this version (GLSL, GL, ESSL, ES)
    -LINE          leaves out the tests that LINE chooses
    N% LINE        N percent of the tests that LINE chooses, the same ones on all
                   machines
    @NAME          the tests of the list NAME.txt

The requirements of shader tests are known from piglit's profiles. All other tests are
programs, of which only the names are known.
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
    """A test: its name, the extensions and versions (by VERSIONS) that it requires, and whether it
    must run alone.  Shader tests also have a program and a file.  After a run, a test also has its
    output."""

    def __init__(self, name, extensions=(), versions=(), is_alone=False, shader=None):
        self.name = name
        self.extensions = frozenset(extensions)
        self.versions = dict(versions)
        self.is_alone = is_alone
        self.shader = shader
        self.output = ''

    def subtest(self, name):
        return Test(f'{self.name}@{name}', self.extensions, self.versions)


def parse_profile(file):
    """Yields the tests of a piglit profile from its XML file."""
    for element in ElementTree.parse(file).getroot():
        options = {option.get('name'): ast.literal_eval(option.get('value'))
                   for option in element.findall('option')}
        es = options.get('api', '').startswith('gles')
        versions = {}
        for kind, option in (('ES' if es else 'GL', 'api_version'),
                             ('ESSL' if es else 'GLSL', 'shader_version')):
            if options.get(option):
                versions[kind] = float(options[option])
        command = options.get('command', ())
        is_shader = element.get('type') == 'shader' and len(command) == 2
        yield Test(element.get('name'),
                   (name.upper() for name in options.get('extensions', ())),
                   versions, not options.get('run_concurrent', True),
                   tuple(command) if is_shader else None)


def load_profile(folder, profile):
    """Returns {name: test} for a piglit profile.  `folder` is the directory of the profiles."""
    path = os.path.join(folder, f'{profile}.xml.gz')
    if not os.path.exists(path):
        sys.exit(f"sgpu: piglit has no profile '{profile}'")
    with gzip.open(path) as file:
        return {test.name: test for test in parse_profile(file)}


class Rule:
    """A line of a list that selects tests, without a leading '-'."""

    def __init__(self, line, folder):
        share, percent, rest = line.partition('% ')
        self.share = float(share) if percent else None
        words = (rest if percent else line).split(' ', 1)
        if words[0] == 'asks':
            self.matches = self.asking(words[1])
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
        if self.share is None:
            return True
        return zlib.crc32(test.name.encode()) % 10000 < self.share * 100


class Selection:
    """A list that selects tests."""

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
        return (any(rule.chooses(test) for rule in self.within) and
                not any(rule.chooses(test) for rule in self.without))


class Patterns:
    """A list of regular expressions, one per line.  Records for each line the names of the results
    that need it."""

    def __init__(self, lines, find=re.Pattern.search, flags=0):
        self.needed = {line: [] for line in lines}
        self.regexes = [(line, re.compile(line, flags)) for line in lines]
        self.find = find

    def matching(self, text):
        return [line for line, regex in self.regexes if self.find(regex, text)]

    def choose(self, text, name):
        """Returns whether a line matches the text, and records that result `name` needs this
        line."""
        lines = self.matching(text)
        for line in lines:
            self.needed[line].append(name)
        return bool(lines)

    def unused(self):
        return [line for line, names in self.needed.items() if not names]


class Expectations:
    """The expected results.

    sgpu-fails.txt, sgpu-flakes.txt and sgpu-skips.txt have the format of deqp-runner, whose
    regular expressions may match any part of a name. The lines of sgpu-fails.txt are
    TEST,RESULT with the results Fail, Crash, Timeout or Warn.

    A test may only be skipped if a list has its name (sgpu-skips.txt) or a message in its
    output (skip-reasons.txt). A subtest may also be skipped if a list has the name of its
    test (sgpu-skips.txt) or its own name (skip-subtests.txt). All tests and subtests that
    these lists choose must be skipped: one that passes is reported.
    """

    def __init__(self, folder):
        def lines_of(ending):
            return [line for file in sorted(os.listdir(folder))
                    if file.endswith(ending)
                    for line in read_lines(os.path.join(folder, file))]

        # Ignore case: piglit reports the names of subtests in lower case, but deqp-runner does not.
        self.flakes = Patterns(lines_of('-flakes.txt'), flags=re.IGNORECASE)
        self.skips = Patterns(lines_of('-skips.txt'))
        self.subtests = Patterns(lines_of('skip-subtests.txt'),
                                 re.Pattern.fullmatch)
        self.reasons = Patterns(lines_of('skip-reasons.txt'))
        self.fails = {}
        for line in lines_of('-fails.txt'):
            name, result = line.rsplit(',', 1)
            if name.lower() in self.fails:
                sys.exit(f'sgpu: {name} is listed twice')
            if self.skips.matching(name):
                sys.exit(f'sgpu: {name} is listed as a failure and as a skip')
            self.fails[name.lower()] = result

    def is_skip(self, tests, name):
        """Returns whether one of the skip lists matches a result."""
        base = base_of(tests, name)
        if base != name:
            # The result of a test is only `skip` if all of its subtests are skipped.
            return bool(self.skips.matching(listed_name(base)) or
                        self.subtests.choose(name, name))
        test = test_of(tests, name)
        # Avoid short-circuit evaluation, since each list must record its lines.
        chosen = [self.skips.choose(listed_name(name), name),
                  self.reasons.choose(test.output, name)]
        return any(chosen)

    def unexpected(self, tests, results):
        """Yields (name, expected result, actual result) for all unexpected results."""
        for name, result in results.items():
            expected = self.fails.get(listed_name(name).lower(), 'Pass')
            if expected == 'Pass' and (result in ('Pass', 'Skip') and
                                       self.is_skip(tests, name)):
                expected = 'Skip'
            if result != expected and not self.flakes.matching(
                    listed_name(name)):
                yield name, expected, result

    def stale(self, results):
        """Yields messages about entries that no result needs.  The run must include at least one
        test for each entry."""
        names = {listed_name(name).lower() for name in results}
        for name in self.fails:
            if name not in names:
                yield f'{name}: listed, but there is no such result'
        for patterns in self.skips, self.subtests, self.reasons:
            for line in patterns.unused():
                yield f'{line}: listed, but nothing skips for it'

    def witnesses(self, tests):
        """Returns the names of a few tests that together need all list entries, after a run of all
        tests.

        Prefers tests that match few lines and require few extensions, because each of them is
        skipped for only one reason.
        """
        by_listed = {listed_name(name): name for name in tests}
        found = {by_listed.get(base_of(by_listed, name), name)
                 for name in self.fails}
        choices = [{base_of(tests, name) for name in names}
                   for patterns in (self.skips, self.subtests, self.reasons)
                   for names in patterns.needed.values()]
        lines = Counter(name for names in choices for name in names)
        for names in choices:
            if names:
                found.add(min(names, key=lambda name: (
                    lines[name], len(test_of(tests, name).extensions), name)))
        return sorted(found)


def listed_name(name):
    """Returns the name of a result as in deqp-runner's lists, where a comma separates the name from
    the result."""
    return name.replace(',', '-')


def base_of(tests, name):
    """Returns the name of the test that a result belongs to.  The name of a subtest begins with
    it."""
    base = name
    while base not in tests and '@' in base:
        base = base.rpartition('@')[0]
    return base if base in tests else name


def test_of(tests, name):
    """Returns the test that a result belongs to.  A subtest has the same requirements as its
    test."""
    base = base_of(tests, name)
    if base == name:
        return tests.get(name) or Test(name)
    return tests[base].subtest(name[len(base) + 1:])


def regex_of(name):
    """Returns a list line that selects only this test."""
    return re.sub(r'([][.*+?(){}|^$\\])', r'\\\1', name)
