# SPDX-License-Identifier: MIT
"""What the tests of `sgpu golden` share: running it, and looking at what it has made."""

import os
import re
import subprocess
import sys
import tempfile
import xml.dom.minidom

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
SCENE = [sys.executable, os.path.join(HERE, 'scene.py')]
sys.path.insert(0, os.path.join(TOP, 'src/tools/golden'))


class Golden:
    """Runs `sgpu golden` in a folder of its own."""

    def __init__(self, sgpu):
        self.sgpu = sgpu
        # pylint: disable-next=consider-using-with
        self.temporary = tempfile.TemporaryDirectory(prefix='golden-test-')
        self.folder = self.temporary.name
        self.env = dict(os.environ, EGL_PLATFORM='surfaceless')

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run(self, *words, status=0, says='', env=None):
        """Runs the command and checks its status and a pattern of its output.  Returns the output.
        """
        done = subprocess.run([self.sgpu, 'golden', *words], cwd=self.folder, check=False,
                              env=dict(self.env, **(env or {})), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, timeout=600)
        text = done.stdout
        if done.returncode != status or not re.search(says, text, re.DOTALL):
            print(text)
            sys.exit(f'sgpu golden {" ".join(words)}: status {done.returncode} instead of '
                     f'{status}, or no {says!r}')
        return text

    def windows(self):
        """From now on, programs have a window system."""
        self.env.pop('EGL_PLATFORM', None)

    def hashes(self, name):
        """Returns {frame: hash} of golden pictures."""
        return dict(re.findall(r'^frame (\S+) \S+ \S+ (\S+)', self.text(name, 'golden.txt'),
                               re.MULTILINE))

    def text(self, *names):
        with open(self.path(*names), encoding='utf-8') as file:
            return file.read()

    def write(self, text, *names):
        with open(self.path(*names), 'w', encoding='utf-8') as file:
            file.write(text)

    def junit(self, name):
        """Returns the numbers of tests, failures and errors in a file of JUnit."""
        suite = xml.dom.minidom.parse(self.path(name)).documentElement
        cases = suite.getElementsByTagName('testcase')
        counts = tuple(int(suite.getAttribute(key)) for key in ('tests', 'failures', 'errors'))
        assert counts == (len(cases), len(suite.getElementsByTagName('failure')),
                          len(suite.getElementsByTagName('error'))), counts
        return counts

    def check_page(self, name, frames):
        """Checks that a page needs no other file, and that it has these frames."""
        text = self.text(name)
        sources = re.findall(r'(?:src|href)="([^"]*)"', text)
        assert all(source.startswith(('data:image/png;base64,', '#')) for source in sources)
        assert re.findall('<section id="f-([^"]*)"', text) == frames, (name, frames)
        return text
