#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the modules inside of each part of src against arrows.py.

There are two kinds of arrows in the sources: an include of another module's header,
and a use of a function or of data that a file of another module defines.  Prints the
arrows.  Fails on arrows that the list does not allow, on folders that it does not
name, and if the list has a cycle.  Within a module, counts the files that use each other's
functions in a circle.  A circle of more than MAX_CIRCLE files is a failure.
"""

import os
import re
import sys

from arrows import DEVICE_ARROWS, PARTS

MAX_CIRCLE = 8

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"', re.S)
# Prototypes and declarations of data, which are no uses.
PROTOTYPE = re.compile(r'^[A-Za-z_][^;{}#]*?\([^;{}]*\)\s*(?:__attribute__[^;]*)?;|'
                       r'^extern\b[^;]*;', re.M)


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def cycle(arrows):
    """Returns a cycle of the graph as a list of modules, or None."""
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


def circles(graph):
    """Strongly connected components of more than one node (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


class Part:
    def __init__(self, top, part):
        self.part = part
        self.folder = part['folder']
        suffix = part.get('suffix')
        self.suffix = re.compile(suffix) if suffix else None
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
        folders = {os.path.dirname(p) for p in self.texts} - {''}
        for folder in sorted(folders - set(part['arrows'])):
            self.problems.append(f'{self.folder}/{folder}: no row in arrows.py')
        for folder in sorted(set(part['arrows']) - folders):
            self.problems.append(f'arrows.py: {self.folder}/{folder}: no such folder')
        self.arrows = {}
        self.calls = {}

    @staticmethod
    def module(path):
        return os.path.dirname(path) or 'public'

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
        """Returns the file of each non-static function and datum, by name."""
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
                        defined.setdefault(self.symbol(symbol), path)
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
                if owner and owner != path:
                    self.note(self.module(path), self.module(owner), path, name)
                    self.calls.setdefault(path, set()).add(owner)

    def check(self):
        self.includes()
        self.uses()
        arrows, base = self.part['arrows'], self.part.get('base', ())
        found = cycle(arrows)
        if found:
            self.problems.append(f'{self.folder}: the list has a cycle: ' + ' -> '.join(found))
        for source, target in sorted(self.arrows):
            allowed = target in base or target in arrows.get(source, ())
            files = self.arrows[source, target]
            print(f'{self.folder}: {source} -> {target}, {len(files)} files'
                  f'{"" if allowed else ": NOT ALLOWED"}')
            if not allowed:
                for path in sorted(files):
                    self.problems.append(f'{self.folder}/{path}: {source} -> {target} by ' +
                                         ', '.join(sorted(files[path])))
        for circle in circles(self.calls):
            print(f'{self.folder}: circle of {len(circle)} files: ' + ' '.join(circle))
            if len(circle) > MAX_CIRCLE:
                self.problems.append(f'{self.folder}: circle of {len(circle)} files: ' +
                                     ', '.join(circle))
        return self.problems


def main():
    top = sys.argv[1]
    problems = [p for part in PARTS for p in Part(top, part).check()]
    # Profiles assign a function to the block of its folder.
    sys.path.insert(0, os.path.join(top, 'src/tools/front'))
    from profile_blocks import BLOCKS
    problems += [f'profile_blocks.py: no block for src/device/{folder}'
                 for folder in DEVICE_ARROWS if folder not in BLOCKS and folder != 'common']
    for p in problems:
        print(p, file=sys.stderr)
    print(f'{len(problems)} problems')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
