#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the words of pages, comments and messages.

Two tables list the phrases that must not appear, in backticks in the first column: "Phrases that
are not English" in docs/style.md, and "Words that are not used" in docs/glossary.md.  "`x` (not
`y`)" allows x as a part of y.  The check ignores rows without backticks.  It finds a phrase with a
capital only in that form, and all others also at the start of a sentence.

The check also limits the length of sentences in pages, except in tables and commands.  It skips
pages that are generated from sources of the tree, because it reads the sources.

   check_words.py TOP            prints each place, and fails if there is one
   check_words.py TOP --counts   prints the number of places by folder, and by phrase
   check_words.py TOP FOLDER...  checks only these folders or files
"""

import collections
import io
import os
import re
import sys
import tokenize

MAX_WORDS = 40
# Strings with fewer spaces are names, not messages.
MESSAGE_SPACES = 2
# The tables themselves, and pages that are generated from the sources.
EXCEPT = {'docs/style.md', 'docs/isa.md', 'docs/packets.md', 'docs/timing-parameters.md',
          'docs/extensions.md', 'docs/vp1.md', 'tests/modules/check_words.py'}
SKIPPED_FOLDERS = {'subprojects', 'corpus', 'build'}
C_TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
CODE = re.compile(r'`[^`]*`')
FENCE = re.compile(r'^```.*?^```', re.M | re.S)
LINK = re.compile(r'\]\([^)]*\)')


def read(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        return f.read()


def column(text, heading):
    """Returns the phrases in backticks in the first column of the table under a heading, each with
    the longer phrases in which it is allowed."""
    section = text.split('\n## ' + heading + '\n')[1].split('\n## ')[0]
    rows = [line.split('|')[1] for line in section.splitlines() if line.startswith('| ')]
    return [(phrase, re.findall(r'`([^`]+)`', allowed)) for row in rows
            for phrase, allowed in re.findall(r'`([^`]+)`(?: \(not ([^)]*)\))?', row)]


def pattern(phrase):
    """Returns a regular expression for the phrase, also at the start of a sentence and across a
    line break."""
    words = [re.escape(word) for word in phrase.split()]
    if phrase[0].islower():
        words[0] = f'[{phrase[0]}{phrase[0].upper()}]' + words[0][1:]
    begin = r'(?<![\w`-])' if phrase[0].isalpha() else ''
    end = r'(?![\w-])' if phrase[-1].isalnum() else ''
    return re.compile(begin + r'\s+'.join(words) + end)


def phrases(top):
    found = (column(read(os.path.join(top, 'docs/style.md')), 'Phrases that are not English') +
             column(read(os.path.join(top, 'docs/glossary.md')), 'Words that are not used'))
    return [(phrase, pattern(phrase), [pattern(a) for a in allowed]) for phrase, allowed in found]


def matches(text, expression, allowed):
    """Returns the positions of a phrase outside of the phrases in which it is allowed."""
    spans = [m.span() for a in allowed for m in a.finditer(text)]
    return [m.start() for m in expression.finditer(text)
            if not any(a <= m.start() and m.end() <= b for a, b in spans)]


def blank(match):
    return re.sub(r'[^\n]', ' ', match.group())


def c_texts(text):
    """Yields the comments and strings of a C file with their line numbers."""
    for match in C_TOKEN.finditer(text):
        token = match.group()
        if token[0] == "'" or (token[0] == '"' and token.count(' ') < MESSAGE_SPACES):
            continue
        line = text.count('\n', 0, match.start()) + 1
        # Remove the stars at the left of the comment's lines.
        yield line, re.sub(r'\n\s*\*', '\n ', token)


def python_texts(text):
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or \
               (token.type == tokenize.STRING and token.string.count(' ') >= MESSAGE_SPACES):
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError):
        yield from hash_texts(text)


def hash_texts(text):
    """Yields the comments of shell, Meson and TOML files, one for each block of lines."""
    block, start = [], 0
    for number, line in enumerate(text.splitlines() + [''], 1):
        comment = re.match(r'\s*#(.*)', line)
        if comment:
            start = start if block else number
            block.append(comment.group(1))
        elif block:
            yield start, '\n'.join(block)
            block = []


def page_texts(text):
    yield 1, LINK.sub(blank, CODE.sub(blank, FENCE.sub(blank, text)))


def texts(path):
    text = read(path)
    name = os.path.basename(path)
    if name.endswith(('.md', '.md.mako')):
        return page_texts(text)
    if name.endswith('.xml'):
        return [(1, text)]
    if name.endswith(('.c', '.h', '.cpp')):
        return c_texts(text)
    if name.endswith('.py'):
        return python_texts(text)
    if name.endswith(('.sh', '.toml', '.ini', '.mako')) or name in ('meson.build', 'sgpu',
                                                                   'meson_options.txt'):
        return hash_texts(text)
    return ()


def sentences(text):
    """Yields the sentences of a page's prose with their line numbers.  A semicolon ends a
    sentence."""
    text = FENCE.sub(blank, text)
    paragraph, start = [], 0
    for number, line in enumerate(text.splitlines() + [''], 1):
        item = re.match(r'\s*(?:[-*]|\d+\.)\s+', line)
        prose = line.strip() and not line.lstrip().startswith(('|', '#', '!'))
        if paragraph and (not prose or item):
            for sentence in re.split(r'(?<=[.!?;])\)?\s+', ' '.join(paragraph)):
                yield start, sentence
            paragraph = []
        if prose:
            start = start if paragraph else number
            paragraph.append(line.strip())


def long_sentences(text):
    for line, sentence in sentences(text):
        plain = CODE.sub('code', LINK.sub(']', sentence))
        # A list of names is as easy to read as one name.
        plain = re.sub(r'code(?:,? (?:and |or )?code)+', 'code', plain)
        # Omit text in parentheses, such as a command.
        words = re.sub(r'\([^()]*\)', '', plain).split()
        if len(words) > MAX_WORDS:
            yield line, f'{len(words)} words: {" ".join(words[:8])} ...'


def files(top, chosen):
    for place in chosen or ['README.md', 'sgpu', 'meson.build', 'meson_options.txt', 'docs', 'src',
                            'tests', 'piglit-profiles']:
        path = os.path.join(top, place)
        if not os.path.isdir(path):
            yield place
        for folder, names, found in os.walk(path):
            names[:] = sorted(n for n in names if n not in SKIPPED_FOLDERS)
            for name in sorted(found):
                yield os.path.relpath(os.path.join(folder, name), top)


def main():
    top = sys.argv[1]
    arguments = sys.argv[2:]
    counts = '--counts' in arguments
    chosen = [a for a in arguments if a != '--counts']
    wrong = phrases(top)
    places = []
    for path in files(top, chosen):
        if path in EXCEPT:
            continue
        full = os.path.join(top, path)
        for line, text in texts(full):
            if path == 'docs/glossary.md':
                # Ignore the columns of other projects' words and of words that are not used.
                text = text.split('\n## Words that are not used')[0]
                text = re.sub(r'(?m)^(\|(?:[^|\n]*\|){3}).*$', r'\1', text)
            for phrase, expression, allowed in wrong:
                places += [(path, line + text.count('\n', 0, start), phrase, f'"{phrase}"')
                           for start in matches(text, expression, allowed)]
        if path.endswith('.md'):
            places += [(path, line, 'length', message)
                       for line, message in long_sentences(read(full))]
    if counts:
        for title, key in (('by folder', lambda p: '/'.join(p[0].split('/')[:3][:-1]) or '.'),
                           ('by phrase', lambda p: p[2])):
            print(title)
            for name, number in collections.Counter(map(key, places)).most_common():
                print(f'{number:6} {name}')
        return 0
    for path, line, _, message in sorted(places):
        print(f'{path}:{line}: {message}', file=sys.stderr)
    print(f'{len(wrong)} phrases, {len(places)} problems')
    return 1 if places else 0


if __name__ == '__main__':
    sys.exit(main())
