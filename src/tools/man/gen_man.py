#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a manual page of a program from its help texts, or sgpu(7) from pages of docs.

usage: gen_man.py program --name NAME --release RELEASES.md --version V OUTPUT HELP...
       gen_man.py overview --release RELEASES.md --version V --programs A,B OUTPUT README.md
                  DEBUGGING.md NAMES.md

HELP: files with the program's help text, then with those of its commands."""

import argparse
import re

from help_texts import Help


def escape(text):
    """Escapes what roff would read as its own."""
    text = text.replace('\\', '\\e').replace('-', '\\-')
    for character, name in (("'", 'aq'), ('`', 'ga'), ('^', 'ha'), ('~', 'ti')):
        text = text.replace(character, f'\\({name}')
    return '\\&' + text if text.startswith('.') else text


def bold(text):
    return f'\\fB{escape(text)}\\fR'


def term(text):
    """Writes an option with its argument: words in capitals are in italics."""
    words = re.split(r'([A-Z][A-Z]*(?:\[[^\]]*\])?(?:[|,%.-][A-Za-z.]+)*%?)', text)
    return ''.join(f'\\fI{escape(word)}\\fR' if i % 2 else bold(word) if word else ''
                   for i, word in enumerate(words))


def sentence(text):
    """Escapes a text, with its options and words in backquotes in bold."""
    parts = re.split(r'(`[^`]+`|(?<![\w-])--?[a-z][\w-]*)', text)
    text = ''.join((bold(part.strip('`')) if i % 2 else escape_inside(part))
                   for i, part in enumerate(parts))
    # A line that begins with a period is a request of roff.
    return '\\&' + text if text.startswith('.') else text


def escape_inside(text):
    return escape(text).removeprefix('\\&')


def head(name, section, options):
    date = release_date(options.release, options.version)
    return ['.\\" Made of the help texts by gen_man.py.',
            f'.TH {name.upper()} {section} {date} "sgpu {options.version}" sgpu']


def release_date(path, version):
    """Returns the date of a version in docs/releases.md."""
    with open(path, encoding='utf-8') as file:
        for line in file:
            found = re.match(r'## (\S+) \((\d{4}-\d\d-\d\d)\)', line)
            if found and found[1] == version:
                return found[2]
    raise SystemExit(f'{path} has no heading "## {version} (DATE)" for the version of meson.build')


def body(help_text, listed=True):
    """Returns the description and the lists of a help text."""
    lines = []
    for kind, content in help_text.blocks:
        if kind == 'text':
            lines += ['.PP', sentence(content)]
        elif kind == 'example':
            lines += ['.PP', '.RS 4', '.nf'] + [escape(line) for line in content] + ['.fi', '.RE']
        elif listed:
            for item in content:
                lines += ['.TP', term(item.term), sentence(item.text) or '\\&']
    return lines


def synopsis(help_text, name):
    """Returns the lines of usage, with the name of the installed program: the command `sgpu asm` of
    the source tree is sgpu-asm, `sgpu replay` is sgpu-cap replay."""
    lines = []
    for line in help_text.usage:
        words = line.split()
        if words[0] == 'sgpu' and name != 'sgpu':
            line = ' '.join([name] + (words[2:] if name == f'sgpu-{words[1]}' else words[1:]))
        lines += ([] if not lines else ['.br']) + [term_usage(line)]
    return lines


def term_usage(line):
    """Writes a line of usage: the program and options are bold, arguments in italics."""
    return ' '.join(term(word) for word in line.split())


def read(path):
    with open(path, encoding='utf-8') as file:
        return Help(file.read())


def lower_first(text):
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def trim(lines):
    """Leaves out a paragraph's start behind a heading, which roff starts itself."""
    return [line for i, line in enumerate(lines)
            if not (line == '.PP' and i and re.match(r'\.S[HS]', lines[i - 1]))]


def write_program(options):
    main = read(options.files[0])
    lines = head(options.name, 1, options)
    lines += ['.SH NAME', f'{escape(options.name)} \\- {escape(lower_first(main.summary()))}']
    lines += ['.SH SYNOPSIS'] + synopsis(main, options.name)
    lines += ['.SH DESCRIPTION'] + body(main)
    for path in options.files[1:]:
        command = read(path)
        title = command.usage[0].split()[1]
        lines += [f'.SH "COMMAND {title.upper()}"'] + synopsis(command, options.name)
        lines += body(command)
    lines += ['.SH "SEE ALSO"', '.BR sgpu (7)']
    return lines


def markdown(text):
    """Turns a line of Markdown into roff: links to their texts, code to bold."""
    text = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', text.strip())
    return sentence(text.replace('**', '').replace('\\|', '|'))


def table(path, heading):
    """Returns the rows of the first table below a heading, without its head."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    part = text.split(heading, 1)[1]
    rows = re.search(r'\n\|[^\n]*\n\| ?-[^\n]*\n((?:\|[^\n]*\n)+)', part)
    return [re.split(r'(?<!\\) \| ', row.strip('| ')) for row in rows[1].strip().split('\n')]


def paragraphs(path, heading):
    """Returns the paragraphs below a heading, up to the next heading or table."""
    with open(path, encoding='utf-8') as file:
        part = file.read().split(heading, 1)[1]
    part = re.split(r'\n(?:#|\||```)', part, maxsplit=1)[0]
    return [line for line in part.strip().split('\n') if line.strip() and not line.startswith('!')]


def write_overview(options):
    readme, debugging, names = options.files
    lines = head('sgpu', 7, options)
    lines += ['.SH NAME', 'sgpu \\- a software GPU behind an OpenGL driver']
    lines += ['.SH DESCRIPTION']
    for line in paragraphs(readme, '# sgpu\n'):
        lines += ['.PP', markdown(line.removeprefix('- '))]
    lines += ['.SH ENVIRONMENT']
    for row in table(readme, '## Running programs'):
        lines += ['.TP', markdown(row[0]), markdown(row[1])]
    lines += ['.SH "WORDS OF SGPU_DEBUG"']
    for row in table(debugging, '## SGPU_DEBUG'):
        lines += ['.TP', markdown(row[0]), markdown(row[1])]
    lines += ['.SH "NAMES THAT PROGRAMS SEE"']
    lines += ['.PP', 'GL_RENDERER and GL_VENDOR are \\(lqsgpu\\(rq on every machine.',
              'These change them:']
    for row in table(names, '# '):
        lines += ['.TP', markdown(row[0]), markdown(row[1])]
    lines += ['.SH "SEE ALSO"']
    programs = sorted(options.programs.split(','))
    lines += [f'.BR {escape(name)} (1){"," if name != programs[-1] else ""}' for name in programs]
    return lines


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('kind', choices=['program', 'overview'])
    parser.add_argument('--name')
    parser.add_argument('--programs', default='')
    parser.add_argument('--release', required=True)
    parser.add_argument('--version', required=True)
    parser.add_argument('output')
    parser.add_argument('files', nargs='+')
    options = parser.parse_args()
    write = write_program if options.kind == 'program' else write_overview
    with open(options.output, 'w', encoding='utf-8') as file:
        file.write('\n'.join(trim(write(options))) + '\n')


if __name__ == '__main__':
    main()
