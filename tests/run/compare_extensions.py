#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# The extensions of two drivers, side by side, by context: core, compatibility, OpenGL ES.
#
#    tests/run/compare_extensions.py [--more]
#
# prints what llvmpipe of the system's Mesa offers and sgpu does not, and with --more the
# reverse.  --ours and --theirs read glxinfo's output from files instead.  The exit status
# is 1 if something is missing.

import argparse
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Headings of glxinfo, and names of the contexts.
CONTEXTS = {
    'OpenGL core profile': 'core',
    'OpenGL': 'compatibility',
    'OpenGL ES profile': 'ES',
}


def parse(text):
    """Output of glxinfo -> by context: the version and a set of extensions."""
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


def run(command, env):
    result = subprocess.run(command, env={**os.environ, **env}, stdout=subprocess.PIPE,
                            check=False, text=True)
    if result.returncode:
        sys.exit(f'{" ".join(command)}: exit status {result.returncode}')
    return result.stdout


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def print_table(title, names):
    """`names`: by context, a set.  A row per extension with its contexts."""
    rows = sorted(set().union(*names.values()))
    print(f'{title}: {len(rows)}')
    for row in rows:
        print(f'   {row:48}', ' '.join(c for c in CONTEXTS.values() if row in names[c]))


def main():
    parser = argparse.ArgumentParser(description='Compares the extensions of two drivers.')
    parser.add_argument('--more', action='store_true', help='also what only sgpu has')
    parser.add_argument('--ours', metavar='FILE', help='output of glxinfo on sgpu')
    parser.add_argument('--theirs', metavar='FILE', help='output of glxinfo on the other driver')
    args = parser.parse_args()

    ours = read(args.ours) if args.ours else \
        run([os.path.join(TOP, 'sgpu'), 'run', 'glxinfo'], {})
    theirs = read(args.theirs) if args.theirs else \
        run(['xvfb-run', '-a', 'glxinfo'], {'LIBGL_ALWAYS_SOFTWARE': '1',
                                            'GALLIUM_DRIVER': 'llvmpipe'})
    our_versions, our = parse(ours)
    their_versions, their = parse(theirs)
    for context in CONTEXTS.values():
        print(f'{context}: {our_versions[context]}; the other: {their_versions[context]}')
    missing = {c: their[c] - our[c] for c in CONTEXTS.values()}
    print_table('missing', missing)
    if args.more:
        print_table('more', {c: our[c] - their[c] for c in CONTEXTS.values()})
    return 1 if any(missing.values()) else 0


if __name__ == '__main__':
    sys.exit(main())
