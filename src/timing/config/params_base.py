# SPDX-License-Identifier: MIT
"""Rows of parameters, for params.py and the tables of the models (params_*.py).

A row: key(NAME, UNIT, DEFAULT, VALUES, SOURCE, PLACE, TEXT).

VALUES   (LOW, HIGH) of integers, a list of (CHOICE, MEANING), or bool.
SOURCE   where the default comes from: PAPER, DERIVED, EXTERNAL or ASSUMED.
PLACE    the section of the paper, or the reason.
when     (SECTION.KEY, CHOICES): the key has an effect only with these.
"""

from collections import namedtuple

Key = namedtuple('Key', 'name unit kind default range choices source place text when paper')
Section = namedtuple('Section', 'name text keys')

PAPER, DERIVED, EXTERNAL, ASSUMED = SOURCES = 'paper', 'derived', 'external', 'assumed'
PAPERS = {
    'micro32': 'Wolfe, Noonburg 1999',
    'nv20': 'Lindholm, Kilgard, Moreton 2001',
    'g80': 'Lindholm, Nickolls, Oberman, Montrym 2008',
    'via': 'US 8,564,604',
}

# For `when`: keys of the units of a chip.
IN_ENGINE = ('chip.model', ['engine'])
IN_NV20 = ('chip.model', ['nv20'])
IN_CHIP = ('chip.model', ['g80'])


def key(name, unit, default, values, source, place, text, when=None, paper='micro32'):
    if values is bool:
        return Key(name, unit, 'bool', default, None, None, source, place, text, when, paper)
    if isinstance(values, list):
        return Key(name, unit, 'choice', default, None, values, source, place, text, when, paper)
    return Key(name, unit, 'int', default, values, None, source, place, text, when, paper)
