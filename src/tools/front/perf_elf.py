# SPDX-License-Identifier: MIT
"""Functions of an ELF file by address, and the parts of sgpu that define them.

A local function belongs to the source file whose name precedes it in the symbol table.  The
functions of a host level were global before the level became one object, so for them the source
file comes from the archives of the build.
"""

import bisect
import glob
import os
import re
import struct
import subprocess

import profile_blocks

SOURCE = re.compile(r'((?:sgd|sgpu|sgc|sgt|sgcap|cap)_[a-z0-9_]+\.(?:c|cpp))\.o$')
SYMTAB, DYNSYM = 2, 11
FILE, FUNC, IFUNC, NOTYPE = 4, 2, 10, 0


def source_blocks(top):
    """Returns {name of a source file: block}."""
    found = {}
    for folder, block in (('src/gallium', 'sgpu driver'), ('src/compiler', 'shader compiler'),
                          ('src/capture', 'capture'), ('src/tools', 'program'),
                          ('src/isa', 'instruction set')):
        for path in glob.glob(os.path.join(top, folder, '**/*.[ch]'), recursive=True):
            found.setdefault(os.path.basename(path), block)
    for folder, block in profile_blocks.BLOCKS.items():
        for path in glob.glob(os.path.join(top, 'src/device', folder, '**/*.[ch]*'),
                              recursive=True):
            found[os.path.basename(path)] = block
    return found


def archive_functions(build):
    """Returns two dictionaries for the archives of the build: {global function: source file}, and
    {(source file, function): block}, since names of files are not unique."""
    archives = glob.glob(f'{build}/src/**/libsg*.a', recursive=True)
    files, blocks = {}, {}
    output = subprocess.run(['nm', '-A', '--defined-only', *archives], capture_output=True,
                            text=True, check=False).stdout if archives else ''
    for line in output.splitlines():
        place, _, name = line.rpartition(' ')
        parts = place.split(':')
        if len(parts) < 3:
            continue
        archive, member = parts[0], parts[-2]
        # Meson names an object after the path of its source, with _ in place of /.
        match = SOURCE.search(member)
        if not match or place[-1] not in 'tTwW':
            continue
        if place[-1] != 't':
            files[name] = match.group(1)
        if '/device/' in archive:
            blocks[(match.group(1), name)] = profile_blocks.block_of(archive, member)
    return files, blocks


class Elf:
    """The functions of a file."""

    def __init__(self, path):
        self.starts, self.ends, self.names, self.files = [], [], [], []
        self.segments = []
        try:
            with open(path, 'rb') as file:
                self.data = file.read()
            self.read()
        except (OSError, struct.error, IndexError):
            pass
        self.data = b''

    def read(self):
        data = self.data
        if data[:5] != b'\x7fELF\x02':
            return
        phoff, shoff = struct.unpack_from('<QQ', data, 32)
        phsize, phnum, shsize, shnum = struct.unpack_from('<HHHH', data, 54)
        for i in range(phnum):
            kind, flags, offset, address, _, size = struct.unpack_from('<IIQQQQ', data,
                                                                       phoff + i * phsize)
            if kind == 1 and flags & 1:
                self.segments.append((offset, offset + size, address - offset))
        sections = [struct.unpack_from('<IIQQQQIIQQ', data, shoff + i * shsize)
                    for i in range(shnum)]
        tables = [s for s in sections if s[1] == SYMTAB] or [s for s in sections if s[1] == DYNSYM]
        rows = []
        for table in tables:
            rows += self.symbols(table, sections[table[6]])
        rows.sort()
        for start, size, name, file in rows:
            if self.starts and self.starts[-1] == start:
                continue
            self.starts.append(start)
            self.ends.append(start + size)
            self.names.append(name)
            self.files.append(file)

    def symbols(self, table, strings):
        data, file = self.data, ''
        for name, info, _, section, value, size in struct.iter_unpack(
                '<IBBHQQ', data[table[4]:table[4] + table[5]]):
            kind = info & 15
            if kind not in (FILE, FUNC, IFUNC) or (kind != FILE and not section):
                continue
            at = strings[4] + name
            text = data[at:data.index(b'\0', at)].decode(errors='replace')
            if kind == FILE:
                file = os.path.basename(text)
            else:
                yield value, size, text, file if info >> 4 == 0 else ''

    def find(self, offset):
        """Returns (function, source file) for an offset in the file, or None."""
        for first, end, shift in self.segments:
            if first <= offset < end:
                at = bisect.bisect_right(self.starts, offset + shift) - 1
                if at >= 0 and offset + shift < max(self.ends[at], self.starts[at] + 1):
                    return self.names[at], self.files[at]
        return None
