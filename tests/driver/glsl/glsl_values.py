# SPDX-License-Identifier: MIT
"""Types of GLSL and their values, for random_arrays.py.

A type is a tuple: ('s', base), ('v', base, n), ('m', base, columns, rows),
('a', element, n), ('S', name, ((field, type), ..)).  Bases are f, i, u, b, d and k
(uint64_t).
A value is a number, or a list of the values of its parts.  Integers are unsigned and kept
modulo 2^32.  Floats and doubles are small integers, or the bits that the words of a buffer have."""
import functools
import struct

NAMES = {'f': 'float', 'i': 'int', 'u': 'uint', 'b': 'bool', 'd': 'double', 'k': 'uint64_t'}
PREFIX = {'f': '', 'i': 'i', 'u': 'u', 'b': 'b', 'd': 'd', 'k': 'u64'}
WIDE = 'dk'
M32 = 0xffffffff


def base_name(t):
    """Returns the type's name without the sizes of arrays."""
    if t[0] == 'a':
        return base_name(t[1])
    if t[0] == 's':
        return NAMES[t[1]]
    if t[0] == 'v':
        return '%svec%d' % (PREFIX[t[1]], t[2])
    if t[0] == 'm':
        return '%smat%dx%d' % (PREFIX[t[1]], t[2], t[3])
    return t[1]


def dims(t):
    return '[%d]%s' % (t[2], dims(t[1])) if t[0] == 'a' else ''


def type_name(t):
    return base_name(t) + dims(t)


def declare(t, name, size=None):
    """Returns a declaration. size: text of another dimension in front, such as that of
    per-vertex inputs."""
    return '%s %s%s%s' % (base_name(t), name, size or '', dims(t))


@functools.cache
def parts(t):
    """Returns the types of the parts; an empty list for scalars."""
    if t[0] == 'a':
        return [t[1]] * t[2]
    if t[0] == 'v':
        return [('s', t[1])] * t[2]
    if t[0] == 'm':
        return [('v', t[1], t[3])] * t[2]
    if t[0] == 'S':
        return [f[1] for f in t[2]]
    return []


@functools.cache
def count(t):
    """Returns the number of scalars in the type."""
    return sum(count(p) for p in parts(t)) if t[0] != 's' else 1


@functools.cache
def bases(t):
    return {t[1]} if t[0] in 'svm' else set().union(*(bases(p) for p in set(parts(t))))


def duplicate(value):
    return [duplicate(v) for v in value] if isinstance(value, list) else value


def structs(t, found):
    """Appends the structs that the type needs to `found`, inner ones first."""
    if t[0] == 'a':
        structs(t[1], found)
    elif t[0] == 'S':
        for _, f in t[2]:
            structs(f, found)
        if t not in found:
            found.append(t)


def slots(t):
    """Returns the number of locations of an input or output of the type."""
    if t[0] == 'a':
        return t[2] * slots(t[1])
    if t[0] == 'm':
        return t[2] * slots(('v', t[1], t[3]))
    if t[0] == 'S':
        return sum(slots(f) for _, f in t[2])
    return 2 if t[0] == 'v' and t[1] in WIDE and t[2] > 2 else 1


def bits(base, value):
    """Returns the word of a 32-bit scalar."""
    if base == 'f':
        return struct.unpack('<I', struct.pack('<f', value))[0]
    return int(value) & M32


def literal(t, value):
    if t[0] == 's':
        if t[1] == 'i':
            signed = value - 2 ** 32 if value >= 2 ** 31 else value
            return '%d' % signed if value != 2 ** 31 else '(-2147483647 - 1)'
        if t[1] == 'b':
            return 'true' if value else 'false'
        if t[1] in 'uk':
            return '%#x%s' % (value, 'u' if t[1] == 'u' else 'ul')
        return '%r%s' % (float(value), 'lf' if t[1] == 'd' else '')
    return '%s(%s)' % (type_name(t), ', '.join(literal(p, v) for p, v in zip(parts(t), value)))


def pattern(base, seed, n):
    """Returns the value that arrays_run.c, pattern(), writes to scalar n of a uniform or
    attribute.  Other values come from here, too."""
    w = (seed + n * 40503 & M32) >> 3 & 0x7ff
    return {'f': float(w), 'd': float(w), 'i': w - 1024 & M32, 'u': w * 65537 & M32,
            'b': w & 1, 'k': w * 0x123456789ab}[base]


def filled(t, seed, n=0):
    """Returns a value that consists of patterns."""
    if t[0] == 's':
        return pattern(t[1], seed, n)
    value = []
    for p in parts(t):
        value.append(filled(p, seed, n))
        n += count(p)
    return value


def name_seed(name):
    h = 2166136261
    for c in name.encode():
        h = (h ^ c) * 16777619 & M32
    return h


def uniform_value(t, name):
    """Returns the value of a uniform outside of blocks.  Each active uniform has different
    patterns."""
    if t[0] == 'S':
        return [uniform_value(f, '%s.%s' % (name, field)) for field, f in t[2]]
    if t[0] == 'a' and t[1][0] in 'aS':
        return [uniform_value(t[1], '%s[%d]' % (name, i)) for i in range(t[2])]
    return filled(t, name_seed(name))


class Layout:
    """The memory layout std140 or std430 (OpenGL 4.5, 7.6.2.2)."""

    def __init__(self, std140, row_major):
        self.std140, self.row_major = std140, row_major
        self.align = functools.cache(self.align)
        self.size = functools.cache(self.size)

    def _columns(self, t):
        """Returns the array of vectors that stores a matrix."""
        n, size = (t[3], t[2]) if self.row_major else (t[2], t[3])
        return ('a', ('v', t[1], size), n)

    def align(self, t):
        if t[0] == 's':
            return 8 if t[1] in WIDE else 4
        if t[0] == 'v':
            return self.align(('s', t[1])) * (2 if t[2] == 2 else 4)
        if t[0] == 'm':
            return self.align(self._columns(t))
        inner = self.align(t[1]) if t[0] == 'a' else max(self.align(f) for _, f in t[2])
        return (inner + 15) // 16 * 16 if self.std140 else inner

    def size(self, t):
        if t[0] == 's':
            return self.align(t)
        if t[0] == 'v':
            return t[2] * self.align(('s', t[1]))
        if t[0] == 'm':
            return self.size(self._columns(t))
        if t[0] == 'a':
            return t[2] * self.stride(t)
        end = 0
        for _, f in t[2]:
            end = self._up(end, f) + self.size(f)
        return self._up(end, t)

    def stride(self, t):
        return -(-self.size(t[1]) // self.align(t)) * self.align(t)

    def _up(self, offset, t):
        return -(-offset // self.align(t)) * self.align(t)

    def offsets(self, t, at):
        """Yields the type and the offset of each part."""
        if t[0] == 'S':
            for _, f in t[2]:
                at = self._up(at, f)
                yield f, at
                at += self.size(f)
        elif t[0] == 'a':
            for i in range(t[2]):
                yield t[1], at + i * self.stride(t)
        else:
            for i in range(t[2]):
                yield ('s', t[1]), at + i * self.align(('s', t[1]))

    def load(self, t, words, at):
        if t[0] == 's':
            w = words[at // 4]
            if t[1] == 'k':
                return w | words[at // 4 + 1] << 32
            if t[1] == 'd':
                return struct.unpack('<d', struct.pack('<II', w, words[at // 4 + 1]))[0]
            if t[1] == 'f':
                return struct.unpack('<f', struct.pack('<I', w))[0]
            return int(w != 0) if t[1] == 'b' else w
        if t[0] == 'm':
            value = self.load(self._columns(t), words, at)
            return [list(c) for c in zip(*value)] if self.row_major else value
        return [self.load(p, words, o) for p, o in self.offsets(t, at)]

    def store(self, t, words, at, value):
        if t[0] == 's':
            if t[1] == 'k':
                words[at // 4:at // 4 + 2] = value & M32, value >> 32
            elif t[1] == 'd':
                words[at // 4:at // 4 + 2] = struct.unpack('<II', struct.pack('<d', value))
            elif t[1] == 'b':
                if bool(words[at // 4]) != bool(value):
                    words[at // 4] = 1 if value else 0
            else:
                words[at // 4] = bits(t[1], value)
        elif t[0] == 'm':
            if self.row_major:
                value = [list(c) for c in zip(*value)]
            self.store(self._columns(t), words, at, value)
        else:
            for (p, o), v in zip(self.offsets(t, at), value):
                self.store(p, words, o, v)


def hashes(t, value):
    """Returns the result of h() in PRELUDE for a scalar, vector or matrix."""
    if t[0] == 's':
        if t[1] == 'd':
            low, high = struct.unpack('<II', struct.pack('<d', value))
            return low * 5 + high & M32
        if t[1] == 'k':
            return (value & M32) * 5 + (value >> 32) & M32
        return bits(t[1], value)
    total = 0
    for p, v in zip(parts(t), value):
        total = total * 3 + hashes(p, v) & M32
    return total


def prelude():
    lines = ['uint h(uint x) { return x; }', 'uint h(int x) { return uint(x); }',
             'uint h(float x) { return floatBitsToUint(x); }',
             'uint h(bool x) { return x ? 1u : 0u; }',
             'uint h(uint64_t x) { uvec2 w = unpackUint2x32(x); return w.x * 5u + w.y; }',
             'uint h(double x) { uvec2 w = unpackDouble2x32(x); return w.x * 5u + w.y; }']
    for base in 'fiubdk':
        for n in (2, 3, 4):
            lines.append('uint h(%s x) { uint t = 0u; %s return t; }' % (
                base_name(('v', base, n)),
                ' '.join('t = t * 3u + h(x[%d]);' % i for i in range(n))))
    for base in 'fd':
        for c in (2, 3, 4):
            for r in (2, 3, 4):
                lines.append('uint h(%s x) { uint t = 0u; %s return t; }' % (
                    base_name(('m', base, c, r)),
                    ' '.join('t = t * 3u + h(x[%d]);' % i for i in range(c))))
    return '\n'.join(lines) + '\n'
