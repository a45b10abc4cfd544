# SPDX-License-Identifier: MIT
"""Reads the files of the profiler (SGPU_DEBUG=profile=FOLDER).

src/device/observe/profile/sgd_profile_file.h describes FOLDER/PID.samples.  FOLDER/PID.text has a
JSON object a line.
"""

import bisect
import glob
import json
import os
import struct

MAGIC = 0x3266726570677073
THREADS, SPANS, SHAPES, TEXTURES, COUNTERS = 4096, 32, 16384, 4096, 128
COLD, UNKNOWN = 0xfffffffe, 0xffffffff
SAMPLE = struct.Struct('<QQQQHHIIIIIHHI')
FIXED = struct.Struct('<QIIQQQQQII')


class Thread:
    def __init__(self, tid, worker, name, cpu, period, samples, spans):
        self.tid, self.worker, self.name = tid, worker, name
        self.cpu, self.period, self.samples = cpu, period, samples
        self.spans = spans  # {name: (ns, count)}


class Sample:
    """A sample.  `ns` is the CPU time that it stands for; program is a hash or ''."""

    __slots__ = ('time', 'pc', 'caller', 'program', 'thread', 'ns', 'frame', 'draw', 'shape', 'ins',
                 'left', 'work', 'stage')


def instruction_finder(places):
    """Returns a function from offsets in a program's code to indices of instructions, or -1."""
    offsets = [offset for offset, _ in places]

    def find(offset):
        at = bisect.bisect_right(offsets, offset) - 1
        return places[at][1] if at >= 0 else -1
    return find


class Process:
    """What the profiler has written about a process."""

    def __init__(self, path):
        self.path = path
        self.programs, self.shapes, self.codes, self.code_at, self.maps = {}, {}, [], [], []
        self.exe = self.driver = self.command = ''
        with open(path, 'rb') as file:
            self.data = file.read()
        self.read_header()
        self.read_text(path[:-len('samples')] + 'text')

    def read_header(self):
        data = self.data
        if len(data) < FIXED.size or struct.unpack_from('<Q', data)[0] != MAGIC:
            raise ValueError(f'{self.path} is not a file of the profiler, or of another version')
        (_, self.header, self.pid, self.start, _, self.end, self.used, self.lost, self.frames,
         num_shapes) = FIXED.unpack_from(data)
        at = FIXED.size
        self.names = [data[at + 24 * i:at + 24 * (i + 1)].split(b'\0')[0].decode()
                      for i in range(SPANS)]
        at += 24 * SPANS
        count, self.method, self.left_out = struct.unpack_from('<III', data, at)
        self.counters = struct.unpack_from(f'<{count}Q', data, at + 16)
        at += 16 + 8 * COUNTERS
        self.threads = []
        size = 48 + 16 * SPANS
        end = at + THREADS * size
        # Threads have slots in the order in which they were found.
        while at < end and any(data[at:at + 4]):
            tid, worker, name, cpu, period, samples = struct.unpack_from('<II16sQQQ', data, at)
            spans = struct.unpack_from(f'<{2 * SPANS}Q', data, at + 48)
            self.threads.append(Thread(
                tid, worker, name.split(b'\0')[0].decode(errors='replace'), cpu, period, samples,
                {self.names[i]: (spans[2 * i], spans[2 * i + 1]) for i in range(SPANS)
                 if spans[2 * i + 1]}))
            at += size
        at = end
        self.calls = struct.unpack_from(f'<{num_shapes + 1}I', data, at)
        at += 4 * SHAPES
        self.textures = []
        for _ in range(TEXTURES):
            key, program, ins, path, ops, lanes, texels = struct.unpack_from('<QQIIQQQ', data, at)
            if key:
                self.textures.append((f'{program:016x}', ins, path, ops, lanes, texels))
            at += 48

    def read_text(self, path):
        try:
            with open(path, encoding='utf-8', errors='replace') as file:
                lines = file.read().split('\n')
        except FileNotFoundError:
            return
        for line in lines:
            try:
                row = json.loads(line)
            except ValueError:
                continue  # the process was killed while it wrote the last line
            if 'program' in row:
                row['instructions'] = row['instructions'][1:]
                self.programs[row['program']] = row
            elif 'code' in row:
                row['instr'] = instruction_finder(row.pop('places', []))
                self.codes.append(row)
            elif 'shape' in row:
                self.shapes[row['shape']] = row
            elif 'maps' in row:
                self.maps.append(row)
            elif 'process' in row:
                self.exe, self.command = row['exe'], row['command']
                self.driver = row.get('driver', '')
        # A later piece of code replaces an earlier one at the same addresses.
        self.code_at = sorted((c['begin'], n) for n, c in enumerate(self.codes))

    def code(self, pc):
        """Returns (row of the program's code, part) for an address of machine code, or None."""
        at = bisect.bisect_right(self.code_at, (pc, len(self.codes))) - 1
        while at >= 0:
            row = self.codes[self.code_at[at][1]]
            if row['begin'] <= pc < row['end']:
                for part in row['parts']:
                    if part[0] <= pc < part[0] + part[1]:
                        return row, part
                return row, None
            if row['end'] <= pc - (1 << 22):
                break
            at -= 1
        return None

    def mapping(self, pc):
        """Returns (path, offset in the file), or None."""
        for row in reversed(self.maps):
            for first, end, offset, path in row['maps']:
                if first <= pc < end:
                    return path, pc - first + offset
        return None

    def samples(self):
        end = min(self.header + self.used * SAMPLE.size, len(self.data))
        for row in SAMPLE.iter_unpack(self.data[self.header:end - (end - self.header) %
                                                SAMPLE.size]):
            if not row[0] or row[4] >= len(self.threads):
                continue
            s = Sample()
            (s.time, s.pc, s.caller, program, slot, weight, s.frame, s.draw, s.shape, s.ins, s.left,
             work, s.stage, _) = row
            s.program = f'{program:016x}' if program else ''
            s.thread = self.threads[slot]
            s.ns = weight * s.thread.period
            s.work = self.names[work] if work < SPANS else ''
            yield s


def has_begun(path):
    """Returns false for the file of a process that ended while it made the file."""
    with open(path, 'rb') as file:
        return any(file.read(8))


def load(folder):
    """Returns the processes whose files are in the folder, in order of their starts."""
    found = [Process(path) for path in glob.glob(os.path.join(glob.escape(folder), '*.samples'))
             if has_begun(path)]
    return sorted(found, key=lambda p: p.start)
