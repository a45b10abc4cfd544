# SPDX-License-Identifier: MIT
"""Rows of the tables of statistics (stats_*.py).

A row describes a member of the structure that contains the statistics of a unit, and the statistic
that reports print for it:

   count(NAME, OF, TEXT)                 one value
   parts(NAME, OF, TEXT, NAMES, TOTAL)   values whose sum is TOTAL, a C expression
   histogram(NAME, OF, TEXT, SIZE)       element i is the number of events with the value i
   log2(NAME, OF, TEXT, SIZE)            element i is the number of events with a value from 2^i to
                                         2^(i + 1) - 1

NAME     name in reports, CSV columns and JSON keys; reports have the rows in the table's order
OF       unit of the values, such as 'cycles'
TEXT     description, one sentence
NAMES    list of the names of the values, or the name of a C array of these names
member   name of the member, with the index of an array element; by default, NAME with _ for -
size     number of elements of a member that is an array, such as 'SGT_TEX_SLOTS'; for an array
         element, the sizes of all dimensions, such as 'SGT_SM_CLASSES][SGT_SM_WAITS'
num      number of values in reports, if it is not `size`
unit     name of the hardware unit in reports, a C string or expression, if it differs from the
         table's
values   C expression for values that are not a member of the structure
when     C condition; reports omit the row if it is false

total(MEMBER, TEXT) describes a member that is not a statistic itself, such as a total of parts.
member(DECLARATION, TEXT) is a member that is not a 64-bit number, such as 'uint32_t interval'.

nested(MEMBER, STRUCTURE, TEXT) is a member that is the structure of another table, whose statistics
follow.  That table has no arguments and names its units.

In C expressions, `t` is the structure, and sum(VALUES, NUM) is the sum of an array. The `args` of a
table are additional parameters of the function that registers the table.
"""

from collections import namedtuple

Row = namedtuple('Row', 'kind name of text names total member size num unit values when')
# A table: the structure `name`, which the unit's header `header` includes. The generated function
# NAME_register(t, ARGS, s, unit) adds the statistics of a structure to a registry.
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
