# SPDX-License-Identifier: MIT
"""Options that all experiments have."""

import argparse
import os

TOP = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..'))


def make_parser(name, doc):
    """Returns a parser for `sgpu sim --experiment NAME`.  The usage text is taken from `doc`."""
    options = argparse.ArgumentParser(prog=f'sgpu sim --experiment {name}', allow_abbrev=False,
                                      usage=doc.split('usage: ')[1].split('\n\n')[0])
    options.add_argument('--tool', required=True, help=argparse.SUPPRESS)
    options.add_argument('--out', default=os.path.join(TOP, 'docs'))
    options.add_argument('--few', action='store_true')
    return options
