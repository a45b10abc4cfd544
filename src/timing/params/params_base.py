# SPDX-License-Identifier: MIT
"""Functions for rows of parameters, which params.py and the tables of the units (params_*.py) use.

A row is key(NAME, UNIT, DEFAULT, VALUES, SOURCE, PLACE, TEXT).

VALUES   (LOW, HIGH) for integers, powers(LOW, HIGH) for powers of 2, a list of (CHOICE, MEANING),
         or bool
SOURCE   source of the default: PAPER, DERIVED, EXTERNAL or ASSUMED
PLACE    section of the paper, or the reason for the value
when     (SECTION.KEY, CHOICES): the key has an effect only with these choices of another key
member   member of the section's structure, if its name differs from that of the key
enum     'TYPE PREFIX' of the choices in C, if not 'sgt_SECTION_KEY SGT_SECTION_KEY'

A section is a structure in C. Section(..., at=PATH) gives its path in struct sgt_config, and
Struct(PATH, ...) declares the structure.
"""

from collections import namedtuple

Key = namedtuple('Key', 'name unit kind default range choices source place text when paper '
                 'member enum power')
# A structure of parameters, at `path` of struct sgt_config.
#    checked    sgt_..._params_check() is written by hand, since it compares parameters
#    members    other(), link(): members that are not keys of this section
#    limits     Limit() constants that C code needs
#    arrays     sizes of the members that are arrays, by name
#    includes   headers that the members need
Struct = namedtuple('Struct', 'path name text checked members limits arrays includes',
                    defaults=(False, (), (), {}, ()))
# A member that is not a key. The caller sets it, or its value is the key `of` of another section.
Member = namedtuple('Member', 'name type of range default text key')

PAPER, DERIVED, EXTERNAL, ASSUMED = SOURCES = 'paper', 'derived', 'external', 'assumed'
PAPERS = {
    'micro32': 'Wolfe, Noonburg 1999',
    'nv20': 'Lindholm, Kilgard, Moreton 2001',
    'g80': 'Lindholm, Nickolls, Oberman, Montrym 2008',
    'via': 'US 8,564,604',
}

# Values of `when` for the parameters of each model.
IN_ENGINE = ('chip.model', ['engine'])
IN_NV20 = ('chip.model', ['nv20'])
IN_CHIP = ('chip.model', ['g80'])


class Section(namedtuple('Section', 'name text keys at')):
    def __new__(cls, name, text, keys, at=None):
        return super().__new__(cls, name, text, keys, at or 'v.' + name)


class Limit(int):
    """An integer that is also a constant NAME in C, such as the size of an array."""

    def __new__(cls, name, value, text=''):
        limit = super().__new__(cls, value)
        limit.name, limit.text = name, text
        return limit


class powers(tuple):
    """A range of powers of 2."""

    def __new__(cls, low, high):
        return super().__new__(cls, (low, high))


def key(name, unit, default, values, source, place, text, when=None, paper='micro32', member=None,
        enum=None):
    kind, limits, choices = 'int', values, None
    if values is bool:
        kind, limits = 'bool', None
    elif isinstance(values, list):
        kind, limits, choices = 'choice', None, values
    return Key(name, unit, kind, default, limits, choices, source, place, text, when, paper,
               member or name, enum, isinstance(values, powers))


def other(type, name, text, default=0, range=None):
    """Returns a member that is not a key. The code that uses the unit sets it."""
    return Member(name, type, None, range, default, text, None)


def link(name, of, text, range=None, key=None):
    """Returns a member whose value is the key `of` of another section. The model sets it.

    `key` is its name in messages, if it differs from the member's name.
    """
    return Member(name, None, of, range, None, text, key)
