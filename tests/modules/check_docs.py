#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks README.md and docs/*.md against the tree.  The files and folders that they
name must exist, and so must the commands of sgpu with their options, the words of
SGPU_DEBUG and the project's identifiers.  Paths of a particular machine are refused, and names of
packages with another version.
"""

import functools
import os
import re
import sys

CODE = re.compile(r'`([^`\n]+)`')
FENCE = re.compile(r'^```.*?^```', re.M | re.S)
IDENTIFIER = re.compile(r'\b(?:sgd|sgc|sgcap)_\w+\b(?!\.[ch]\b)')
LINK = re.compile(r'\]\(([^)#\s]+)(?:#[^)]*)?\)')
ANCHOR = re.compile(r'\]\(([^)#\s]*)#([^)\s]+)\)')
HEADING = re.compile(r'^#+ (.*)', re.M)
FILE = re.compile(r'[\w./+-]*\w\.(?:c|h|cpp|py|sh|md|xml|mako|html|patch|wrap|toml)(?!\w)')
MACHINE = re.compile(r'(?<![\w.$/])/(?:home|root|tmp|work|mnt)/[\w.-]+')
# Placeholders, and files that programs write.
NAMES = {'REPORT.html', 'trace.xml'}
# Files of Mesa, of other fetched sources, or of Python, which are not checked.
# Instructions (FSET.c) also look like files.
FOREIGN = re.compile(r'^[A-Z][A-Z0-9]*\.c$|^(nir|st|u|p|tgsi|dri|glx|draw|lp|sp)_\w+\.[ch]$|^(libc|libm)\.\w+$')


def read(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        return f.read()


def tree(top):
    """Returns the paths of the project's files and folders, each with / in front."""
    files, folders = [], set()
    for folder, names, found in os.walk(top):
        names[:] = [n for n in names if not n.startswith(('.git', 'build', 'mesa-', 'musl-'))]
        relative = os.path.relpath(folder, top)
        folders.add('/' + relative)
        files += [os.path.join('/', relative, n) for n in found]
    return [os.path.normpath(f) for f in files], folders


def front_commands(top):
    usage = re.search(r'cat <<EOF\n(.*?)^EOF', read(os.path.join(top, 'sgpu')), re.M | re.S)
    return set(re.findall(r'^  ([a-z-]+) ', usage.group(1), re.M))


def sources(top, folder):
    """Returns the texts of all sources, which name the options."""
    return '\n'.join(read(os.path.join(where, name))
                     for where, _, names in os.walk(os.path.join(top, folder))
                     for name in names if name.endswith(('.c', '.sh', '.py')))


def check_commands(text, commands, options):
    """Checks commands and options in code of the form `sgpu COMMAND --option`."""
    problems = []
    for code in CODE.findall(text) + [line for block in FENCE.findall(text)
                                      for line in block.splitlines()]:
        found = re.match(r'(?:\w+=\S+ )*(?:\./)?sgpu ([a-z]\S*)(.*)', code)
        if not found:
            continue
        command, rest = found.groups()
        if command not in commands and command != 'help':
            problems.append(f'no command of sgpu: {code}')
        ours = re.split(r' -- |#', rest + ' ')[0]
        problems += [f'no option {option}: {code}'
                     for option in re.findall(r'(?<=\s)--[a-z][a-z-]*', ours)
                     if option not in options and option != '--help']
    return problems


def identifiers(top):
    """Returns the words of the sources that begin with one of the project's prefixes."""
    text = '\n'.join(read(os.path.join(where, name)) for folder in ('src', 'tests')
                     for where, _, names in os.walk(os.path.join(top, folder))
                     for name in names if name.endswith(('.c', '.h', '.py', '.mako', '.xml', '.build')))
    return set(IDENTIFIER.findall(text))


def check_identifiers(text, known):
    return [f'no such identifier: {name}' for code in CODE.findall(text)
            for name in IDENTIFIER.findall(code)
            if name not in known and not name.endswith('_')]


@functools.cache
def mesa_files(top):
    """Returns the paths of Mesa's sources and headers, by file name."""
    paths = {}
    for tree in os.listdir(os.path.join(top, 'subprojects')):
        for part in ('src', 'include') if tree.startswith('mesa-') else ():
            for folder, _, names in os.walk(os.path.join(top, 'subprojects', tree, part)):
                for name in names:
                    paths.setdefault(name, []).append(os.path.join(folder, name))
    return paths


def in_mesa(top, name):
    """Returns whether Mesa has the file. The name may begin with some of its folders."""
    return any(path.endswith('/' + name)
               for path in mesa_files(top).get(os.path.basename(name), ()))


def check_files(top, text, folder, files, folders):
    problems = []
    prose = FENCE.sub('', text)
    for target in LINK.findall(prose):
        if not target.startswith('http') and \
           os.path.normpath(os.path.join(folder, target)) not in files:
            problems.append(f'no such file: {target}')
    for code in CODE.findall(prose):
        for name in FILE.findall(code):
            bare = name.lstrip('./')
            if code.startswith(('<', 'http')) or bare in NAMES or FOREIGN.match(bare):
                continue
            if not any(f.endswith('/' + bare) for f in files) and not in_mesa(top, bare):
                problems.append(f'no such file: {name}')
        if re.fullmatch(r'(src|tests|docs)/[\w./-]*\w', code) and '.' not in code and \
           not {'/' + code, '/' + code + '.c'} & (folders | set(files)):
            problems.append(f'no such folder: {code}')
    return problems


def anchors(text):
    """The anchors that GitHub gives to the headings of a page."""
    seen, found = {}, set()
    for heading in HEADING.findall(FENCE.sub('', text)):
        words = re.sub(r'\]\([^)]*\)', '', heading).lower()
        name = re.sub(r'[^\w\- ]', '', words).replace(' ', '-')
        found.add(f'{name}-{seen[name]}' if seen.get(name) else name)
        seen[name] = seen.get(name, 0) + 1
    return found


def check_anchors(top, text, page):
    problems = []
    for target, anchor in ANCHOR.findall(FENCE.sub('', text)):
        path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
        if target.startswith('http') or not path.endswith('.md') or \
           not os.path.exists(os.path.join(top, path)):
            continue
        if anchor not in anchors(read(os.path.join(top, path))):
            problems.append(f'no such heading: {target}#{anchor}')
    return problems


def debug_words(top):
    """Returns the words of SGPU_DEBUG=help, and those that the device reads."""
    table = read(os.path.join(top, 'src/gallium/drivers/sgpu/sgpu_debug.c'))
    device = read(os.path.join(top, 'src/device/control/core/sgd_params.c'))
    return (set(re.findall(r'^   \{ ?"(\w+)(?:=\w+)?", ', table, re.M)) - {'help'},
            set(re.findall(r'strn?cmp\(option, "(\w+)=?"', device)))


def check_debug(text, words, device):
    start = text.index('## SGPU_DEBUG')
    table = text[start:text.index('\n## ', start + 1)]
    told = set(re.findall(r'^\| `(\w+)', table, re.M))
    return [f'SGPU_DEBUG: {w} is {"not told" if w in words else "no word"}'
            for w in sorted(told ^ words)] + \
           [f'SGPU_DEBUG: help lacks {w}' for w in sorted(device - words)]


def check_mesa_version(top, text):
    """README names the version of Mesa that the wrap file fetches."""
    wrap = read(os.path.join(top, 'subprojects/mesa.wrap'))
    version = re.search(r'^debian_filename = mesa_(.*)\.debian\.', wrap, re.M).group(1)
    return [] if f'Mesa {version})' in text else [f'does not name Mesa {version}']


def check_version(top, text):
    """Checks the version in names of packages."""
    version = re.search(r"^ *version : '(.*)',$", read(os.path.join(top, 'meson.build')), re.M)[1]
    return [f'the version is {version}: {name}'
            for name, found in re.findall(r'\b(sgpu(?:_gl)?[-:_](\d+\.\d+\.\d+))', text)
            if found != version]


def main():
    top = sys.argv[1]
    files, folders = tree(top)
    known = identifiers(top)
    commands, options = front_commands(top), sources(top, 'src/tools')
    pages = ['README.md'] + [os.path.join('docs', n) for n in sorted(os.listdir(top + '/docs'))
                             if n.endswith('.md')]
    problems = []
    for page in pages:
        text = read(os.path.join(top, page))
        found = check_files(top, text, os.path.dirname('/' + page), files, folders)
        found += check_commands(text, commands, options)
        found += check_identifiers(text, known)
        found += check_anchors(top, text, page)
        found += check_version(top, text)
        found += [f'a path of one machine: {p}' for p in MACHINE.findall(text)]
        if page == 'docs/debugging.md':
            found += check_debug(text, *debug_words(top))
        if page == 'README.md':
            found += check_mesa_version(top, text)
        problems += [f'{page}: {p}' for p in found]
    problems += [f'ci/gitlab.yml: {p}'
                 for p in check_version(top, read(os.path.join(top, 'ci/gitlab.yml')))]
    for p in problems:
        print(p, file=sys.stderr)
    print(f'{len(pages)} pages, {len(problems)} problems')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
