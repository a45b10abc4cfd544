# SPDX-License-Identifier: MIT
"""Functions that the checks of sgpu sim share.

SGPU_WRAPPER  command that runs programs of another host, with its arguments"""

import importlib.util
import os
import shutil
import subprocess
import sys

SKIPPED = 77


def fail(text):
    sys.exit(f'{os.path.basename(sys.argv[0]).removesuffix(".py")}: {text}')


def run(*command, status=0):
    wrapper = os.environ.get('SGPU_WRAPPER', '').split()
    result = subprocess.run([*wrapper, *command], capture_output=True, text=True, check=False)
    if result.returncode != status:
        fail(f'{" ".join(command)}: status {result.returncode}\n{result.stdout}{result.stderr}')
    return result


def expect(found, expected, what):
    if found != expected:
        fail(f'{what}: {str(found)[:300]}, expected {str(expected)[:300]}')


def new_folder(path):
    """Makes an empty folder."""
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def read(folder):
    """Returns {path: contents} of the files of a folder."""
    contents = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, 'rb') as file:
                contents[os.path.relpath(path, folder)] = file.read()
    return contents


def read_text(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def has_matplotlib():
    """Returns whether matplotlib exists.  Without it, a check is shorter; in CI, that is a
    failure."""
    if importlib.util.find_spec('matplotlib'):
        return True
    if os.environ.get('CI'):
        fail('there is no matplotlib (package python3-matplotlib)')
    return False


def need_matplotlib():
    """Ends the check as skipped if there is no matplotlib."""
    if not has_matplotlib():
        print('there is no matplotlib (package python3-matplotlib)')
        sys.exit(SKIPPED)


class Experiment:
    """An experiment of a paper, with few points."""

    def __init__(self, top, tool, name):
        self.sim = os.path.join(top, 'src/tools/sim')
        self.command = [sys.executable, os.path.join(self.sim, 'run_experiment.py'), name, '--tool',
                        tool, '--few']

    def modules(self):
        """Makes the modules of the experiment importable."""
        sys.path.insert(0, self.sim)

    def run(self, out, *arguments, status=0):
        """Runs the experiment with a new output folder.  Returns the finished process and the
        files."""
        result = run(*self.command, '--out', new_folder(out), *arguments, status=status)
        return result, read(out)

    def run_twice(self, folder, *arguments):
        """Runs the experiment twice.  The results must not differ."""
        first, second = (self.run(os.path.join(folder, name), *arguments) for name in 'ab')
        if first[0].stdout != second[0].stdout or first[1] != second[1]:
            fail('two runs differ')
        return first
