# SPDX-License-Identifier: MIT
"""Where the other parts of sgpu are: in an installation, or in a build folder."""

import glob
import os
import shutil

from golden_files import GoldenError

HERE = os.path.dirname(os.path.abspath(__file__))


class Tools:
    """Paths of the programs and libraries that `sgpu golden` uses."""

    def __init__(self):
        build = os.environ.get('SGPU_GOLDEN_BUILD')
        if build:
            top = os.environ['SGPU_GOLDEN_TOP']
            self.run = [os.path.join(top, 'sgpu'), 'run', '--']
            self.places = [os.path.join(build, 'src/tools/capture'),
                           os.path.join(build, 'src/tools/golden')]
        else:
            prefix = os.path.normpath(os.path.join(HERE, '../../..'))
            self.run = [os.path.join(prefix, 'bin/sgpu-run'), '--']
            self.places = ([os.path.join(prefix, 'bin'), HERE] +
                           glob.glob(os.path.join(prefix, 'lib*/sgpu')) +
                           glob.glob(os.path.join(prefix, 'lib*/sgpu/bin')) +
                           glob.glob(os.path.join(prefix, 'lib/*/sgpu')))

    def find(self, name):
        for place in self.places:
            path = os.path.join(place, name)
            if os.path.exists(path):
                return path
        raise GoldenError(f'{name} is not in {" or ".join(self.places)}: this installation of '
                          'sgpu is not complete')

    def runner(self):
        if not os.path.exists(self.run[0]):
            raise GoldenError(f'{self.run[0]} is missing: this installation of sgpu is not '
                              'complete')
        return self.run

    def version(self):
        with open(self.find('version.txt'), encoding='utf-8') as file:
            return file.read().strip()


def program(names, package):
    """Returns the first of these programs that is in PATH."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    raise GoldenError(f'there is no {names[0]} here: install {package}')
