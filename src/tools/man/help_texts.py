# SPDX-License-Identifier: MIT
"""Reads the help texts of commands, from which manual pages and completions are made.

A help text begins with "usage:" and has paragraphs.  A paragraph whose lines are indented is a list
of options or commands, with the text of each in a column to the right, or an example."""

import re
from collections import Counter

# Words in the place of an option's argument that are no file.
NUMBERS = {'N', 'S', 'P', 'A-B', 'A[-B]', 'N|A-B', 'P%', 'SEED', 'I/N', 'LIST', 'REGEX', 'SET'}


class Item:
    """A line of a list: an option or a command, and its text."""

    def __init__(self, term, text):
        self.term = term
        self.text = text

    def names(self):
        """Returns the options of the term: `-o, --output OUT` has two."""
        return re.findall(r'(?:^|, )(-{1,2}[A-Za-z][\w-]*)', self.term)

    def argument(self):
        """Returns the word in the place of the option's argument, or None."""
        found = re.search(r'-{1,2}[A-Za-z][\w-]*[ =]([^ ,].*)$', self.term)
        return found[1] if found and not found[1].startswith('-') else None


class Help:
    """A help text: the lines of usage, and blocks.  A block is ('text', string), ('list', items) or
    ('example', lines)."""

    def __init__(self, text):
        blocks = [block.splitlines() for block in re.split(r'\n[ ]*\n', text.strip('\n'))]
        self.usage = [re.sub(r'\s+\(.*(--help|tells more).*\)$', '', line).strip()
                      for line in blocks[0]]
        self.usage[0] = self.usage[0].removeprefix('usage: ')
        self.blocks = [part for block in blocks[1:] for part in parse_block(block)]

    def items(self):
        return [item for kind, content in self.blocks if kind == 'list' for item in content]

    def options(self):
        return [item for item in self.items() if item.names()]

    def commands(self):
        """Returns the items that are no options: commands, and named values."""
        return [item for item in self.items() if not item.names()]

    def summary(self):
        """Returns the first sentence of the description."""
        for kind, content in self.blocks:
            if kind == 'text':
                return re.split(r'(?<=[.:])(?:\s|$)', content)[0].rstrip('.:')
        return ''


def parse_block(lines):
    """Divides a paragraph in texts, lists and examples, by the indentation of its lines."""
    parts, i = [], 0
    while i < len(lines):
        end = i + 1
        indented = lines[i].startswith('  ')
        # "PURPOSE: build, ..." begins a text whose next lines are indented.
        named = re.match(r'[A-Z]{3,}: +', lines[i])
        while end < len(lines) and not re.match('[A-Z]{3,}: ', lines[end]) and (
                lines[end].startswith('  ') == indented or
                named and lines[end].startswith(' ' * len(named[0]))):
            end += 1
        if indented:
            parts.append(parse_list(lines[i:end]))
        else:
            parts.append(('text', ' '.join(line.strip() for line in lines[i:end])))
        i = end
    return parts


def parse_list(lines):
    """Returns a list, if each of its items is an option or has a text, or an example."""
    least = min(len(line) - len(line.lstrip()) for line in lines)
    items = []
    # The column of the texts: a long term may have only one space before it.
    columns = Counter(found.end() for line in lines
                      if (found := re.match(r'\S.*?\s{2,}(?=\S)', line[least:])))
    column = columns.most_common(1)[0][0] if columns else 0
    for line in lines:
        line = line[least:]
        if line.startswith(' ') and items:
            items[-1].text = f'{items[-1].text} {line.strip()}'.strip()
            continue
        term, _, text = re.match(r'(.*?)(\s{2,}|$)(.*)', line).groups()
        if not text and column and term[column - 1:column] == ' ' and term[column:].strip():
            term, text = term[:column].strip(), term[column:].strip()
        elif not text and term.startswith('-'):
            # The text is one space away where the term is longer than its column.
            found = re.match(r'(-[\w-]+(?:, -[\w-]+)*(?: [A-Z][^ ]*)?) (.*)', term)
            if found and not re.match(r'[A-Z|\[]+$', found[2]):
                term, text = found[1], found[2]
        items.append(Item(term, text.strip()))
    if any(not item.text and not item.names() for item in items):
        return 'example', [line[least:] for line in lines]
    return 'list', items
