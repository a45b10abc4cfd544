# SPDX-License-Identifier: MIT
#
# Emits docs/packets.md, the reference page of the packets.

from packets_xml import ADDRESS_BITS, CLASSES, HEADER_BITS

INTRO = '''# Packets

The command stream of sgpu: commands, state records, and the descriptors that
they carry. Generated from `src/isa/packets/sgpu_packets.xml`; edit that file
and run `src/isa/packets/gen_packets.py --docs docs/packets.md`.

A stream is a sequence of packets of whole 32-bit words, little endian. Word 0
of a packet is its header: the opcode in bits 0 to 7, the length in words in
bits 8 to 23, the header included. A stream ends with END. Bits that no table
below names must be zero. The device refuses a packet with such a bit set, with
a value that its enum does not have, or with a field above its maximum.

Each packet has a class:

- **control** packets pad, name or end the stream;
- **state** packets set state, which stays in effect until a packet of the
  same kind (and index, or stage) replaces it, or until the stream ends;
- **work** packets read and write memory. Their results are as if they ran one
  after the other, in the order of the stream;
- **query** packets begin and end counting in a slot of the queue.

Types: `uint`, `hex` (uint, printed in base 16), `int` (two's complement),
`bool`, `float` and `double` (IEEE), `address` (a device address, {address}
bits in 64), `enum X`, or the name of a struct.
'''


def anchor(text):
    return ''.join(c for c in text.lower().replace(' ', '-') if c.isalnum() or c in '-_')


def link(text, target=None):
    return f'[{text}](#{anchor(target or text)})'


def enum_title(e):
    return f'enum {e.name}'


def bits(f):
    first = f'{f.word}'
    words = f.array * f.words
    if f.struct or words > 1:
        return f'{first} to {f.word + words - 1}', 'all'
    if f.bits == 32:
        return first, 'all'
    if f.bits == 1:
        return first, f'{f.bit}'
    return first, f'{f.bit + f.bits - 1}:{f.bit}'


def field_type(f):
    if f.enum:
        t = link(enum_title(f.enum))
    elif f.struct:
        t = link(f.struct.name)
    else:
        t = f.type
    return f'{t} [{f.array}]' if f.array > 1 else t


def field_notes(f):
    notes = [f.doc.replace('|', '\\|')] if f.doc else []
    if f.shr or f.minus:
        what = f'(value - {f.minus})' if f.minus else 'value'
        notes.append(f'stored: {what} >> {f.shr}' if f.shr else f'stored: value - {f.minus}')
    if f.limit is not None:
        notes.append(f'at most {f.limit}')
    if f.default is not None:
        notes.append(f'default {f.default}')
    return '; '.join(notes)


def emit_struct(s):
    out = f'### {s.name}\n\n'
    if s.packet:
        out += f'Opcode {s.code}, {s.length} word{"s" if s.length > 1 else ""}'
        if s.tail_exact:
            out += f', followed by {s.tail_exact} {link(s.tail.name)}'
        elif s.tail:
            out += f', followed by up to {s.tail_max} {link(s.tail.name)}'
        out += '.'
    else:
        out += f'{s.length} word{"s" if s.length > 1 else ""}.'
    out += f' {s.doc}\n' if s.doc else '\n'
    if not s.fields:
        return out + '\n'
    out += '\n| word | bits | field | type | |\n| --- | --- | --- | --- | --- |\n'
    for f in sorted(s.fields, key=lambda f: (f.word, f.bit)):
        word, place = bits(f)
        row = f'| {word} | {place} | {f.name} | {field_type(f)} | {field_notes(f)}'
        out += f'{row.rstrip()} |\n'
    return out + '\n'


def emit_enum(e):
    out = f'### {enum_title(e)}\n\n'
    out += f'{e.doc}\n\n' if e.doc else ''
    if len(e.values) > 40:
        out += 'Names and meanings are those of Gallium; the codes are sgpu\'s own.\n\n'
    pairs = [f'{v} {n}' for n, v in e.values]
    return out + ', '.join(pairs) + '\n\n'


def emit_docs(model):
    assert HEADER_BITS == {'opcode': (0, 8), 'length': (8, 16)}
    out = INTRO.format(address=ADDRESS_BITS)
    packets = sorted(model.packets, key=lambda p: p.code)
    structs = sorted((s for s in model.structs if not s.packet), key=lambda s: s.name)
    out += '\n| opcode | packet | class | words |\n| --- | --- | --- | --- |\n'
    for p in packets:
        words = str(p.length)
        if p.tail:
            count = str(p.tail_exact) if p.tail_exact else 'n'
            words += f' + {count}' + (f' * {p.tail.length}' if p.tail.length > 1 else '')
        out += f'| {p.code} | {link(p.name)} | {p.packet_class} | {words} |\n'
    out += '\n'
    for c in CLASSES:
        out += f'## {c.capitalize()} packets\n\n'
        out += ''.join(emit_struct(p) for p in packets if p.packet_class == c)
    out += '## Descriptors and records\n\n' + ''.join(emit_struct(s) for s in structs)
    out += '## Enums\n\n' + ''.join(emit_enum(e) for e in model.enums)
    return out.rstrip() + '\n'
