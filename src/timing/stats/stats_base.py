# SPDX-License-Identifier: MIT
"""Rows of statistics, for the tables of the units (stats_*.py).

A row is a member of the structure in which a unit counts, and a statistic of reports:

   count(NAME, OF, TEXT)                 one value
   parts(NAME, OF, TEXT, NAMES, TOTAL)   values that add up to TOTAL, a C expression
   histogram(NAME, OF, TEXT, SIZE)       value i counts i
   log2(NAME, OF, TEXT, SIZE)            value i counts 2^i to 2^(i + 1) - 1

NAME     in reports, columns of CSV and keys of JSON; rows have there the order of the table
OF       what is counted: 'cycles'
TEXT     one sentence
NAMES    list of the names of the values, or a C array that has them
member   the member, if it is not NAME with _ for -; of an array with its index
size     size of the member, if it is an array: 'SGT_TEX_SLOTS'; of an array with an index, the
         sizes of all of it: 'SGT_SM_CLASSES][SGT_SM_WAITS'
num      number of values that reports have, if it is not `size`
unit     unit of reports, a C string or expression, if it is not that of the table
values   C expression of values that are no member of the structure
when     C condition: reports have the row only if it holds

total(MEMBER, TEXT) is a member that reports do not have as such: a total of parts, for example.
member(DECLARATION, TEXT) is a member that is no number of 64 bits: 'uint32_t interval'.

nested(MEMBER, STRUCTURE, TEXT) is a member that is the structure of another table, whose statistics
follow.  That table has no arguments and names its units.

In C expressions, `t` is the structure, `args` of the table are further parameters of the function
that registers it, and sum(VALUES, NUM) adds values up.
"""

from collections import namedtuple

Row = namedtuple('Row', 'kind name of text names total member size num unit values when')
# The structure NAME, which the header HEADER of its unit includes.  NAME_register(t, ARGS, s, unit)
# adds its statistics to a registry.
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
