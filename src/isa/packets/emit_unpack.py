# SPDX-License-Identifier: MIT
#
# Emits sgpu_packets_unpack.h and .c: decoders that check every bit.

from emit_pack import BANNER
from packets_xml import ADDRESS_BITS


def check_list(s, packet_header):
    """Returns the error messages of a struct in the order of the decoder's checks, without the name
    of the struct itself."""
    texts = []
    if packet_header and s.packet:
        texts.append('header is not that of the packet')
    for w in range(s.length):
        if s.covered[w] != 0xffffffff and not (s.packet and w == 0):
            texts.append(f'reserved bits of word {w} are set')
    for f in s.fields:
        if f.struct:
            texts += [f'{f.name}: {t}' for t in check_list(f.struct, False)]
        elif f.enum and not f.enum.covers(f.bits):
            texts.append(f'{f.name} is not a value of enum {f.enum.name}')
        elif f.type == 'address':
            texts.append(f'{f.name} has more than {ADDRESS_BITS} bits')
        elif f.limit is not None:
            texts.append(f'{f.name} is more than {f.limit}')
    return texts


def raw(f, at):
    if f.bits > 32:
        return f'get64(in + {at})'
    v = f'in[{at}]'
    if f.type == 'int' and f.bits < 32:
        up = 32 - f.bit - f.bits
        return f'(int32_t)({v} << {up}) >> {32 - f.bits}' if up else f'(int32_t){v} >> {f.bit}'
    if f.bit:
        v = f'{v} >> {f.bit}'
    if f.bit + f.bits < 32:
        v = f'({v} & {(1 << f.bits) - 1:#x}u)' if not f.bit else f'(({v}) & {(1 << f.bits) - 1:#x}u)'
    elif f.bit:
        v = f'({v})'
    return v


def value(f, at):
    v = raw(f, at)
    if f.enum:
        return f'(enum {f.enum.c}){v}'
    if f.type == 'float':
        return f'get_float({v})'
    if f.type == 'double':
        return f'get_double({v})'
    if f.type == 'int':
        return f'({f.ctype}){v}'
    if f.shr:
        v = f'({f.ctype}){v} << {f.shr}'
    if f.minus:
        v = f'({v}) + {f.minus}u'
    return v


def emit_decode(s):
    """Emits a static decoder, which returns 0 or the 1-based index of an error message."""
    n = 0
    lines = []

    def fail(cond, pad=''):
        nonlocal n
        n += 1
        lines.append(f'{pad}if ({cond})')
        lines.append(f'{pad}   return {n};')

    if s.packet:
        if s.tail:
            lines += [f'uint32_t words = sgpu_packet_words(in[0]) - {s.c}_LENGTH;',
                      f'uint32_t count = words / {s.tail.c}_LENGTH;']
            legal = (f'count != {s.tail_exact}' if s.tail_exact else f'count > {s.tail_max}')
            fail(f'in[0] != sgpu_packet_header({s.opcode_const}, sgpu_packet_words(in[0])) ||\n'
                 f'       {legal} || count * {s.tail.c}_LENGTH != words')
        else:
            fail(f'in[0] != sgpu_packet_header({s.opcode_const}, {s.c}_LENGTH)')
    for w in range(s.length):
        mask = ~s.covered[w] & 0xffffffff
        if mask and not (s.packet and w == 0):
            fail(f'in[{w}]' if mask == 0xffffffff else f'in[{w}] & {mask:#010x}u')
    for f in s.fields:
        pad, at, member = '', str(f.word), f'out->{f.c}'
        if f.array > 1:
            lines.append(f'for (unsigned i = 0; i < {f.array}; i++) {{')
            pad, at, member = '   ', f'{f.word} + i * {f.words}', f'{member}[i]'
        if f.struct:
            if len(check_list(f.struct, False)):
                lines.append(f'{pad}unsigned {f.c}_error = decode_{f.struct.c}(in + {at}, &{member});')
                lines.append(f'{pad}if ({f.c}_error)')
                lines.append(f'{pad}   return {n} + {f.c}_error;')
                n += len(check_list(f.struct, False))
            else:
                lines.append(f'{pad}decode_{f.struct.c}(in + {at}, &{member});')
        else:
            lines.append(f'{pad}{member} = {value(f, at)};')
            if f.enum and not f.enum.covers(f.bits):
                if f.enum.dense:
                    fail(f'(uint32_t){member} > {f.enum.max}', pad)
                else:
                    fail(f'!is_{f.enum.c}((uint32_t){member})', pad)
            elif f.type == 'address':
                fail(f'{member} >> SGPU_PACKET_ADDRESS_BITS', pad)
            elif f.limit is not None:
                fail(f'{member} > {f.limit}', pad)
        if f.array > 1:
            lines.append('}')
    if s.tail:
        lines.append('out->tail_count = count;')
    elif not s.fields:
        lines.append('out->unused = 0;')
    assert n == len(check_list(s, True)), s.name
    out = f'static unsigned\ndecode_{s.c}(const uint32_t *in, struct {s.c} *out)\n{{\n'
    out += ''.join(f'   {x}\n' for x in lines)
    return out + '   return 0;\n}\n\n'


def emit_unpack(s):
    texts = check_list(s, True)
    out = emit_decode(s)
    out += f'const char *\n{s.c}_unpack(const uint32_t *in, struct {s.c} *out)\n{{\n'
    if texts:
        out += '   static const char *const errors[] = {\n      NULL,\n'
        out += ''.join(f'      "{s.name}: {t}",\n' for t in texts)
        out += f'   }};\n   return errors[decode_{s.c}(in, out)];\n}}\n\n'
    else:
        out += f'   decode_{s.c}(in, out);\n   return NULL;\n}}\n\n'
    return out


def emit_enum_check(e):
    words = [0] * (e.max // 32 + 1)
    for _, v in e.values:
        words[v // 32] |= 1 << v % 32
    rows = ',\n      '.join(', '.join(f'{w:#010x}' for w in words[i:i + 6])
                            for i in range(0, len(words), 6))
    return f'''static bool
is_{e.c}(uint32_t v)
{{
   static const uint32_t known[] = {{
      {rows},
   }};
   return v <= {e.max} && known[v / 32] >> v % 32 & 1;
}}

'''


def emit_packet_check(model):
    rows = ''
    for p in sorted(model.packets, key=lambda p: p.code):
        tail = p.tail.length if p.tail else 0
        rows += (f'   [{p.opcode_const}] = {{ {p.length}, {tail}, {p.tail_exact}, {p.tail_max},\n'
                 f'      "{p.name}", "{p.name}: cut off by the end of the stream",\n'
                 f'      "{p.name}: not a legal length", '
                 f'"{p.name}: reserved bits of the header are set",\n'
                 f'      SGPU_PACKET_CLASS_{p.packet_class.upper()} }},\n')
    return f'''static const struct {{
   uint16_t length, tail_length, tail_min, tail_max;
   const char *name, *cut, *bad_length, *reserved;
   enum sgpu_packet_class packet_class;
}} packets[] = {{
{rows}}};

static bool
is_packet(uint32_t opcode)
{{
   return opcode < sizeof(packets) / sizeof(packets[0]) && packets[opcode].name;
}}

const char *
sgpu_packet_name(uint32_t opcode)
{{
   return is_packet(opcode) ? packets[opcode].name : NULL;
}}

enum sgpu_packet_class
sgpu_packet_class(uint32_t opcode)
{{
   return is_packet(opcode) ? packets[opcode].packet_class : SGPU_PACKET_CLASS_NONE;
}}

const char *
sgpu_packet_check(const uint32_t *in, uint32_t words_left)
{{
   if (words_left == 0)
      return "stream ends without END";
   uint32_t opcode = sgpu_packet_opcode(in[0]), words = sgpu_packet_words(in[0]);
   if (!is_packet(opcode))
      return "unknown packet opcode";
   if (in[0] != sgpu_packet_header((enum sgpu_packet)opcode, words))
      return packets[opcode].reserved;
   uint32_t tail = words - packets[opcode].length, each = packets[opcode].tail_length;
   uint32_t count = each ? tail / each : 0;
   if (words < packets[opcode].length || tail != count * each ||
       count < packets[opcode].tail_min || count > packets[opcode].tail_max)
      return packets[opcode].bad_length;
   return words > words_left ? packets[opcode].cut : NULL;
}}
'''


def emit_source(model):
    out = BANNER + '''/* Checked decoders of the command stream. */
#include "sgpu_packets_unpack.h"

static inline uint64_t
get64(const uint32_t *in)
{
   return in[0] | (uint64_t)in[1] << 32;
}

static inline float
get_float(uint32_t u)
{
   float f;
   memcpy(&f, &u, sizeof f);
   return f;
}

static inline double
get_double(uint64_t u)
{
   double f;
   memcpy(&f, &u, sizeof f);
   return f;
}

'''
    used = {f.enum.name for s in model.structs for f in s.fields
            if f.enum and not f.enum.covers(f.bits) and not f.enum.dense}
    out += ''.join(emit_enum_check(e) for e in model.enums if e.name in used)
    out += ''.join(emit_unpack(s) for s in model.structs)
    return out + emit_packet_check(model)


def emit_header(model):
    out = BANNER + '''/*
 * Checked decoders of the command stream. Each returns NULL, or a static text
 * that names struct and field: a reserved bit is set, an enum does not have the
 * value, an address has too many bits. The contents of *out are undefined after
 * an error.
 *
 * sgpu_packet_check() must accept a packet before it is decoded. Record i after
 * a packet is at SGPU_X_tail(in, i).
 */
#ifndef SGPU_PACKETS_UNPACK_H
#define SGPU_PACKETS_UNPACK_H

#include "sgpu_packets.h"

/* Returns NULL if the packet at `in` has a known opcode and a legal length of at
 * most `words_left`, else a static text.
 */
const char *sgpu_packet_check(const uint32_t *in, uint32_t words_left);

/* "DRAW" and so on; NULL for an unknown opcode. */
const char *sgpu_packet_name(uint32_t opcode);

/* SGPU_PACKET_CLASS_NONE for an unknown opcode. */
enum sgpu_packet_class sgpu_packet_class(uint32_t opcode);

'''
    for s in model.structs:
        out += f'const char *{s.c}_unpack(const uint32_t *in, struct {s.c} *out);\n'
    out += '\n'
    for s in model.structs:
        if s.tail:
            out += f'''/* Number of {s.tail.name} records after the packet. */
static inline uint32_t
{s.c}_count(const uint32_t *in)
{{
   return (sgpu_packet_words(in[0]) - {s.c}_LENGTH) / {s.tail.c}_LENGTH;
}}

'''
    return out + '#endif\n'
