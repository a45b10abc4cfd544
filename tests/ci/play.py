#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs the steps of ci/github/action.yml and the job of ci/gitlab.yml, as their runners do.

   play.py github [--root DIR] [--input NAME=VALUE]... [--step COMMAND]...
   play.py gitlab [--root DIR] [--variable NAME=VALUE]... [--script COMMAND]...

--root runs all commands in that folder by chroot, with this project's folder ci in it.  Prints the
seconds of each step.  The exit status is 1 if a step fails.  Only those parts of the runners are
played that the files use: inputs, outputs, conditions on inputs, the files GITHUB_ENV, GITHUB_PATH
and GITHUB_OUTPUT.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
CI = os.path.join(os.path.dirname(os.path.dirname(HERE)), 'ci')
PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'


class Failed(Exception):
    """A step has failed, or a file asks for something that this script does not play."""


def load(name):
    with open(os.path.join(CI, name), encoding='utf-8') as file:
        return yaml.safe_load(file)


class Machine:
    """A system in which commands run: this one, or that of a folder."""

    def __init__(self, root):
        self.root = os.path.realpath(root) if root else ''
        base = os.path.join(self.root, 'tmp') if root else None
        self.folder = tempfile.mkdtemp(prefix='play-', dir=base)
        shutil.copytree(CI, os.path.join(self.folder, 'ci'))
        os.mkdir(os.path.join(self.folder, 'work'))

    def inside(self, name):
        """Returns the path of a file of the folder, as commands see it."""
        return os.path.join(self.folder, name)[len(self.root):]

    def run(self, shell, text, env, title):
        name = os.path.join(self.folder, 'step')
        with open(name, 'w', encoding='utf-8') as file:
            file.write(text)
        command = ['sh', '-c', 'cd "$0" && exec "$@"', self.inside('work'), *shell,
                   self.inside('step')]
        if self.root:
            command = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c',
                       'mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; '
                       'exec chroot "$0" "$@"', self.root, *command]
        start = time.monotonic()
        status = subprocess.run(command, env=env, stdin=subprocess.DEVNULL,
                                check=False).returncode
        print(f'play: {title}: status {status}, {time.monotonic() - start:.2f} s', flush=True)
        if status:
            raise Failed(f'{title} fails with status {status}')

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding='utf-8') as file:
            return file.read()

    def close(self):
        shutil.rmtree(self.folder)


def assignments(text):
    """Parses a file of NAME=VALUE and NAME<<END lines."""
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        name, separator, rest = re.match(r'(\w+)(=|<<)(.*)$', line).groups()
        if separator == '<<':
            value = []
            for other in lines:
                if other == rest:
                    break
                value.append(other)
            rest = '\n'.join(value)
        found[name] = rest
    return found


class GitHub:
    """The state of a job between its steps."""

    def __init__(self, machine, action, inputs):
        self.machine = machine
        unknown = set(inputs) - set(action['inputs'])
        if unknown:
            raise Failed(f'the action has no input {", ".join(unknown)}')
        self.inputs = {name: str(value.get('default', ''))
                       for name, value in action['inputs'].items()} | inputs
        missing = [name for name, value in action['inputs'].items()
                   if value.get('required') and not self.inputs[name]]
        if missing:
            raise Failed(f'the input {", ".join(missing)} is missing')
        self.outputs = {}
        self.env = {'CI': 'true', 'HOME': '/root', 'LANG': 'C.UTF-8',
                    'RUNNER_TEMP': machine.inside('temp'),
                    'GITHUB_ACTION_PATH': machine.inside('ci/github')}
        self.path = PATH
        os.mkdir(os.path.join(machine.folder, 'temp'))

    def expression(self, text):
        match = re.fullmatch(r'(inputs)\.(\w+)|steps\.(\w+)\.outputs\.(\w+)', text.strip())
        if not match:
            raise Failed(f'cannot play the expression {text}')
        if match[1]:
            return self.inputs[match[2]]
        return self.outputs.get(match[3], {}).get(match[4], '')

    def value(self, text):
        return re.sub(r'\$\{\{(.*?)\}\}', lambda m: self.expression(m[1]), str(text))

    def wanted(self, step):
        match = re.fullmatch(r"(.*) != ''", step.get('if', "'' != ''"))
        return 'if' not in step or bool(self.expression(match[1]))

    def step(self, step, title):
        if not self.wanted(step):
            return
        for name in 'env', 'path', 'output':
            with open(os.path.join(self.machine.folder, name), 'w', encoding='utf-8'):
                pass
        env = self.env | {'PATH': self.path} | {
            f'GITHUB_{name.upper()}': self.machine.inside(name)
            for name in ('env', 'path', 'output')}
        env |= {name: self.value(text) for name, text in step.get('env', {}).items()}
        self.machine.run(['bash', '--noprofile', '--norc', '-eo', 'pipefail'],
                         self.value(step['run']), env, title)
        self.env |= assignments(self.machine.read('env'))
        self.outputs[step.get('id', title)] = assignments(self.machine.read('output'))
        for line in self.machine.read('path').splitlines():
            self.path = f'{line}:{self.path}'


def github(machine, args):
    action = load('github/action.yml')
    job = GitHub(machine, action, dict(word.split('=', 1) for word in args.input))
    for number, step in enumerate(action['runs']['steps'], 1):
        if step.get('shell') != 'bash':
            raise Failed(f'step {number} of the action has no shell')
        job.step(step, f'step {number} of the action')
    for name, output in action['outputs'].items():
        print(f'play: output {name}: {job.value(output["value"])}', flush=True)
    for number, command in enumerate(args.step, 1):
        job.step({'run': command}, f'step {number} of the job')


def gitlab(machine, args):
    template = load('gitlab.yml')['.sgpu']
    variables = template['variables'] | dict(word.split('=', 1) for word in args.variable)
    # The runner makes one script of both lists, for the shell of the image.
    text = 'set -e\n' + '\n'.join(template['before_script'] + args.script) + '\n'
    env = {'CI': 'true', 'GITLAB_CI': 'true', 'PATH': PATH, 'HOME': '/root', **variables}
    machine.run(['sh'], text, env, 'job')


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('runner', choices=['github', 'gitlab'])
    parser.add_argument('--root')
    for name in 'input', 'step', 'variable', 'script':
        parser.add_argument('--' + name, action='append', default=[])
    args = parser.parse_args()
    start = time.monotonic()
    machine = Machine(args.root)
    try:
        {'github': github, 'gitlab': gitlab}[args.runner](machine, args)
    except Failed as reason:
        print(f'play: {reason}', flush=True)
        return 1
    finally:
        machine.close()
    print(f'play: {time.monotonic() - start:.2f} s in all')
    return 0


if __name__ == '__main__':
    sys.exit(main())
