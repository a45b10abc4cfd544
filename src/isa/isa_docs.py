# SPDX-License-Identifier: MIT
#
# Parts of the reference page docs/isa.md, for templates/isa.md.mako: drawings of
# encodings, and the text form and the expression of each operation.

import sgpu_isa as isa
from sgpu_opcodes import LATENCY, OPCODES

KIND_TEXT = {
    'COMP': 'per component',
    'SCAL': 'scalar, replicated over the result',
    'SCALV': 'vector from scalars',
    'DOT': 'scalar from vectors, replicated over the result',
    'VEC': 'vector from vectors',
    'PAIR': 'per component pair',
    'QUAD': 'per component, over the 2x2 quad',
    'CTL': 'control',
    'TEX': 'texture',
    'MEM': 'memory',
    'IMG': 'image',
    'IPA': 'interpolation',
    'WARP': 'per component, over the active lanes',
    'PIXEL': 'stored pixels',
}
TYPE_TEXT = {'f': 'float', 'i': 'int', 'u': 'uint', 'p': 'predicate', 'a': 'address', '-': 'none',
             'd': 'double', 'l': 'int64', 'q': 'uint64'}


def draw(fields, first, last):
    """Draws a row of boxes for bits `last` to `first`. Shows bits without a field as zeros."""
    cells = []
    bit = last
    spans = sorted(((f + s - 1, f, name) for name, (f, s) in fields.items()
                    if first <= f <= last), reverse=True)
    for high, low, name in spans:
        if high < bit:
            cells.append((bit, high + 1, '0'))
        cells.append((high, low, '0' if name.startswith('rsvd') else name))
        bit = low - 1
    if bit >= first:
        cells.append((bit, first, '0'))

    top, line, middle = ' ', '+', '|'
    for high, low, name in cells:
        high, low = high - first // 32 * 32, low - first // 32 * 32
        number = f'{high}' if high == low else f'{high}-{low}'
        width = max(len(name), len(number)) + 2
        top += number.center(width) + ' '
        line += '-' * width + '+'
        middle += name.center(width) + '|'
    return '\n'.join([top.rstrip(), line, middle, line])


def words():
    """Draws the four words of an instruction, with a source in word 3."""
    source = {k: v for k, v in isa.FIELDS.items() if k != 'payload'}
    return [draw(source, 32 * w, 32 * w + 31) for w in range(4)]


def payload(name):
    return draw({k: (96 + f, s) for k, (f, s) in isa.PAYLOADS[name].items()}, 96, 127)


def mod(name):
    first = isa.FIELDS['mod'][0] % 32
    return draw({k: (first + f, s) for k, (f, s) in isa.MODS[name].items()}, first, first + 5)


def source():
    return draw(isa.SRC_FIELDS, 0, isa.FIELDS['src0'][1] - 1)


def destination(o):
    if o.dst == 'p':
        return 'P.mask'
    if o.dst == 'a':
        return 'A0.mask'
    return 'dst.mask' if 'optdst' not in o.flags else '(dst.mask | _)'


def operand(o, s):
    text = 'abc'[s] if o.kind != 'TEX' else f'src{s}'
    if o.kind == 'IPA':
        text = 'v[n]' if s == 0 else 'src1'
    if o.is_scalar(s):
        text += '.x'
    if o.takes_mods(s):
        text = '[-]' + text
    return text


def syntax(o):
    """Returns the syntax of an operation in the text form."""
    text = o.name
    if o.takes_sat():
        text += '[_SAT]'
    if 'zmul' in o.flags:
        text += '[_Z]'
    if o.mod == 'cond':
        text += '.cond'
    if 'atomic' in o.flags:
        text += '.aop'
    if o.payload == 'reduce':
        text += '.reduction'
    parts = [destination(o)] if o.dst != '-' else []
    if o.kind == 'MEM':
        place = next(name + ('[unit]' if limit else '')
                     for name, limit, _, names in isa.MEM_PLACES if o.name in names)
        parts.append(place + ('[src0.x + offset]' if o.srcs else '') +
                     ('.mask' if 'wmask' in o.flags else ''))
        parts += [f'src{s}' for s in range(1, len(o.srcs))]
    elif o.kind == 'IMG':
        parts += [f'src{s}' for s in range(len(o.srcs))] + ['img[unit]', 'target']
    elif o.payload == 'tex':
        _, shadow, offset, sampler, src0, src1 = isa.TEX_OPS[o.name]
        optional = {'src0': src0 == 'level', 'src1': src1 in ('-', 'level')}
        parts += [f'[src{s}]' if optional[f'src{s}'] else f'src{s}' for s in range(len(o.srcs))]
        parts.append('tex[unit]' + ('[.comp]' if o.name == 'TG4' else ''))
        if sampler:
            parts.append('smp[sampler]')
        parts.append('[SHADOW]target' if shadow else 'target')
        if offset:
            parts.append('[(offset)]')
    elif o.payload == 'branch':
        parts.append('label')
    elif o.payload == 'vertex_stream':
        parts.append('vertex_stream')
    elif o.payload == 'fetch':
        parts.append('unit')
    elif o.payload == 'reduce':
        parts += [operand(o, 0), 'lanes']
    else:
        parts += [operand(o, s) for s in range(len(o.srcs))]
    guard = '' if 'noguard' in o.flags else '[guard] '
    return f"{guard}{text}{' ' if parts else ''}{', '.join(parts)};"


def facts(o):
    """Returns a line with the code, kind, types, unit and flags of an operation."""
    words = [f'code `0x{o.code:03x}`', KIND_TEXT[o.kind]]
    if o.srcs:
        words.append(' '.join(TYPE_TEXT[t] for t in o.srcs) +
                     (f' to {TYPE_TEXT[o.dst]}' if o.dst != '-' else ''))
    elif o.dst != '-':
        words.append('to ' + TYPE_TEXT[o.dst])
    words.append(f'unit {o.unit}, {LATENCY[o.unit]} cycles')
    if 'vp1' in o.flags:
        words.append('**base profile**')
    if 'ps' in o.flags:
        words.append('pixel programs only')
    if 'quad' in o.flags:
        words.append('pixel and compute programs only')
    if 'gs' in o.flags:
        words.append('geometry programs only')
    if 'cs' in o.flags:
        words.append('compute programs only')
    if 'tc' in o.flags:
        words.append('tessellation control programs only')
    if 'patch' in o.flags:
        words.append('tessellation programs only')
    if 'prim' in o.flags:
        words.append('tessellation and geometry programs only')
    if 'effect' in o.flags:
        words.append('has a side effect')
    return '; '.join(words)


def expression(o):
    """Returns the lines with the expression of an operation, or an empty list if it has none."""
    if o.expr is None:
        return []
    if not isinstance(o.expr, dict):
        return [o.expr]
    if len(set(o.expr.values())) == 1:
        return [o.expr['x']]
    return [f'{c}: {o.expr[c]}' for c in 'xyzw']


def numbered(names):
    """Returns "NAME (number), ...", with consecutive numbered names merged into one item."""
    parts = []
    for i, name in enumerate(names):
        if not name or name.startswith('RSVD'):
            continue
        stem = name.rstrip('0123456789')
        first = next(j for j, n in enumerate(names) if n and n.rstrip('0123456789') == stem)
        last = max(j for j, n in enumerate(names) if n and n.rstrip('0123456789') == stem)
        if last - first < 3:
            parts.append(f'{name} ({i})')
        elif i == first:
            parts.append(f'{name} to {names[last]} ({first} to {last})')
    return ', '.join(parts)


def tex_rows():
    """Returns table rows with the targets, comparison, offsets and sampler of each texture
    operation."""
    for name, (targets, shadow, offset, sampler, src0, src1) in isa.TEX_OPS.items():
        yield [name, ', '.join(targets), 'yes' if shadow else '', 'yes' if offset else '',
               'yes' if sampler else '']


SECTIONS = [
    ('Base profile', 0x001, 0x01f),
    ('Float', 0x020, 0x03f),
    ('Integer, bits, conversions', 0x040, 0x06f),
    ('Quads', 0x070, 0x07f),
    ('Textures', 0x080, 0x09f),
    ('Memory and images', 0x0a0, 0x0bf),
    ('64 bits', 0x100, 0x13f),
    ('Subgroups', 0x140, 0x15f),
    ('', 0x170, 0x17f),
    ('Interpolation', 0x160, 0x16f),
    ('Control', 0x000, 0x000),
    ('', 0x0c0, 0x0df),
]


def sections():
    """Returns the section headings, each with its operations sorted by opcode."""
    out = []
    for title, first, last in SECTIONS:
        found = sorted((o for o in OPCODES.values() if first <= o.code <= last),
                       key=lambda o: o.code)
        if title:
            out.append((title, found))
        else:
            out[-1][1].extend(found)
    assert sum(len(ops) for _, ops in out) == len(OPCODES)
    return out
