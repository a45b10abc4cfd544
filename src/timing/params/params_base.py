# SPDX-License-Identifier: MIT
"""Functions for the rows of parameter tables, i.e. params.py and params_*.py.

A row is key(NAME, UNIT, DEFAULT, VALUES, SOURCE, PLACE, TEXT).

VALUES   (LOW, HIGH) for integers, powers(LOW, HIGH) for powers of 2, a list of (CHOICE, MEANING),
         or bool
SOURCE   source of the default: PAPER, DERIVED, EXTERNAL or ASSUMED
PLACE    section of the paper, or a rationale for the default
when     (SECTION.KEY, CHOICES): the key only has an effect if another key has one of these values
member   name of the member in the section's structure, if different from the name of the key
enum     'TYPE PREFIX' of the C enum, if not 'sgt_SECTION_KEY SGT_SECTION_KEY'

Each section corresponds to a C structure. Section(..., at=PATH) is the path of the structure in
struct sgt_config, and Struct(PATH, ...) declares the structure.
"""

from collections import namedtuple

Key = namedtuple('Key', 'name unit kind default range choices source place text when paper '
                 'member enum power')
# A structure with parameters, located at `path` in struct sgt_config.
#    checked    sgt_..._params_check() is hand-written and not generated
#    members    other(), link(): members that are not keys of this section
#    limits     Limit() constants that C code uses
#    arrays     array size of each member that is an array, by member name
#    includes   headers that the members need
Struct = namedtuple('Struct', 'path name text checked members limits arrays includes',
                    defaults=(False, (), (), {}, ()))
# A member that is not a key. It is set by the caller, or has the value of key `of` in another
# section.
Member = namedtuple('Member', 'name type of range default text key')

PAPER, DERIVED, EXTERNAL, ASSUMED = SOURCES = 'paper', 'derived', 'external', 'assumed'
PAPERS = {
    'micro32': 'Wolfe, Noonburg 1999',
    'nv20': 'Lindholm, Kilgard, Moreton 2001',
    'g80': 'Lindholm, Nickolls, Oberman, Montrym 2008',
    'via': 'US 8,564,604',
}

# `when` values for parameters that only have an effect in one of the models.
IN_ENGINE = ('chip.model', ['engine'])
IN_NV20 = ('chip.model', ['nv20'])
IN_CHIP = ('chip.model', ['g80'])


class Section(namedtuple('Section', 'name text keys at')):
    def __new__(cls, name, text, keys, at=None):
        return super().__new__(cls, name, text, keys, at or 'v.' + name)


class Limit(int):
    """An integer that is also a C constant NAME, e.g. an array size."""

    def __new__(cls, name, value, text=''):
        limit = super().__new__(cls, value)
        limit.name, limit.text = name, text
        return limit


class powers(tuple):
    """A range in which only powers of 2 are valid."""

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
    """Returns a member that is not a key and is set by the code that uses the unit."""
    return Member(name, type, None, range, default, text, None)


def link(name, of, text, range=None, key=None):
    """Returns a member that the model sets to the value of key `of` in another section.

    `key` is the name to use in messages, if different from the name of the member.
    """
    return Member(name, None, of, range, None, text, key)
