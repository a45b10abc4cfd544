# SPDX-License-Identifier: MIT
"""The tables of sgpu perf, as text and as JSON."""

import collections
import os

import perf_read
import perf_sums

# Groups of blocks, in the order of the table.
GROUPS = (
    ('program', ('program',)),
    ('driver', ('Mesa', 'sgpu driver', 'shader compiler', 'capture')),
    ('front', ('command processor', 'scheduler', 'buffers', 'looking for work')),
    ('geometry', ('front end', 'setup')),
    ('raster', ('raster', 'pixel warps', 'ROP')),
    ('programs', ('machine code', 'interpreter', 'memory of programs', 'images', 'grids',
                  'translator')),
)


def group_of(block):
    if block.startswith('texture'):
        return 'textures'
    for name, blocks in GROUPS:
        if block in blocks:
            return name
    return 'transfers' if block == 'transfers' else 'presentation' if block == 'presentation' \
        else 'other'


def percent(part, whole):
    return f'{100 * part / whole if whole else 0:5.1f}'


def top(counter, count):
    return sorted(counter.items(), key=lambda item: -item[1])[:count]


def parts(counter, whole, count=4):
    """Returns the largest parts of a sum as text."""
    return ', '.join(f'{name} {100 * ns / whole:.0f}' for name, ns in top(counter, count)
                     if 100 * ns / whole >= 1)


class Report:
    def __init__(self, folder, symbols, rows):
        self.processes = perf_read.load(folder)
        self.sums = perf_sums.Sums(self.processes, symbols)
        self.rows = rows
        self.frames = max((p.frames for p in self.processes), default=0)
        self.seconds = max(((p.end - p.start) / 1e9 for p in self.processes), default=0)
        self.by_pid = {p.pid: p for p in self.processes}

    def per_frame(self, ns):
        return f'{ns / 1e6 / self.frames:8.3f}' if self.frames else f'{ns / 1e6:8.1f}'

    def head(self):
        cpu = sum(t.cpu for p in self.processes for t in p.threads)
        lost = sum(p.lost for p in self.processes)
        yield (f'{len(self.processes)} process{"es" if len(self.processes) > 1 else ""} with '
               f'OpenGL of sgpu, {self.frames} frames in {self.seconds:.1f} s, {cpu / 1e9:.2f} s '
               f'of CPU time, {self.sums.samples} samples' + (f', {lost} lost' if lost else ''))
        silent = sum(t.cpu for p in self.processes for t in p.threads
                     if t.cpu > 5e6 and t.samples * t.period < t.cpu / 4)
        if silent:
            yield (f'{silent / 1e9:.2f} s are in threads that block the signals of the profiler, '
                   'and have no samples')
        left_out = sum(p.left_out for p in self.processes)
        if left_out:
            yield (f'{left_out} threads are left out: the profiler keeps the first '
                   f'{perf_read.THREADS} of a process')

    def blocks(self):
        total = self.sums.total
        unit = 'ms a frame' if self.frames else 'ms'
        yield f'   %  {unit:>10}  block'
        for block, ns in self.sums.blocks.most_common():
            yield f'{percent(ns, total)} {self.per_frame(ns):>10}  {block}'

    def waits(self):
        rows = perf_sums.waits(self.processes)
        if rows:
            yield f'{"ms a frame" if self.frames else "ms":>10}   number  waits, by the clock'
        for name, (ns, count) in sorted(rows.items(), key=lambda r: -r[1][0]):
            yield f'{self.per_frame(ns):>10} {count:8}  {name}'
        items = perf_sums.work_items(self.processes)
        if items:
            yield f'{"ms a frame" if self.frames else "ms":>10}   number  work items, by the clock'
        for name, (ns, count) in sorted(items.items(), key=lambda r: -r[1][0]):
            yield f'{self.per_frame(ns):>10} {count:8}  {name}'

    def draws(self):
        """Returns rows for operations: (ns, process, shape, Counter of blocks)."""
        return sorted(((sum(blocks.values()), self.by_pid[pid], shape, blocks)
                       for (pid, shape), blocks in self.sums.shapes.items()),
                      key=lambda row: -row[0])

    def operations(self):
        total = self.sums.total
        yield '   %  ms a frame   a frame  first  operation'
        for ns, process, shape, blocks in self.draws()[:self.rows]:
            calls = process.calls[shape] if shape < len(process.calls) else 0
            often = f'{calls / self.frames:8.1f}' if self.frames else f'{calls:8}'
            first = self.sums.first[(process.pid, shape)]
            yield (f'{percent(ns, total)} {self.per_frame(ns):>10}  {often} {first:6}  '
                   f'{perf_sums.shape_label(process, shape)}')
            yield f'{"":34}{parts(blocks, ns, 6)}'
            programs = process.shapes.get(shape, {}).get('programs')
            if programs:
                yield f'{"":34}' + ', '.join(perf_sums.program_label(process, p)
                                             for p in programs)

    def programs(self):
        total = self.sums.total
        rows = sorted(self.sums.programs.items(), key=lambda item: -sum(item[1].values()))
        yield '   %  machine code  interpreter  program'
        for (pid, program), places in rows[:self.rows]:
            process, ns = self.by_pid[pid], sum(places.values())
            blocks = collections.Counter()
            for (block, _), part in places.items():
                blocks[block] += part
            yield (f'{percent(ns, total)} {percent(blocks["machine code"], ns):>12} '
                   f'{percent(blocks["interpreter"], ns):>12}  '
                   f'{perf_sums.program_label(process, program)}, '
                   f'{len(process.programs.get(program, {}).get("instructions", []))} instructions')
            yield f'{"":34}{parts(blocks, ns, 6)}'
            for (block, detail), part in top({k: v for k, v in places.items() if k[1]}, 6):
                if 100 * part / ns >= 2:
                    yield f'{"":34}{100 * part / ns:3.0f} % {block}: {detail}'

    def textures(self):
        rows = perf_sums.texture_rows(self.processes)
        if not rows:
            return
        yield 'million texels  million lanes  path, view, instruction'
        for path, view, code, ops, lanes, texels, program, where in rows[:self.rows]:
            yield (f'{texels / 1e6:14.2f} {lanes / 1e6:14.2f}  {path}; {view}, {code}; '
                   f'{program}, {where}')

    def functions(self):
        total = self.sums.total
        yield '   %  function'
        for (block, function), ns in self.sums.functions.most_common(self.rows):
            yield f'{percent(ns, total)}  {function} ({block})'

    def text(self):
        sections = (self.head(), self.blocks(), self.waits(), self.operations(), self.programs(),
                    self.textures(), self.functions())
        return '\n\n'.join('\n'.join(section) for section in sections) + '\n'

    def json(self):
        total = self.sums.total
        counter = collections.Counter()
        for block, ns in self.sums.blocks.items():
            counter[group_of(block)] += ns
        return {
            'frames': self.frames, 'seconds': self.seconds, 'samples': self.sums.samples,
            'cpu_ns': total, 'lost': sum(p.lost for p in self.processes),
            'threads_left_out': sum(p.left_out for p in self.processes),
            'processes': [{
                'pid': p.pid, 'exe': p.exe, 'command': p.command, 'frames': p.frames,
                'sampled_by': {1: 'perf events', 2: 'timers'}.get(p.method, 'nothing'),
                'threads': [{'tid': t.tid, 'name': t.name, 'cpu_ns': t.cpu,
                             'sampled_ns': t.samples * t.period,
                             'spans': {n: {'ns': s[0], 'count': s[1]}
                                       for n, s in t.spans.items()}}
                            for t in p.threads if t.tid]} for p in self.processes],
            'groups': dict(counter), 'blocks': dict(self.sums.blocks),
            'waits': {n: {'ns': ns, 'count': count}
                      for n, (ns, count) in perf_sums.waits(self.processes).items()},
            'work': {n: {'ns': ns, 'count': count}
                     for n, (ns, count) in perf_sums.work_items(self.processes).items()},
            'operations': [dict(process.shapes.get(shape, {}), pid=process.pid, ns=ns,
                                blocks=dict(blocks), first=self.sums.first[(process.pid, shape)],
                                calls=process.calls[shape] if shape < len(process.calls) else 0,
                                text=perf_sums.shape_label(process, shape))
                           for ns, process, shape, blocks in self.draws()],
            'programs': [{
                'pid': pid, 'program': program, 'ns': sum(places.values()),
                'stage': self.by_pid[pid].programs.get(program, {}).get('stage', ''),
                'instructions': self.by_pid[pid].programs.get(program, {}).get('instructions', []),
                'machine_code': any(c['code'] == program for c in self.by_pid[pid].codes),
                'places': [{'block': block, 'detail': detail, 'ns': ns}
                           for (block, detail), ns in sorted(places.items(), key=lambda i: -i[1])]}
                for (pid, program), places in sorted(self.sums.programs.items(),
                                                     key=lambda i: -sum(i[1].values()))],
            'textures': [dict(zip(('path', 'view', 'format', 'operations', 'lanes', 'texels',
                                   'program', 'instruction'), row))
                         for row in perf_sums.texture_rows(self.processes)],
            'functions': [{'block': block, 'function': function, 'ns': ns}
                          for (block, function), ns in self.sums.functions.most_common()],
        }

    def title(self):
        return ', '.join(sorted({os.path.basename(p.exe) for p in self.processes}))
