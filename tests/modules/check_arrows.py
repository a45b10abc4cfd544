#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the modules inside of src/device, src/compiler and src/timing against arrows.py.

Two kinds of arrows are looked for in the sources: an include of another module's
header, and a use of a function or of data that a file of another module defines.
Prints the arrows; fails on those that the list does not allow, on folders that it
does not name, and if the list has a cycle.
"""

import os
import re
import sys

from arrows import PARTS

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"', re.S)
# Prototypes and declarations of data: no uses.
PROTOTYPE = re.compile(r'^[A-Za-z_][^;{}#]*?\([^;{}]*\)\s*(?:__attribute__[^;]*)?;|'
                       r'^extern\b[^;]*;', re.M)


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def cycle(arrows):
    """A cycle of the graph as a list of modules, or None."""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        path.append(node)
        for other in sorted(arrows.get(node, ())):
            found = visit(other)
            if found:
                return found
        path.pop()
        done.add(node)
        return None

    for node in sorted(arrows):
        found = visit(node)
        if found:
            return found
    return None


class Part:
    def __init__(self, top, part):
        self.part = part
        self.folder = part['folder']
        self.suffix = re.compile(part['suffix']) if part['suffix'] else None
        self.bare = re.compile(part['bare']) if part.get('bare') else None
        self.problems = []
        self.texts = {}
        root = os.path.join(top, self.folder)
        for where, folders, names in os.walk(root):
            # Precompiled headers include headers of all modules.
            folders[:] = [folder for folder in folders if folder != 'pch']
            for name in names:
                if name.endswith(('.c', '.h')):
                    path = os.path.relpath(os.path.join(where, name), root)
                    self.texts[path] = read(os.path.join(where, name))
        folders = {os.path.dirname(p) + '/' for p in self.texts if os.path.dirname(p)}
        for folder in sorted(folders):
            if folder not in part['files']:
                self.problems.append(f'{self.folder}/{folder}: no module in arrows.py')
        self.arrows = {}

    def module(self, path):
        return self.part['files'][max((p for p in self.part['files'] if path.startswith(p)),
                                      key=len)]

    def symbol(self, name):
        return self.suffix.sub('', name) if self.suffix else name

    def note(self, source, target, path, what):
        if source != target:
            self.arrows.setdefault((source, target), {}).setdefault(path, set()).add(what)

    def includes(self):
        by_name = {}
        for path in self.texts:
            by_name.setdefault(os.path.basename(path), []).append(path)
        for path, text in self.texts.items():
            for name in INCLUDE.findall(text):
                if self.bare and self.bare.fullmatch(name):
                    self.problems.append(f'{self.folder}/{path}: "{name}" without its folder')
                here = os.path.normpath(os.path.join(os.path.dirname(path), name))
                found = [p for p in (here, name) if p in self.texts] or \
                    by_name.get(os.path.basename(name), [])
                if found:
                    self.note(self.module(path), self.module(found[0]), path, f'"{name}"')

    def definitions(self):
        """Module by name of the functions and data that are not static."""
        name = self.part['symbols']
        function = re.compile(r'^(\S[^\n;{}()]*)\n(' + name + r')\(', re.M)
        data = re.compile(r'^((?:const )?[A-Za-z_][\w ]*?[ *])(' + name +
                          r')(?:\[[^\]]*\])* =', re.M)
        defined = {}
        for path, text in self.texts.items():
            if not path.endswith('.c'):
                continue
            text = COMMENT.sub('', text)
            for pattern in (function, data):
                for kind, symbol in pattern.findall(text):
                    if not re.search(r'\bstatic\b', kind):
                        defined.setdefault(self.symbol(symbol), self.module(path))
        return defined

    def uses(self):
        defined = self.definitions()
        word = re.compile(r'(?<![\w.>])(?<!struct )(?<!enum )(?<!union )(' +
                          self.part['symbols'] + r')\b')
        if not defined:
            self.problems.append(f'{self.folder}: no definition found')
        for path, text in self.texts.items():
            text = PROTOTYPE.sub('', COMMENT.sub('', text))
            text = re.sub(r'^\s*#\s*include[^\n]*', '', text, flags=re.M)
            for name in set(word.findall(text)):
                owner = defined.get(self.symbol(name))
                if owner:
                    self.note(self.module(path), owner, path, name)

    def check(self):
        self.includes()
        self.uses()
        arrows, base = self.part['arrows'], self.part['base']
        found = cycle(arrows)
        if found:
            self.problems.append(f'{self.folder}: the list goes round: ' + ' -> '.join(found))
        for source, target in sorted(self.arrows):
            allowed = target == base or target in arrows.get(source, ())
            files = self.arrows[source, target]
            print(f'{self.folder}: {source} -> {target}, {len(files)} files'
                  f'{"" if allowed else ": NOT ALLOWED"}')
            if not allowed:
                for path in sorted(files):
                    self.problems.append(f'{self.folder}/{path}: {source} -> {target} by ' +
                                         ', '.join(sorted(files[path])))
        return self.problems


def main():
    top = sys.argv[1]
    problems = [p for part in PARTS for p in Part(top, part).check()]
    for p in problems:
        print(p, file=sys.stderr)
    print(f'{len(problems)} problems')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
