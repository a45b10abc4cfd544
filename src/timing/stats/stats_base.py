# SPDX-License-Identifier: MIT
"""Functions for the rows of statistics tables (stats_*.py).

A row describes both a member of a unit's statistics structure and the statistic that reports
print for this member:

   count(NAME, OF, TEXT)                 one value
   parts(NAME, OF, TEXT, NAMES, TOTAL)   values that add up to TOTAL, a C expression
   histogram(NAME, OF, TEXT, SIZE)       element i is the number of events with the value i
   log2(NAME, OF, TEXT, SIZE)            element i is the number of events with a value from 2^i to
                                         2^(i + 1) - 1

NAME     name in reports, CSV columns and JSON keys; reports print rows in the order of the table
OF       unit of the values, e.g. 'cycles'
TEXT     description, one sentence
NAMES    list of value names, or the name of a C array with the value names
member   name of the member, including an array index if any; default: NAME with - replaced by _
size     number of elements if the member is an array, e.g. 'SGT_TEX_SLOTS'; for an element of an
         array, the sizes of all dimensions, e.g. 'SGT_SM_CLASSES][SGT_SM_WAITS'
num      number of values in reports, if different from `size`
unit     name of the hardware unit in reports, as a C string or expression, if different from that
         of the table
values   C expression for the values, if they are not a member of the structure
when     C expression; reports omit the row if it evaluates to false

total(MEMBER, TEXT) is a member that is not a statistic itself, e.g. the total of parts.
member(DECLARATION, TEXT) is a member that is not a 64-bit number, e.g. 'uint32_t interval'.

nested(MEMBER, STRUCTURE, TEXT) is a member whose type is the structure of another table. The
statistics of that table follow. It must have no arguments and define the names of its units.

In C expressions, `t` is a pointer to the structure, and sum(VALUES, NUM) returns the sum of an
array. `args` are additional parameters of the function that registers the table.
"""

from collections import namedtuple

Row = namedtuple('Row', 'kind name of text names total member size num unit values when')
# A table, i.e. a C structure `name`. The header `header` of the unit includes its definition. The
# generated function NAME_register(t, ARGS, s, unit) adds the statistics to a registry.
Stats = namedtuple('Stats', 'name header text rows args unit includes', defaults=((), 'unit', ()))


def row(kind, name, of, text, names=None, total=None, member=None, size=None, num=None, unit=None,
        values=None, when=None):
    return Row(kind, name, of, text, names, total, member or name.replace('-', '_'), size, num,
               unit, values, when)


def count(name, of, text, **columns):
    return row('count', name, of, text, **columns)


def parts(name, of, text, names, total, **columns):
    return row('parts', name, of, text, names, total, **columns)


def histogram(name, of, text, size, **columns):
    return row('histogram', name, of, text, size=size, **columns)


def log2(name, of, text, size, **columns):
    return row('log2', name, of, text, size=size, **columns)


def total(member, text, size=None):
    return row('', '', '', text, member=member, size=size)


def member(declaration, text):
    return row('member', declaration, '', text)


def nested(name, struct, text, when=None):
    return row('nested', name, struct, text, when=when)
