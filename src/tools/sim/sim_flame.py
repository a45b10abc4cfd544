#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a flame graph of the JSON of `sgpu sim` of a chip: frames, their operations, and the
states of the cores in each operation.  The width is time.

usage: sim_flame.py FILE.json OUT.svg|OUT.folded [--force]

OUT.folded has a line with each stack and its cycles, for speedscope, inferno and flamegraph.pl.
"""

import html
import os
import sys

import sim_chip_json as chip
import sim_json

WIDTH, ROW = 1200, 18
LEAST = 0.3  # minimum width in pixels of a box; narrower boxes are not drawn
CHARACTER = 7
COLOURS = {'issue': '#4c9f70', 'busy': '#8fc49f', 'wait': '#dd8452', 'drain': '#ccb974',
           'idle': '#b8b8b8'}
OTHERS = '#c8d4e8'


def folded(data):
    """Yields (names from the frame down to the state, core cycles) for all stacks."""
    many = len(data['points']) > 1
    for point, frame in chip.frames(data):
        name = sim_json.name_of(point)
        top = f"frame {frame['frame']}" + (f' ({name})' if many and name else '')
        rows = [(chip.label(o), o) for o in frame.get('stacks', [])]
        rows.append(('after the last end', frame['rest']))
        for label, operation in rows:
            for state, cycles in chip.states(chip.cores(frame), operation).items():
                group = chip.group(state)
                stack = [top, label, f'cores {group}']
                if group == 'idle':
                    other = chip.busiest(frame, operation, (chip.cores(frame),))
                    stack += [f'{other} works'] if other else []
                elif state != group:
                    stack.append(state)
                if cycles > 0:
                    yield stack, cycles


class Node:
    """A box: its name, its cycles, and its child boxes in order of their first occurrence."""

    def __init__(self, name):
        self.name = name
        self.cycles = 0.0
        self.children = {}

    def add(self, stack, cycles):
        self.cycles += cycles
        if stack:
            self.children.setdefault(stack[0], Node(stack[0])).add(stack[1:], cycles)

    def depth(self):
        return 1 + max((c.depth() for c in self.children.values()), default=0)


def colour(path):
    for name in reversed(path):
        if name.startswith('cores '):
            return COLOURS.get(name[6:], OTHERS)
    return OTHERS


def boxes(node, path, left, total, depth):
    """Yields the SVG of a box and its children.  The root is at the top."""
    width = WIDTH * node.cycles / total
    if width < LEAST:
        return
    share = f'{100 * node.cycles / total:.1f} %'
    title = html.escape(f"{' / '.join(path)}: {round(node.cycles)} core cycles, {share}")
    text = html.escape(node.name[:max(0, int(width / CHARACTER))])
    yield (f'<g><title>{title}</title><rect x="{left:.2f}" y="{depth * ROW}" width="{width:.2f}" '
           f'height="{ROW - 1}" fill="{colour(path)}"/>')
    if len(text) > 2:
        yield f'<text x="{left + 3:.2f}" y="{depth * ROW + ROW - 5}">{text}</text>'
    yield '</g>'
    for child in node.children.values():
        yield from boxes(child, path + [child.name], left, total, depth + 1)
        left += WIDTH * child.cycles / total


def svg(data):
    root = Node(data['capture']['program'] or 'capture')
    for stack, cycles in folded(data):
        root.add(stack, cycles)
    height = root.depth() * ROW
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
             f'width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="12">']
    lines += boxes(root, [root.name], 0.0, max(root.cycles, 1), 0)
    return '\n'.join(lines + ['</svg>', ''])


def main():
    arguments = [a for a in sys.argv[1:] if a != '--force']
    if len(arguments) != 2 or not arguments[1].endswith(('.svg', '.folded')):
        sys.exit(__doc__)
    path, out = arguments
    if os.path.exists(out) and '--force' not in sys.argv[1:]:
        sim_json.die(f'{out} exists; --force replaces it')
    data = sim_json.load(path, (sim_json.CHIP,))
    chip.need_stacks(data, path, sim_json.die)
    if out.endswith('.svg'):
        text = svg(data)
    else:
        text = ''.join(f"{';'.join(stack)} {round(cycles)}\n" for stack, cycles in folded(data))
    try:
        with open(out, 'w', encoding='utf-8') as f:
            f.write(text)
    except OSError as error:
        sim_json.die(f'{out}: {error.strerror}')


if __name__ == '__main__':
    main()
