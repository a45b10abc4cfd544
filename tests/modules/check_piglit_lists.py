#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that deqp-runner can read the lists of expectations in piglit-profiles/
(docs/piglit.md), and tests how `sgpu piglit` applies such lists. Needs neither
piglit nor a driver.

usage: check_piglit_lists.py PROJECT
"""

import glob
import os
import re
import sys
import tempfile
import unittest

PROJECT = sys.argv.pop(1)
LISTS = os.path.join(PROJECT, 'piglit-profiles')
sys.path.insert(0, os.path.join(PROJECT, 'src/tools/front'))
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import piglit_lists

# Results of a test that does not pass. deqp-runner has more results.
RESULTS = 'Fail', 'Crash', 'Timeout', 'Warn'

# Parts of regular expressions that have the same meaning in Python and in Rust's regex
# crate. Rust has no lookaround, back references or possessive quantifiers. It treats {
# as syntax, and in a class also [ && -- ~~.
ESCAPE = r'\\(?:[dDsSwWbB]|[][\\.+*?(){}|^$#&~-])'
CLASS = rf'\[\^?(?:{ESCAPE}|(?!&&|--|~~)[^][\\])+\]'
REPEAT = r'(?:[*+?]|\{\d+(?:,\d*)?\})\??(?![*+?{])'
PART = re.compile(rf'\((?:\?:)?(?!\?)|\||(?:{ESCAPE}|{CLASS}|[^][\\(){{}}|*+?]|\))(?:{REPEAT})?')


def regex_problems(line):
    """Returns why Rust's regex crate would refuse a line, or read it differently."""
    end = 0
    while end < len(line):
        part = PART.match(line, end)
        if not part:
            return [f'not alike in Python and Rust: {line[end:]} in {line}']
        end = part.end()
    try:
        re.compile(line)
    except re.error as error:
        return [f'{error}: {line}']
    return []


def list_problems(name, text):
    """Returns the lines of a list that deqp-runner would read differently, with reasons."""
    problems, seen = [], set()
    for line in text.split('\n'):
        # deqp-runner does not strip lines, and opens a file that is named at the end of one.
        if line != line.strip():
            problems.append(f'space around a line: {line}')
        if line.endswith('.txt'):
            problems.append(f'names another list: {line}')
        if not line or line.startswith('#'):
            continue
        key = line
        if name.endswith('-fails.txt'):
            key, *results = line.split(',')
            if not key or len(results) != 1 or results[0] not in RESULTS:
                problems.append(f'not TEST,RESULT: {line}')
        else:
            problems += regex_problems(line)
        if key in seen:
            problems.append(f'twice: {line}')
        seen.add(key)
    return [f'{name}: {problem}' for problem in problems]


def read(name):
    with open(os.path.join(LISTS, name), encoding='utf-8') as file:
        return file.read()


def lines_of(name):
    return piglit_lists.read_lines(os.path.join(LISTS, name))


class OwnLists(unittest.TestCase):
    def test_form(self):
        names = [os.path.basename(path) for path in
                 glob.glob(os.path.join(LISTS, 'sgpu-*.txt')) +
                 glob.glob(os.path.join(LISTS, 'skip-*.txt'))]
        self.assertEqual(sorted(names), [
            'sgpu-fails.txt', 'sgpu-flakes.txt', 'sgpu-skips.txt',
            'skip-reasons.txt', 'skip-subtests.txt'])
        problems = []
        for name in names:
            self.assertTrue(lines_of(name), name)
            problems += list_problems(name, read(name))
        self.assertEqual(problems, [])

    def test_no_failure_is_a_skip(self):
        expectations = piglit_lists.Expectations(LISTS)
        self.assertEqual(len(expectations.fails), len(lines_of('sgpu-fails.txt')))

    def test_witnesses(self):
        """The profile ci must have a test for each failure and for each skip."""
        tests = {re.sub(r'\\(.)', r'\1', line) for line in lines_of('witnesses.txt')}
        expectations = piglit_lists.Expectations(LISTS)
        self.assertEqual([name for name in expectations.fails
                          if piglit_lists.base_of(tests, name) not in tests], [])
        self.assertEqual([line for line in lines_of('sgpu-skips.txt')
                          if not any(re.search(line, test) for test in tests)], [])


class Form(unittest.TestCase):
    def test_regexes(self):
        for line in ('spec@!opengl 1.1@a', r'a\.b( \S+)?$', r'^a@[^@]*@\d{1,2}\b',
                     'a|(?:b|c)+?', r"a@'x\[1\]\[0\]' on Y", r'[\w.\-]*', 'a{2}', 'a, (b)',
                     'x/(6|10)x.*'):
            self.assertEqual(regex_problems(line), [], line)
        for line in ('a(?=b)', 'a(?!b).*', '(?<=a)b', '(?<!a)b', '(?<n>a)', '(?P<n>a)(?P=n)',
                     r'(a)\1', 'a*+', 'a++', 'a?+', 'a{2}+', 'a**', '(?>a)', '(?i)a', r'a\Z',
                     r'a\@', 'a{', 'a}', 'a]', '[[a]', '[a&&b]', '[a--b]', '[]a]', '(a', 'a)',
                     '*a', '(?:*)'):
            self.assertTrue(regex_problems(line), line)

    def test_fails(self):
        self.assertEqual(list_problems('a-fails.txt', '# a, b\n\nt@a b,Fail\nt@c,Warn\n'), [])
        for text in 't', 't,', ',Fail', 't,fail', 't,Pass', 't,Skip', 't,x,Fail', 't,Fail,1.5', \
                    't,Fail ', ' t,Fail', 't,Fail\nt,Crash', '# as in b.txt':
            self.assertTrue(list_problems('a-fails.txt', text), text)

    def test_names(self):
        self.assertEqual(list_problems('a-skips.txt', '# a\n\nt@a\nt@b'), [])
        for text in 't@a\nt@a', 't@a ', '\tt@a', 't@(?!a)', 't@a\n# see b.txt', 't@a.txt':
            self.assertTrue(list_problems('a-skips.txt', text), text)


class Expected(unittest.TestCase):
    def results(self, results, outputs=None, **lists):
        """Returns the unexpected results, the stale entries and the witnesses."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in lists.items():
                path = os.path.join(folder, name.replace('_', '-') + '.txt')
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(text)
            expectations = piglit_lists.Expectations(folder)
        tests = {name: piglit_lists.Test(name) for name in results if '@@' not in name}
        for name, output in (outputs or {}).items():
            tests[name].output = output
        # In these tests, @@ separates a subtest from its test.
        results = {name.replace('@@', '@'): result for name, result in results.items()}
        return (list(expectations.unexpected(tests, results)),
                list(expectations.stale(results)), expectations.witnesses(tests))

    def unexpected(self, results, outputs=None, **lists):
        return self.results(results, outputs, **lists)[0]

    def stale(self, results, outputs=None, **lists):
        return [line.partition(': listed')[0]
                for line in self.results(results, outputs, **lists)[1]]

    def test_unlisted(self):
        self.assertEqual(self.unexpected({'t': 'Pass'}), [])
        for result in 'Fail', 'Crash', 'Timeout', 'Warn', 'Skip':
            self.assertEqual(self.unexpected({'t': result}), [('t', 'Pass', result)])

    def test_fails(self):
        for result in 'Pass', 'Timeout', 'Crash', 'Warn', 'Skip':
            self.assertEqual(self.unexpected({'t': result}, a_fails='t,Fail\n'),
                             [('t', 'Fail', result)])
        self.assertEqual(self.unexpected({'t': 'Fail', 't2': 'Crash', 'xt': 'Fail'},
                                         a_fails='# why\nt,Fail\n', b_fails='t2,Crash\n'),
                         [('xt', 'Pass', 'Fail')])
        self.assertEqual(self.unexpected({'t': 'Skip'}, {'t': 'needs X'}, a_fails='t,Fail\n',
                                         skip_reasons='needs X\n'), [('t', 'Fail', 'Skip')])
        self.assertEqual(self.stale({'t': 'Pass'}, a_fails='t,Fail\nu,Fail\n'), ['u'])

    def test_names_of_fails(self):
        """deqp-runner replaces commas by -, and has subtests as the test prints them."""
        results = {'t@a, b': 'Fail', 't@a, b@@gl_x': 'Fail'}
        lists = {'a_fails': 't@a- b,Fail\nt@a- b@GL_X,Fail\n'}
        self.assertEqual(self.results(results, **lists), ([], [], ['t@a, b']))
        self.assertEqual(len(self.unexpected({'t@a- b': 'Pass'}, **lists)), 1)

    def test_entries_that_exclude_each_other(self):
        for lists in {'a_fails': 't,Fail\n', 'b_fails': 'T,Crash\n'}, \
                     {'a_fails': 'spec@t 8,Fail\n', 'a_skips': 't (6|8)\n'}:
            self.assertRaises(SystemExit, self.unexpected, {}, **lists)

    def test_skips(self):
        """All tests that a line matches are skipped. It may match a part of the name."""
        lists = {'a_skips': 'n.o\nt@a- b$\n'}
        self.assertEqual(self.unexpected({'x@neo 1': 'Skip', 't@a, b': 'Skip'}, **lists), [])
        results = {'x@neo': 'Pass', 't@a, b c': 'Skip', 'NEO': 'Skip'}
        self.assertEqual(self.unexpected(results, **lists), [
            ('x@neo', 'Skip', 'Pass'), ('t@a, b c', 'Pass', 'Skip'), ('NEO', 'Pass', 'Skip')])
        self.assertEqual(self.unexpected({'neo': 'Fail', 'x@neo': 'Crash'}, **lists),
                         [('neo', 'Pass', 'Fail'), ('x@neo', 'Pass', 'Crash')])
        self.assertEqual(self.stale({'neo': 'Skip'}, **lists), ['t@a- b$'])

    def test_reasons(self):
        lists = {'skip_reasons': 'needs X\\b\nneeds Y\n'}
        self.assertEqual(self.unexpected({'t': 'Skip'}, {'t': 'this needs X, sorry'}, **lists), [])
        self.assertEqual(self.unexpected({'t': 'Skip'}, {'t': 'this needs XY'}, **lists),
                         [('t', 'Pass', 'Skip')])
        self.assertEqual(self.unexpected({'t': 'Pass'}, {'t': 'needs X'}, **lists),
                         [('t', 'Skip', 'Pass')])
        self.assertEqual(self.unexpected({'needs X': 'Skip'}, **lists),
                         [('needs X', 'Pass', 'Skip')])
        self.assertEqual(self.stale({'t': 'Skip', 'u': 'Fail'}, {'t': 'needs X', 'u': 'needs Y'},
                                    **lists), ['needs Y'])

    def test_subtests(self):
        """A subtest is skipped with its test by *-skips.txt, otherwise by its own name."""
        parts = {'t': 'Skip', 't@@a': 'Skip'}
        self.assertEqual(self.unexpected(parts, a_skips='t\n'), [])
        self.assertEqual(self.unexpected(parts, {'t': 'needs X'}, skip_reasons='needs X\n'),
                         [('t@a', 'Pass', 'Skip')])
        self.assertEqual(self.unexpected({'t': 'Skip', 't@@a': 'Pass'}, a_skips='t\n'),
                         [('t@a', 'Skip', 'Pass')])

        parts = {'t': 'Pass', 't@@a': 'Skip', 't@@a 2': 'Skip', 't@@b': 'Pass'}
        self.assertEqual(self.unexpected(parts, skip_subtests='t@a\n'), [('t@a 2', 'Pass', 'Skip')])
        self.assertEqual(self.unexpected(parts, skip_subtests='t@.*\n'), [('t@b', 'Skip', 'Pass')])
        self.assertEqual(self.stale(parts, skip_subtests='t@a\nt@c\nt\n'), ['t@c', 't'])
        # deqp-runner cannot skip a single subtest.
        self.assertEqual(self.unexpected(parts, a_skips='t@a\n'),
                         [('t@a', 'Pass', 'Skip'), ('t@a 2', 'Pass', 'Skip')])
        self.assertEqual(self.stale(parts, a_skips='t@a\n'), ['t@a'])

    def test_flakes(self):
        for result in 'Pass', 'Fail', 'Crash', 'Timeout', 'Warn', 'Skip':
            results = {'t@may be': result, 't@may be@@gl_part': result}
            self.assertEqual(self.unexpected(results, a_flakes='may be(@GL_PART)?$\n'), [])
            self.assertEqual(self.unexpected(results, a_flakes='may be$\n'),
                             [('t@may be@gl_part', 'Pass', result)] * (result != 'Pass'))
            # The result of a flake may also differ from the list of failures.
            self.assertEqual(self.unexpected({'t@may be': result}, a_fails='t@may be,Fail\n',
                                             a_flakes='t@may be\n'), [])
        self.assertEqual(self.unexpected({'t@other': 'Fail'}, a_flakes='t@may be\n'),
                         [('t@other', 'Pass', 'Fail')])

    def test_witnesses(self):
        results = {name: 'Skip' for name in ('no 1', 'no 2', 'says', 'part', 'part@@a', 'part@@b')}
        results.update({'bad': 'Fail', 'fine': 'Pass', 'whole': 'Pass', 'whole@@a b@c': 'Fail'})
        found = self.results(results, {'no 1': 'needs X', 'says': 'needs X'},
                             a_fails='bad,Fail\nwhole@A b@c,Fail\n', a_skips='no\nnever\n',
                             skip_reasons='needs X\n', skip_subtests='part@.*\n')[2]
        self.assertEqual(found, ['bad', 'no 2', 'part', 'says', 'whole'])


if __name__ == '__main__':
    unittest.main()
