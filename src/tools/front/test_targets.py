#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints information about the tests of a configured build folder.

usage: test_targets.py BUILD SUITE...      prints the ninja targets that tests of the suites
                                           need; -SUITE leaves out the tests of a suite
       test_targets.py BUILD --left-out    prints a line for test_summary.py with the tests
                                           that `sgpu test` leaves out: the suite `more`
"""

import json
import os
import subprocess
import sys


def introspect(build, what):
    done = subprocess.run(['meson', 'introspect', build, f'--{what}'], stdout=subprocess.PIPE,
                          check=True, text=True)
    return json.loads(done.stdout)


def main(build, *suites):
    tests = [(test, {suite.removeprefix('sgpu:') for suite in test['suite']})
             for test in introspect(build, 'tests')
             if any(suite.startswith('sgpu:') for suite in test['suite'])]
    if suites == ('--left-out',):
        names = sorted(test['name'] for test, found in tests if 'more' in found)
        print('-', 'left out', ', '.join(names), len(names), '', sep='\t')
        return
    unwanted = {suite[1:] for suite in suites if suite.startswith('-')}
    needed = {target for test, found in tests if found & set(suites) and not found & unwanted
              for target in test['depends']}
    files = {os.path.relpath(name, build)
             for target in introspect(build, 'targets') if target['id'] in needed
             for name in target['filename']}
    if not files:
        sys.exit(f'{build}: no test of the suites {" ".join(suites)}')
    print('\n'.join(sorted(files)))


if __name__ == '__main__':
    main(*sys.argv[1:])
