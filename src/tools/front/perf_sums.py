# SPDX-License-Identifier: MIT
"""Attributes the samples of a profile to blocks, operations and programs."""

import collections
import os
import re
import sys

import perf_elf
import perf_read

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../isa'))

import sgpu_formats  # pylint: disable=wrong-import-position

FORMATS = dict(sgpu_formats.FORMATS)

# Kinds of texture code, by source file.
TEXTURE = {
    'sgd_tex_simple.c': 'simple', 'sgd_tex_op.c': 'general', 'sgd_tex_fast.c': 'bytes',
    'sgd_tex_wide.c': 'wide', 'sgd_tex_word.c': 'word', 'sgd_tex_levels.c': 'levels',
    'sgd_tex_filter.c': 'general', 'sgd_tex_fetch.c': 'fetch', 'sgd_tex_block.c': 'compressed',
    'sgd_tex_aniso.c': 'anisotropic', 'sgd_tex_cube.c': 'cube', 'sgd_tex_lod.c': 'level of detail',
    'sgd_tex_wrap.c': 'wrap', 'sgd_tex_query.c': 'fetch', 'sgd_tex_volume.c': 'volume',
    'sgd_tex_texels.c': 'texels', 'sgd_tex_taps.c': 'bytes',
}
SHORT = {
    'input assembler, vertices': 'front end', 'clip, setup': 'setup',
    'geometry programs': 'front end', 'tessellator': 'front end',
    'transform feedback': 'front end', 'workers, queues': 'scheduler', 'dispatch unit': 'scheduler',
    'grids': 'grids', 'copy engine': 'transfers', 'image units': 'images',
}
# Blocks of work items, for functions that have none.
WORK = {'commands': 'command processor', 'front': 'front end', 'tile': 'raster', 'grid': 'grids',
        'batch in order': 'raster', 'transform feedback': 'front end'}
MEMORY = {'sgd_storage.c', 'sgd_memory.c', 'sgd_patch_memory.c', 'sgd_atomic.c',
          'sgd_atomic_wide.c', 'sgd_subgroup.c'}
# Libraries that the driver calls.  For others, an address of the driver on the stack is probably
# left over from an earlier call.
CALLED = re.compile(r'lib(c|m|z|zstd|pthread|stdc\+\+|X11|xcb|Xext)\b|\[vdso')
PRESENT = re.compile(r'display|drisw|dri_sw|swrast|present|xlib_sw')
PATHS = {1: 'simple', 2: 'bytes', 3: 'wide', 4: 'word', 5: 'general', 6: 'converted',
         7: 'volume', 8: 'texels'}
PATH_FLAGS = ((1 << 5, 'linear'), (1 << 6, 'levels'), (1 << 7, 'anisotropic'), (1 << 8, 'fetch'),
              (1 << 9, 'compares'), (1 << 10, 'one layer'))
TYPES = ('buffer', '1D', '2D', '3D', 'cube')


class Symbols:
    """Finds the function and the block of an address of a process."""

    def __init__(self, top, build):
        self.blocks = perf_elf.source_blocks(top)
        self.files, self.pairs = perf_elf.archive_functions(build)
        self.elfs, self.known = {}, {}

    def elf(self, path):
        if path not in self.elfs:
            self.elfs[path] = perf_elf.Elf(path)
        return self.elfs[path]

    def find(self, process, pc):
        """Returns (shared object, function, source file)."""
        key = (process.path, pc)
        if key not in self.known:
            mapped = process.mapping(pc)
            if not mapped:
                self.known[key] = ('', '', '')
            else:
                function, file = self.elf(mapped[0]).find(mapped[1]) or ('', '')
                base = function.split('.')[0]
                self.known[key] = (mapped[0], function, self.files.get(base, file))
        return self.known[key]

    def block(self, function, file):
        """Returns the block of a function of sgpu, or '' for others."""
        base = function.split('.')[0]
        if base.startswith('sgd_h_'):
            return 'interpreter'
        if base.startswith('util_format_') and ('unpack' in base or 'fetch' in base):
            return 'texture, converted'
        if base.startswith('futex_'):
            return 'scheduler'
        return device_block(file, self.pairs.get((file, base)) or self.blocks.get(file, ''))


def device_block(file, block):
    if block == 'texture units':
        return f"texture, {TEXTURE.get(file, 'general')}"
    if block == 'shader cores':
        return 'memory of programs' if file in MEMORY else 'interpreter'
    if block in ('sgpu driver', 'capture') and PRESENT.search(file):
        return 'presentation'
    if block == 'workers, queues' and file in ('sgd_memory.c', 'sgd_pages.c', 'sgd_holes.c'):
        return 'buffers'
    return SHORT.get(block, block)


class Place:
    """Where a sample was: a block, a function, and a detail (the instruction)."""

    __slots__ = ('block', 'function', 'detail')

    def __init__(self, block, function, detail=''):
        self.block, self.function, self.detail = block, function, detail


def instruction(process, program, index):
    row = process.programs.get(program)
    if not row or index >= len(row['instructions']):
        return ''
    return f"{index}: {row['instructions'][index]}"


def why_left(process, s):
    """Returns the reason for which the interpreter runs a program."""
    if s.left == perf_read.COLD:
        coded = any(c['code'] == s.program for c in process.codes)
        return 'before its machine code was ready' if coded else 'no machine code'
    if s.left == perf_read.UNKNOWN:
        return 'start of warps, calls of machine code'
    text = instruction(process, s.program, s.left)
    return f'left at {text}' if text else 'left machine code'


def place_of(process, symbols, s):
    code = process.code(s.pc)
    if code:
        row, part = code
        index = row['instr'](s.pc - row['begin'])
        text = instruction(process, row['code'], index) if index >= 0 else ''
        if not text:
            text = 'from region to region' if part and part[3] == 2 else 'loops of regions'
        return Place('machine code', f"code of {row['code']}", text)
    path, function, file = symbols.find(process, s.pc)
    block = symbols.block(function, file)
    if not block and s.caller and CALLED.match(os.path.basename(path)):
        # a function of a library that the driver called
        _, calling, caller_file = symbols.find(process, s.caller)
        called = symbols.block(calling, caller_file)
        # The profiler's own frames are left over from earlier signals.
        if calling and called != 'observer':
            block, file, path = called, caller_file, process.driver
            function = f"{calling} > {function or 'a library'}"
    if block in ('scheduler', 'instruction set') and s.work:
        block = WORK.get(s.work, 'scheduler') if block == 'instruction set' else block
    elif block == 'scheduler' and is_worker(s.thread):
        block = 'looking for work'
    if block:
        detail = ''
        if block == 'interpreter':
            detail = why_left(process, s)
        elif block.startswith('texture') or block in ('memory of programs', 'images'):
            detail = instruction(process, s.program, s.ins)
        return Place(block, function, detail)
    if s.work:
        return Place(WORK.get(s.work, s.work), function or os.path.basename(path))
    if is_worker(s.thread):
        return Place('looking for work', function)
    if path == process.driver and path != process.exe:
        return Place('presentation' if PRESENT.search(file) else 'Mesa', function or file)
    name = os.path.basename(path)
    return Place('program', f'{name}: {function}' if function else name or 'unknown')


class Sums:
    """Sums over the samples of all processes, in ns of CPU time."""

    def __init__(self, processes, symbols):
        self.processes = processes
        self.blocks = collections.Counter()
        self.functions = collections.Counter()  # (block, function)
        self.shapes = {}    # (process, shape): Counter of blocks
        self.first = {}     # (process, shape): lowest index in a frame
        self.programs = {}  # (process, program): Counter of (block, detail)
        self.stacks = collections.Counter()
        self.total = 0
        self.samples = 0
        for process in processes:
            for s in process.samples():
                self.add(process, symbols, s)

    def add(self, process, symbols, s):
        p = place_of(process, symbols, s)
        self.total += s.ns
        self.samples += 1
        self.blocks[p.block] += s.ns
        self.functions[(p.block, p.function)] += s.ns
        name = f'{os.path.basename(process.exe)} {process.pid}'
        stack = [name]
        if s.shape:
            key = (process.pid, s.shape)
            self.shapes.setdefault(key, collections.Counter())[p.block] += s.ns
            self.first[key] = min(self.first.get(key, s.draw), s.draw)
            stack += ['operations', shape_label(process, s.shape), p.block]
        else:
            stack += [thread_label(s.thread), p.block]
        if s.program and s.shape and of_program(p.block):
            key = (process.pid, s.program)
            self.programs.setdefault(key, collections.Counter())[(p.block, p.detail)] += s.ns
            stack += [program_label(process, s.program)]
        stack += [p.detail] if p.detail else []
        stack.append(p.function or '?')
        self.stacks[tuple(stack)] += s.ns


def of_program(block):
    """Returns true for blocks whose time belongs to the shader program that runs."""
    return block.startswith('texture') or block in ('machine code', 'interpreter', 'images',
                                                    'memory of programs')


def is_worker(thread):
    """Returns true for the device's workers, false for a thread of the program that helps."""
    return re.fullmatch(r'sgpu:\d+', thread.name) is not None


def thread_label(thread):
    return 'workers' if is_worker(thread) else f'thread {thread.name}'


def program_label(process, program):
    row = process.programs.get(program)
    return f"{row['stage'] if row else 'program'} {program}"


def shape_label(process, index):
    """Returns a short description of operations."""
    row = process.shapes.get(index)
    if not row:
        return f'operation {index}'
    size = row['size']
    where = f"{size[0]}x{size[1]}" + (f'x{size[2]}' if size[2] > 1 else '')
    where += f" {row['color']}" if 'color' in row else f" {row.get('depth', '')}".rstrip()
    where += f", {row['samples']} samples" if row['samples'] > 1 else ''
    text = {
        'draw': lambda: f"{row['what']}, {row['count']} vertices"
                        + (f" x {row['instances']}" if row['instances'] > 1 else '')
                        + (f", {row['joined']} draws joined" if row['joined'] > 1 else ''),
        'transfer': lambda: row['what'] + (f" from {row['from']}" if 'from' in row else ''),
        'grid': lambda: 'grid of ' + 'x'.join(map(str, row['groups'])) + ' groups',
    }.get(row['kind'], lambda: 'query')()
    if row['kind'] in ('draw', 'transfer'):
        text += f' to {where}'
    return text + (f" [{row['label']}]" if 'label' in row else '')


def texture_rows(processes):
    """Returns rows (path, view, operations, lanes, texels, program, instruction), most texels
    first."""
    rows = []
    for process in processes:
        for program, ins, path, ops, lanes, texels in process.textures:
            names = [PATHS.get(path & 15, '?')]
            names += [name for flag, name in PATH_FLAGS if path & flag]
            view = TYPES[path >> 12 & 15] if path >> 12 & 15 < len(TYPES) else '?'
            rows.append((', '.join(names), view, FORMATS.get(path >> 16, '?'), ops, lanes, texels,
                         program_label(process, program), instruction(process, program, ins)))
    return sorted(rows, key=lambda r: -r[5])


def waits(processes):
    """Returns {kind of wait: (ns, count)}.  The time in which a waiting thread of the program runs
    work is not a wait."""
    found = collections.Counter()
    counts = collections.Counter()
    for process in processes:
        for thread in process.threads:
            if not thread.tid:
                continue
            worked = sum(ns for name, (ns, _) in thread.spans.items() if name not in SPANS)
            for name, (ns, count) in thread.spans.items():
                if name not in SPANS:
                    continue
                kind = SPANS[name]
                if not is_worker(thread) and name.startswith('wait'):
                    helped = min(worked, ns)
                    worked -= helped
                    ns -= helped
                found[kind] += ns
                counts[kind] += count
    return {kind: (found[kind], counts[kind]) for kind in found}


# What spans are; all others are work items.
SPANS = {
    'wait for buffer': 'the program waits for a buffer',
    'wait for fence': 'the program waits for a fence',
    'submit': 'submissions',
    'present': 'presentation: copy to the window',
    'window system': 'presentation: window system',
    'look for work': 'workers look for work',
    'sleep': 'workers sleep',
}


def work_items(processes):
    """Returns {name of a work item: (ns, count)}."""
    found, counts = collections.Counter(), collections.Counter()
    for process in processes:
        for thread in process.threads:
            for name, (ns, count) in thread.spans.items():
                if name not in SPANS:
                    found[name] += ns
                    counts[name] += count
    return {name: (found[name], counts[name]) for name in found}
