#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Compares the extensions of two drivers for each context: core, compatibility, OpenGL ES.
#
#    tests/run/compare_extensions.py [--more]
#    tests/run/compare_extensions.py --write docs/extensions.md
#    tests/run/compare_extensions.py --check docs/extensions.md
#
# Prints the extensions that llvmpipe of the system's Mesa offers and sgpu does not, and with
# --more also the reverse.  The exit status is 1 if any extension is missing.  --write writes the
# page with the table.  --check compares the page with the current table; if the system's llvmpipe
# is of another version than the page's, then only sgpu's columns.  --ours and --theirs read
# glxinfo's output from files instead.

import argparse
import difflib
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Headings in glxinfo's output, and names of the contexts.
CONTEXTS = {
    'OpenGL core profile': 'core',
    'OpenGL': 'compatibility',
    'OpenGL ES profile': 'ES',
}


def parse(text):
    """Parses the output of glxinfo.  Returns dictionaries from the context to the version and to
    the set of extensions."""
    versions, extensions = {}, {}
    context = None
    for line in text.splitlines():
        if not line.startswith(' '):
            context = None
        if context:
            extensions[context].update(n for n in line.replace(',', ' ').split())
        for heading, name in CONTEXTS.items():
            if line.startswith(heading + ' extensions:'):
                context = name
                extensions[name] = set()
            if line.startswith(heading + ' version string:'):
                versions[name] = line.split(':', 1)[1].strip()
    if set(extensions) != set(CONTEXTS.values()):
        sys.exit('glxinfo does not list the extensions of all contexts')
    return versions, extensions


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, check=False, text=True)
    if result.returncode:
        sys.exit(f'{" ".join(command)}: exit status {result.returncode}')
    return result.stdout


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def print_table(title, names):
    """Prints a row for each extension with its contexts.  `names` has a set of extensions per
    context."""
    rows = sorted(set().union(*names.values()))
    print(f'{title}: {len(rows)}')
    for row in rows:
        print(f'   {row:48}', ' '.join(c for c in CONTEXTS.values() if row in names[c]))


def mesa_of(versions):
    return re.search(r'Mesa (\S+)', versions['core'])[1]


def page(our_versions, our, their_versions, their):
    """Returns the text of docs/extensions.md."""
    contexts = list(CONTEXTS.values())
    everything = sorted(set().union(*our.values(), *their.values()))

    def where(extensions, name):
        return ', '.join(c for c in contexts if name in extensions[c])

    def short(version):
        return re.search(r'\d+\.\d+', version)[0]

    lines = [
        '# Extensions of llvmpipe and of sgpu',
        '',
        'Made by `tests/run/compare_extensions.py --write docs/extensions.md` from what '
        f'`glxinfo` prints on sgpu and on llvmpipe of Mesa {mesa_of(their_versions)}. The test '
        '`extensions` (suite `run`) compares this page with the drivers.',
        '',
        '| context | llvmpipe | sgpu | extensions of llvmpipe | of these missing here '
        '| more here |',
        '| --- | --- | --- | ---: | ---: | ---: |',
    ]
    for c in contexts:
        lines.append(f'| {c} | {short(their_versions[c])} | {short(our_versions[c])} '
                     f'| {len(their[c])} | {len(their[c] - our[c])} | {len(our[c] - their[c])} |')
    for title, part in (
            ('Missing here', [n for n in everything
                              if any(n in their[c] - our[c] for c in contexts)]),
            ('More here', [n for n in everything
                           if any(n in our[c] - their[c] for c in contexts)
                           and not any(n in their[c] - our[c] for c in contexts)]),
            ('The same in both', [n for n in everything
                                  if all((n in our[c]) == (n in their[c]) for c in contexts)])):
        lines += ['', f'## {title}', '']
        if not part:
            lines.append('Nothing.')
            continue
        lines += ['| extension | llvmpipe | sgpu |', '| --- | --- | --- |']
        lines += [f'| {n[3:] if n.startswith("GL_") else n} | {where(their, n)} '
                  f'| {where(our, n)} |' for n in part]
    return '\n'.join(lines) + '\n'


def parse_page(text):
    """Returns llvmpipe's versions and extensions of the page, as parse()."""
    contexts = list(CONTEXTS.values())
    mesa = re.search(r'on llvmpipe of Mesa (\S+)\. ', text)[1]
    versions = {c: re.search(rf'^\| {c} \| (\S+) ', text, re.M)[1] + f' Mesa {mesa}'
                for c in contexts}
    extensions = {c: set() for c in contexts}
    for name, where in re.findall(r'^\| (\w+_\w+) \| (.*?) \|', text, re.M):
        for context in where.split(', ') if where else ():
            extensions[context].add(f'GL_{name}')
    return versions, extensions


def check(path, text):
    """Returns the exit status: 1 if the file differs from the text."""
    have, want = read(path).splitlines(), text.splitlines()
    if have == want:
        return 0
    print(f'{path} does not match the drivers; --write writes it again')
    print('\n'.join(difflib.unified_diff(have, want, 'the page', 'the drivers', n=0, lineterm='')))
    return 1


def main():
    parser = argparse.ArgumentParser(description='Compares the extensions of two drivers.')
    parser.add_argument('--more', action='store_true', help='also what only sgpu has')
    parser.add_argument('--write', metavar='PAGE', help='writes the page with the table')
    parser.add_argument('--check', metavar='PAGE', help='compares the page with the drivers')
    parser.add_argument('--ours', metavar='FILE', help='output of glxinfo on sgpu')
    parser.add_argument('--theirs', metavar='FILE', help='output of glxinfo on the other driver')
    args = parser.parse_args()

    sgpu_run = [os.path.join(TOP, 'sgpu'), 'run', '--']
    ours = read(args.ours) if args.ours else run([*sgpu_run, 'glxinfo'])
    theirs = read(args.theirs) if args.theirs else \
        run([*sgpu_run, 'env', '-u', 'LIBGL_DRIVERS_PATH', '-u', 'LD_LIBRARY_PATH',
             '__GLX_VENDOR_LIBRARY_NAME=mesa', 'GALLIUM_DRIVER=llvmpipe', 'glxinfo'])
    our_versions, our = parse(ours)
    their_versions, their = parse(theirs)
    if args.check:
        page_versions, page_extensions = parse_page(read(args.check))
        if mesa_of(page_versions) != mesa_of(their_versions):
            their_versions, their = page_versions, page_extensions
    text = page(our_versions, our, their_versions, their)
    if args.check:
        return check(args.check, text)
    if args.write:
        with open(args.write, 'w', encoding='utf-8') as f:
            f.write(text)
        return 0
    for context in CONTEXTS.values():
        print(f'{context}: {our_versions[context]}; the other: {their_versions[context]}')
    missing = {c: their[c] - our[c] for c in CONTEXTS.values()}
    print_table('missing', missing)
    if args.more:
        print_table('more', {c: our[c] - their[c] for c in CONTEXTS.values()})
    return 1 if any(missing.values()) else 0


if __name__ == '__main__':
    sys.exit(main())
