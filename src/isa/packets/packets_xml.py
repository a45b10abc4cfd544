# SPDX-License-Identifier: MIT
#
# Reads and validates sgpu_packets.xml: enums, structs and packets as Python
# objects with C names, for the generators in this folder.

import os
import re
import sys
import xml.etree.ElementTree as ET

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from sgpu_formats import FORMATS, FORMAT_BITS  # noqa: E402

DEFAULT_XML = os.path.join(HERE, 'sgpu_packets.xml')
ADDRESS_BITS = 48
HEADER_BITS = {'opcode': (0, 8), 'length': (8, 16)}
SCALARS = ('uint', 'int', 'bool', 'float', 'double', 'address', 'hex')
WHOLE = {'float': 32, 'double': 64, 'address': 64}
CLASSES = {
    'control': 'pads, names or ends the stream',
    'state': 'sets state, in effect until replaced',
    'work': 'reads and writes memory',
    'query': 'begins or ends counting in a slot of the queue',
}


class Bad(Exception):
    """An error in the XML. The message contains the location."""


def upper(name):
    return re.sub(r'[^A-Za-z0-9]+', '_', name).upper()


def lower(name):
    return upper(name).lower()


def prose(node):
    doc = node.find('doc')
    text = doc.text if doc is not None else node.get('doc')
    return ' '.join(text.split()) if text else ''


class Enum:
    def __init__(self, name, values, doc='', prefix=None, was=None):
        self.name = name
        self.doc = doc
        self.c = 'sgpu_' + lower(name)
        self.prefix = 'SGPU_' + upper(prefix or name)
        self.values = values                 # [(name, number)]
        self.was = was or {}                 # name -> former name of the value
        numbers = [v for _, v in values]
        for what in (numbers, [n for n, _ in values]):
            if len(set(what)) != len(what):
                raise Bad(f'enum {name}: a value or name occurs twice')
        if not values or min(numbers) < 0:
            raise Bad(f'enum {name}: no values, or negative ones')
        self.max = max(numbers)
        self.dense = len(numbers) == self.max + 1

    def const(self, value_name):
        return f'{self.prefix}_{upper(value_name)}'

    def covers(self, bits):
        """Returns whether each number of `bits` bits is a valid value."""
        return self.dense and self.max == (1 << bits) - 1


class Field:
    def __init__(self, node, owner):
        self.name = node.get('name')
        self.was = node.get('was')
        self.doc = prose(node)
        where = f'{owner.name}: {self.name}'
        known = {'name', 'was', 'doc', 'start', 'size', 'type', 'default', 'array',
                 'shr', 'minus', 'max'}
        if not self.name or set(node.attrib) - known:
            raise Bad(f'{where}: no name, or unknown attribute')
        m = re.fullmatch(r'(\d+):(\d+)', node.get('start', ''))
        if not m:
            raise Bad(f'{where}: start is not word:bit')
        self.word, self.bit = int(m[1]), int(m[2])
        self.bits = int(node.get('size'))
        self.type = node.get('type')
        self.array = int(node.get('array', '1'))
        self.shr = int(node.get('shr', '0'))
        self.minus = int(node.get('minus', '0'))
        self.limit = int(node.get('max')) if node.get('max') else None
        self.default = node.get('default')
        self.c = lower(self.name)
        if self.c[0].isdigit():
            raise Bad(f'{where}: C name would start with a digit')
        self.enum = self.struct = None

    def resolve(self, model, owner):
        where = f'{owner.name}: {self.name}'
        if self.type in model.enum_by_name:
            self.enum = model.enum_by_name[self.type]
        elif self.type in model.struct_by_name:
            self.struct = model.struct_by_name[self.type]
            if self.struct is owner or self.struct.tail:
                raise Bad(f'{where}: cannot nest {self.type}')
        elif self.type not in SCALARS:
            raise Bad(f'{where}: unknown type {self.type}')

        if self.struct:
            if self.bit or self.bits != 32 * self.struct.length:
                raise Bad(f'{where}: size is not that of {self.type}')
        elif not 0 < self.bits <= 64 or self.bit > 31:
            raise Bad(f'{where}: bad size or start')
        elif self.bit + self.bits > 32 and (self.bit or self.bits != 64):
            raise Bad(f'{where}: crosses a word and is not 64 bits at bit 0')
        if self.bits != WHOLE.get(self.type, self.bits):
            raise Bad(f'{where}: {self.type} has {WHOLE[self.type]} bits')
        if self.type == 'bool' and self.bits != 1:
            raise Bad(f'{where}: bool has 1 bit')
        if self.array > 1 and (self.bit or self.bits % 32):
            raise Bad(f'{where}: array elements must be whole words')
        if (self.shr or self.minus or self.limit is not None) and self.type != 'uint':
            raise Bad(f'{where}: shr, minus and max are for uint')
        if self.limit is not None and not 0 < self.limit <= self.value_max:
            raise Bad(f'{where}: max does not fit')
        if self.enum and self.enum.max >> self.bits:
            raise Bad(f'{where}: values of {self.type} do not fit')
        if self.default is not None:
            if self.enum:
                if self.default not in dict(self.enum.values):
                    raise Bad(f'{where}: default is not a value of {self.type}')
            elif self.struct or self.array > 1:
                raise Bad(f'{where}: no defaults for structs and arrays')

    @property
    def words(self):
        """Returns the number of words that contain bits of one element."""
        return (self.bit + self.bits + 31) // 32

    @property
    def value_max(self):
        """Returns the highest value of an unsigned field that can be encoded."""
        return (((1 << self.bits) - 1) << self.shr) + self.minus

    @property
    def ctype(self):
        if self.enum:
            return f'enum {self.enum.c}'
        if self.struct:
            return f'struct {self.struct.c}'
        wide = self.bits > 32 or (self.type in ('uint', 'hex') and self.value_max >> 32)
        return {'bool': 'bool', 'float': 'float', 'double': 'double',
                'address': 'uint64_t', 'int': 'int64_t' if wide else 'int32_t',
                }.get(self.type, 'uint64_t' if wide else 'uint32_t')

    @property
    def cdefault(self):
        if self.enum:
            return self.enum.const(self.default)
        return {'float': self.default + 'f' if '.' in self.default else self.default,
                'bool': self.default}.get(self.type, self.default)


class Struct:
    def __init__(self, node, packet):
        self.name = node.get('name')
        self.was = node.get('was')
        self.doc = prose(node)
        known = {'name', 'length'}
        if packet:
            known |= {'was', 'class', 'tail', 'tail_max', 'tail_exact'}
        if not self.name or set(node.attrib) - known:
            raise Bad(f'struct {self.name}: no name, or unknown attribute')
        self.packet = packet
        self.packet_class = node.get('class')
        if packet and self.packet_class not in CLASSES:
            raise Bad(f'{self.name}: no class, or an unknown one')
        self.length = int(node.get('length'))
        self.c = 'SGPU_' + upper(self.name)
        self.fields = [Field(f, self) for f in node.findall('field')]
        self.tail = node.get('tail')
        self.tail_max = int(node.get('tail_max', '0'))
        self.tail_exact = int(node.get('tail_exact', '0'))
        self.code = None
        self.covered = [0] * self.length      # per word, mask of the bits that belong to fields

    def resolve(self, model):
        if len({f.c for f in self.fields} | {'tail_count'}) != len(self.fields) + 1:
            raise Bad(f'{self.name}: two fields of one name')
        if {f.was for f in self.fields} & {f.name for f in self.fields}:
            raise Bad(f'{self.name}: a field has the former name of another')
        if self.packet:
            if self.name not in dict(model.opcodes.values):
                raise Bad(f'{self.name}: no such packet opcode')
            self.code = dict(model.opcodes.values)[self.name]
            self.opcode_const = model.opcodes.const(self.name)
            for bit, size in HEADER_BITS.values():
                self.claim(0, bit, size, 'header')
        for f in self.fields:
            f.resolve(model, self)
            for i in range(f.array):
                for w in range(f.words):
                    size = min(f.bits - 32 * w, 32)
                    self.claim(f.word + i * f.words + w, f.bit, size, f.name)
        if self.tail:
            self.tail = model.struct_by_name.get(self.tail)
            if not self.tail or self.tail_max < 1 or self.tail_exact > self.tail_max:
                raise Bad(f'{self.name}: bad tail')
            if self.length + self.tail_max * self.tail.length >> HEADER_BITS['length'][1]:
                raise Bad(f'{self.name}: longer than a header can say')
        elif self.tail_max:
            raise Bad(f'{self.name}: tail_max without a tail')

    def claim(self, word, bit, size, name):
        if word >= self.length:
            raise Bad(f'{self.name}: {name} is past the end')
        mask = ((1 << size) - 1) << bit
        if self.packet and word == 0 and name != 'header':
            raise Bad(f'{self.name}: {name} is in the header')
        if self.covered[word] & mask:
            raise Bad(f'{self.name}: {name} overlaps another field')
        self.covered[word] |= mask

    @property
    def defaults(self):
        d = [(f.c, f.cdefault) for f in self.fields if f.default is not None]
        if self.tail_exact:
            d.append(('tail_count', str(self.tail_exact)))
        return d


class Model:
    """The contents of sgpu_packets.xml, with the format codes as enum Format."""

    def __init__(self, path=DEFAULT_XML, text=None):
        root = ET.fromstring(text) if text else ET.parse(path).getroot()
        self.enums = []
        self.structs = []                     # structs and packets in XML order
        for node in root:
            if node.tag == 'enum':
                values = [(v.get('name'), int(v.get('value'))) for v in node.findall('value')]
                was = {v.get('name'): v.get('was') for v in node.findall('value') if v.get('was')}
                self.enums.append(Enum(node.get('name'), values, prose(node), node.get('prefix'),
                                       was))
            elif node.tag in ('struct', 'packet'):
                self.structs.append(Struct(node, node.tag == 'packet'))
            else:
                raise Bad(f'unknown element {node.tag}')
        self.enums.append(Enum('Format', [(n, c) for c, n in FORMATS],
                               'Formats of texels and vertex attributes.'))
        if self.enums[-1].max >> FORMAT_BITS:
            raise Bad('format codes do not fit')
        self.enum_by_name = {e.name: e for e in self.enums}
        self.struct_by_name = {s.name: s for s in self.structs}
        self.opcodes = self.enum_by_name.get('Packet')
        if (len(self.enum_by_name) != len(self.enums) or
                len(self.struct_by_name) != len(self.structs)):
            raise Bad('a name is used twice')
        if not self.opcodes or self.opcodes.max >> HEADER_BITS['opcode'][1]:
            raise Bad('no enum Packet, or its codes do not fit')
        for s in self.structs:
            s.resolve(self)
        self.packets = [s for s in self.structs if s.packet]
        missing = {n for n, _ in self.opcodes.values} - {p.name for p in self.packets}
        if missing:
            raise Bad(f'opcodes without a packet: {sorted(missing)}')
        self.check_c_names()
        self.structs = self.sorted_by_use()

    def check_c_names(self):
        consts = [e.const(n) for e in self.enums for n, _ in e.values]
        consts += [s.c + suffix for s in self.structs for suffix in ('', '_LENGTH')]
        tags = [e.c for e in self.enums] + [s.c for s in self.structs]
        for names in (consts, tags):
            twice = {n for n in names if names.count(n) > 1}
            if twice:
                raise Bad(f'C names collide: {sorted(twice)}')

    def sorted_by_use(self):
        """Returns the structs, sorted such that nested structs precede the structs that contain
        them."""
        out = []

        def visit(s, inside):
            if s in inside:
                raise Bad(f'{s.name} holds itself')
            if s in out:
                return
            for f in s.fields:
                if f.struct:
                    visit(f.struct, inside + [s])
            if s.tail:
                visit(s.tail, inside + [s])
            out.append(s)

        for s in self.structs:
            visit(s, [])
        return out
