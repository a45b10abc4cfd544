#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the lists of tests, reports and runs of `sgpu piglit`, without piglit and without a driver.
check_piglit_lists.py tests the expected results.

usage: check_piglit.py PROJECT"""

import io
import json
import os
import stat
import sys
import tempfile
import unittest

PROJECT = sys.argv.pop(1)
sys.path.insert(0, os.path.join(PROJECT, 'src/tools/front'))

# pylint: disable=wrong-import-position
import piglit
import piglit_batches
import piglit_lists
import piglit_report
import piglit_run

XML = b'''<?xml version='1.0' encoding='utf-8'?>
<PiglitTestList count="3" name="quick_shader">
<Test type="gl" name="spec@arb_a@b c"><option name="command" value="['b']" /><option
 name="run_concurrent" value="False" /></Test>
<Test type="shader" name="spec@glsl-1.50@x"><option name="shader_version"
 value="1.5" /><option name="api" value="'core'" /><option name="api_version"
 value="3.2" /><option name="extensions" value="{'GL_ARB_gpu_shader5'}" /></Test>
<Test type="shader" name="spec@glsl-es-3.10@y"><option name="shader_version"
 value="3.1" /><option name="api" value="'gles2'" /></Test>
</PiglitTestList>'''

# Replaces piglit.  The test "slow" never ends and reports when it has started; the test "lost" has
# no result.
FAKE = '''#!{python}
import ast, bz2, gzip, json, os, sys, time
from xml.etree import ElementTree
names = open(sys.argv[sys.argv.index('--test-list') + 1]).read().splitlines()
raw = sys.argv[-1]
os.makedirs(raw + '/tests')
with open(os.path.dirname(raw) + '/started', 'a') as log:
    log.write(' '.join(names) + '\\n')
if 'broken' in names:
    sys.exit('out of order')
batches = {{}}
if sys.argv[-2].endswith('.gz'):
    with gzip.open(sys.argv[-2]) as file:
        for test in ElementTree.parse(file).getroot():
            batches[test.get('name')] = ast.literal_eval(
                test.find("option[@name='subtests']").get('value'))
tests = {{}}
for i, name in enumerate(names):
    result = {{'pass': 'pass', 'lost': 'incomplete'}}.get(name[:4], 'fail')
    if name == 'slow' and not os.path.exists(os.path.dirname(raw) + '/fast'):
        result = 'incomplete'
    tests[name] = {{'result': result, 'subtests': {{'__type__': 'S', 'part': result}}}}
    if name in batches:
        tests[name]['subtests'] = {{
            subtest: 'pass' if subtest.startswith('pass') else 'crash'
            for subtest in batches[name]}}
    with open(f'{{raw}}/tests/{{i}}.json', 'w') as file:
        json.dump({{name: tests[name]}}, file)
    if name == 'slow' and result == 'incomplete':
        open(os.path.dirname(raw) + '/waiting', 'w').close()
        time.sleep(1000)
with bz2.open(raw + '/results.json.bz2', 'wt') as file:
    json.dump({{'tests': tests}}, file)
'''


class Runner(piglit_run.Runner):
    """A runner whose time is over as soon as the test "slow" has started."""

    def is_late(self):
        return super().is_late() or (self.end is not None and
                                     os.path.exists(self.path('waiting')))


def lists_folder(**files):
    folder = tempfile.TemporaryDirectory()
    for name, text in files.items():
        path = os.path.join(folder.name, name.replace('_', '-') + '.txt')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
    return folder


class Lists(unittest.TestCase):
    def setUp(self):
        self.tests = {test.name: test for test in
                      piglit_lists.parse_profile(io.BytesIO(XML))}

    def chosen(self, *lines, **files):
        with lists_folder(**files) as folder:
            selection = piglit_lists.Selection(list(lines), folder)
            return [name for name, test in self.tests.items()
                    if selection.matches(test)]

    def test_what_is_asked_for(self):
        plain, core, es = self.tests.values()
        self.assertEqual((plain.extensions, plain.versions), (frozenset(), {}))
        self.assertEqual(core.extensions, {'GL_ARB_GPU_SHADER5'})
        self.assertEqual(core.versions, {'GL': 3.2, 'GLSL': 1.5})
        self.assertEqual(es.versions, {'ESSL': 3.1})
        self.assertEqual([test.is_alone for test in (plain, core, es)],
                         [True, False, False])

    def test_alone_at_the_end(self):
        chosen = {'quick_gl': list(self.tests), 'quick_shader': ['z']}
        self.tests['z'] = piglit_lists.Test('z')
        self.assertEqual(piglit.parts_of(self.tests, chosen), [
            ('quick_gl', ['spec@glsl-1.50@x', 'spec@glsl-es-3.10@y']),
            ('quick_shader', ['z']), ('quick_gl', ['spec@arb_a@b c'])])

    def test_names(self):
        names = list(self.tests)
        self.assertEqual(self.chosen('.*'), names)
        self.assertEqual(self.chosen('spec@arb_a@b'), [])
        self.assertEqual(self.chosen('spec@arb_a@b c'), names[:1])
        self.assertEqual(self.chosen('.*', '-spec@glsl.*'), names[:1])
        self.assertEqual(self.chosen('@x', x='# none\nspec@arb_a@.*\n'),
                         names[:1])
        self.assertEqual(self.chosen('.*', '-@x', x='spec@arb_a@.*\n'),
                         names[1:])

    def test_asks(self):
        names = list(self.tests)
        self.assertEqual(self.chosen('asks GL_ARB_gpu_shader5'), names[1:2])
        self.assertEqual(self.chosen('asks GL 3.2'), names[1:2])
        self.assertEqual(self.chosen('asks GL 3.3'), [])
        self.assertEqual(self.chosen('.*', '-asks ESSL 3.1'), names[:2])

    def test_share(self):
        tests = [piglit_lists.Test(f'a@{i}') for i in range(10000)]
        selection = piglit_lists.Selection(['20% a@.*'], '')
        chosen = [test.name for test in tests if selection.matches(test)]
        self.assertTrue(1800 < len(chosen) < 2200, len(chosen))
        again = piglit_lists.Selection(['30% a@.*'], '')
        self.assertTrue(all(again.matches(piglit_lists.Test(name))
                            for name in chosen))

    def test_names_as_lines(self):
        for name in ('spec@a (b)', 'a.b', 'a[1][0]', 'a|b^$', 'a\\b', 'a-b'):
            line = piglit_lists.regex_of(name)
            selection = piglit_lists.Selection([line], '')
            self.assertTrue(selection.matches(piglit_lists.Test(name)), line)
            self.assertFalse(selection.matches(piglit_lists.Test(name + 'x')), line)
            self.assertFalse(selection.matches(
                piglit_lists.Test(name.replace('.', 'x') + ' ')), line)

    def test_log(self):
        tests = {name: piglit_lists.Test(name) for name in ('t@a', 't@b', 't@c')}
        results = {'t@a': 'Pass', 't@b': 'Fail', 't@c': 'Pass', 't@c@part': 'Fail'}
        log = [json.loads(line) for line in piglit.log_lines(
            tests, tests, results, [('t@c@part', 'Pass', 'Fail')], ['t@d: listed'])]
        self.assertEqual(log, [
            {'name': 't@a', 'result': 'OK'},
            {'name': 't@b', 'result': 'SKIP', 'listed': True},
            {'name': 't@c@part: expected Pass, found Fail', 'result': 'FAIL'},
            {'name': 't@d: listed', 'result': 'FAIL'}])

    def test_own_lists(self):
        folder = os.path.join(PROJECT, 'piglit-profiles')
        for file in os.listdir(folder):
            if not file.startswith(('sgpu-', 'skip-')):
                piglit_lists.Selection.load(folder, file.removesuffix('.txt'))

    def test_gl33(self):
        folder = os.path.join(PROJECT, 'piglit-profiles')
        gl33 = piglit_lists.Selection.load(folder, 'gl33')
        for name, extensions, versions, belongs in (
                ('spec@!opengl 3.3@minmax', (), {}, True),
                ('spec@!opengl 4.2@minmax', (), {}, False),
                ('spec@glsl-1.50@a', (), {'GL': 3.3, 'GLSL': 3.3}, True),
                ('spec@glsl-1.50@a', (), {'GLSL': 4.0}, False),
                ('spec@glsl-es-3.00@a', (), {'ES': 3.0, 'ESSL': 3.0}, True),
                ('spec@glsl-es-3.00@a', (), {'ES': 3.1}, False),
                ('spec@x@a', ('GL_ARB_SHADER_TEXTURE_LOD',), {}, True),
                ('spec@x@a', ('GL_ARB_TESSELLATION_SHADER',), {}, False),
                ('spec@nv_copy_depth_to_color@a', (), {}, True)):
            test = piglit_lists.Test(name, extensions, versions)
            self.assertEqual(gl33.matches(test), belongs, name)


class Reports(unittest.TestCase):
    ours = {'spec@a@x': 'Pass', 'spec@a@y': 'Skip', 'glx@z': 'Crash',
            'spec@a@x@s': 'Fail'}
    theirs = {'spec@a@x': 'Pass', 'spec@a@y': 'Pass', 'glx@z': 'Timeout',
              'spec@a@x@s': 'Pass'}

    def test_side_by_side(self):
        lines = list(piglit_report.report(
            'sgpu', self.ours, {'llvmpipe': self.theirs},
            {'spec@a@x', 'spec@a@y', 'glx@z'}))
        rows = {line.split('|')[0].strip(): line.split('|')[1:]
                for line in lines if '|' in line}
        self.assertEqual([cell.split() for cell in rows['glx']], [['1'], ['1']])
        self.assertEqual([cell.split() for cell in rows['spec@a']],
                         [['1', '1'], ['2']])
        self.assertEqual([cell.split() for cell in rows['all']],
                         [['1', '1', '1'], ['2', '1']])
        self.assertIn('Of the tests that llvmpipe passes sgpu passes 1 of 2, '
                      '50.00 %; of their subtests 0 of 1, 0.00 %.', lines)
        self.assertIn('  Skip    spec@a@y', lines)
        self.assertIn('sgpu passes, llvmpipe does not: 0', lines)

    def test_what_was_not_run_counts_as_no_pass_of_theirs(self):
        self.assertEqual(piglit_report.share_text(
            {'a': 'Pass', 'b': 'Pass'}, {'a': 'Pass'}, ['a', 'b']),
            '1 of 1, 100.00 %')

    def test_csv(self):
        tests = {'spec@a, b': {'result': 'dmesg-warn',
                               'subtests': {'__type__': 'S', 'p': 'notrun'}}}
        flat = {'spec@a, b': 'Warn', 'spec@a, b@p': 'Skip'}
        self.assertEqual(piglit_run.flatten(tests), flat)
        with tempfile.NamedTemporaryFile() as file:
            piglit_run.write_csv(file.name, tests)
            self.assertEqual(piglit_run.read_csv(file.name), flat)
        with tempfile.NamedTemporaryFile() as file:
            file.write(b'"a",nonsense\n')
            file.flush()
            self.assertRaises(SystemExit, piglit_run.read_csv, file.name)


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, 'results')
        program = os.path.join(folder.name, 'piglit')
        with open(program, 'w', encoding='utf-8') as file:
            file.write(FAKE.format(python=sys.executable))
        os.chmod(program, stat.S_IRWXU)
        old_path = os.environ['PATH']
        os.environ['PATH'] = folder.name + ':' + old_path
        self.addCleanup(os.environ.__setitem__, 'PATH', old_path)

    def run_tests(self, names, minutes=None, driver='one', fresh=False,
                  resume=False, again=False, shaders=()):
        runner = Runner(self.folder, os.environ, driver, 1, 60)
        runner.load(fresh, resume, again)
        tests = runner.run([('quick', names)], minutes, shaders)
        return {name: test['result'] for name, test in tests.items()}

    def started(self):
        with open(os.path.join(self.folder, 'started'), encoding='utf-8') as file:
            return file.read().split('\n')[:-1]

    def test_going_on(self):
        names = ['pass1', 'fail1', 'slow', 'pass2']
        self.assertEqual(self.run_tests(names, minutes=1000),
                         {'pass1': 'pass', 'fail1': 'fail'})
        with open(os.path.join(self.folder, 'fast'), 'w', encoding='utf-8'):
            pass
        self.assertEqual(self.run_tests(names), {
            'pass1': 'pass', 'fail1': 'fail', 'slow': 'fail', 'pass2': 'pass'})
        self.assertEqual(self.started(), [' '.join(names), 'slow pass2'])

    def test_batches(self):
        names = ['pass1', 'fail1', 'pass2', 'pass3', 'pass4']
        shaders = {name: ('shader_runner', f'tests/{name}.shader_test') for name in names[:4]}
        self.assertEqual(self.run_tests(names, shaders=shaders), {
            'pass1': 'pass', 'fail1': 'fail', 'pass2': 'pass', 'pass3': 'pass', 'pass4': 'pass'})
        self.assertEqual(self.started(), ['sgpu-batch@0', 'fail1 pass4'])

    def test_what_a_batch_holds(self):
        shaders = {f'{folder}@{i}': (program, f'tests/{folder}/T{i}.shader_test')
                   for folder, program in (('a', 'shader_runner'), ('b', 'shader_runner'),
                                           ('c', 'shader_runner_gles3'))
                   for i in range(20)}
        batches = piglit_batches.Batches(shaders)
        held = [list(batch.values()) for batch in batches.tests.values()]
        # The second folder has tests with the same names as the first one.
        self.assertEqual([[*map(len, held)], held[0][0], held[2][0]],
                         [[20, 20, 20], 'a@0', 'c@0'])
        self.assertEqual(list(batches.tests)[0], 'sgpu-batch@0')
        self.assertEqual(batches.passed('sgpu-batch@0', {'subtests': {
            't0': 'pass', 't1': 'fail', 't2': 'notrun', 't30': 'pass'}}),
            {'a@0': {'result': 'pass'}})
        self.assertEqual(batches.passed('sgpu-batch@9', {'subtests': {'t0': 'pass'}}), {})
        self.assertEqual(piglit_batches.Batches({'a': ('shader_runner', 'a')}).tests, {})

    def test_no_minutes_left(self):
        self.assertEqual(self.run_tests(['pass1'], minutes=-1), {})
        self.assertFalse(os.path.exists(os.path.join(self.folder, 'started')))
        self.assertEqual(self.run_tests(['pass1'], minutes=1000), {'pass1': 'pass'})

    def test_a_killed_run(self):
        self.run_tests(['pass1'])
        os.makedirs(os.path.join(self.folder, 'raw/tests'))
        for name, result in ('pass2', 'pass'), ('pass3', 'incomplete'):
            path = os.path.join(self.folder, 'raw/tests', name + '.json')
            with open(path, 'w', encoding='utf-8') as file:
                json.dump({name: {'result': result}}, file)
        self.run_tests(['pass1', 'pass2', 'pass3'])
        self.assertEqual(self.started(), ['pass1', 'pass3'])

    def test_another_driver(self):
        names = ['pass1', 'fail1']
        self.run_tests(names)
        self.run_tests(names, driver='two')
        self.run_tests(names, driver='three', resume=True)
        self.run_tests(names, driver='three', fresh=True)
        self.assertEqual(self.started(), ['pass1 fail1'] * 3)

    def test_again(self):
        self.run_tests(['pass1', 'fail1', 'lost'])
        results = self.run_tests(['pass1', 'fail1', 'lost'], again=True)
        self.assertEqual(self.started(), ['pass1 fail1 lost', 'fail1 lost'])
        # A test for which piglit reports no result counts as a crash.
        self.assertEqual(piglit_run.NAMES[results['lost']], 'Crash')

    def test_two_runs_in_a_folder(self):
        other = Runner(self.folder, os.environ, 'one', 1, 60)
        other.load(False, False, False)
        with self.assertRaises(SystemExit) as caught:
            self.run_tests(['pass1'])
        self.assertIn(f'another run of piglit uses {self.folder}', str(caught.exception))
        self.assertFalse(os.path.exists(os.path.join(self.folder, 'started')))

    def test_piglit_fails(self):
        with self.assertRaises(SystemExit) as caught:
            self.run_tests(['broken'])
        self.assertIn('piglit itself failed', str(caught.exception))


if __name__ == '__main__':
    unittest.main()
