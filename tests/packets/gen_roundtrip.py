#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Writes roundtrip.c, a cmocka test of every struct and packet. The test packs,
# checks, decodes and compares random values. The decoder must refuse every reserved
# bit, every invalid value of an enum and every value above a limit, with a text
# that names the field. The printer must mark each of these.
#
#    gen_roundtrip.py XML_READER_DIR OUTPUT

import sys

sys.path.insert(0, sys.argv[1])
from packets_xml import ADDRESS_BITS, Model  # noqa: E402


def random_value(f):
    if f.enum:
        values = ', '.join(str(v) for _, v in f.enum.values)
        return (f'({f.ctype})((const uint32_t[]){{ {values} }})'
                f'[random_below({len(f.enum.values)})]')
    if f.type == 'bool':
        return 'random_bits(1)'
    if f.type == 'float':
        return 'random_float()'
    if f.type == 'double':
        return 'random_double()'
    if f.type == 'address':
        return f'random_bits({ADDRESS_BITS})'
    if f.type == 'int':
        return f'({f.ctype})(random_bits({f.bits}) << {64 - f.bits}) >> {64 - f.bits}' \
            if f.bits < 32 else f'({f.ctype})random_bits({f.bits})'
    raw = f'random_bits({f.bits})' if f.limit is None else f'random_below({f.limit + 1})'
    return f'({f.ctype})(({raw} << {f.shr}) + {f.minus})' if f.shr or f.minus else \
        f'({f.ctype}){raw}'


def emit_random(s):
    out = f'static void\nrandom_{s.c}(struct {s.c} *v)\n{{\n   memset(v, 0, sizeof *v);\n'
    for f in s.fields:
        each = '[i]' if f.array > 1 else ''
        loop = f'   for (unsigned i = 0; i < {f.array}; i++)\n   ' if each else ''
        if f.struct:
            out += f'{loop}   random_{f.struct.c}(&v->{f.c}{each});\n'
        else:
            out += f'{loop}   v->{f.c}{each} = {random_value(f)};\n'
    if s.tail:
        out += f'   v->tail_count = {s.tail_exact or f"random_below({s.tail_max + 1})"};\n'
    return out + '}\n\n'


def emit_equal(s):
    out = f'static void\nequal_{s.c}(const struct {s.c} *a, const struct {s.c} *b)\n{{\n'
    for f in s.fields:
        each = '[i]' if f.array > 1 else ''
        loop = f'   for (unsigned i = 0; i < {f.array}; i++)\n   ' if each else ''
        m = f.c + each
        if f.struct:
            out += f'{loop}   equal_{f.struct.c}(&a->{m}, &b->{m});\n'
        elif f.type in ('float', 'double'):
            out += f'{loop}   assert_memory_equal(&a->{m}, &b->{m}, sizeof a->{m});\n'
        else:
            out += f'{loop}   assert_true(a->{m} == b->{m});\n'
    if s.tail:
        out += '   assert_int_equal(a->tail_count, b->tail_count);\n'
    elif not s.fields:
        out += '   (void)a, (void)b;\n'
    return out + '}\n\n'


def bad_ranges(f):
    """Ranges (first, last) of stored values that the decoder must refuse."""
    top = (1 << f.bits) - 1
    if f.enum:
        known = sorted(v for _, v in f.enum.values) + [top + 1]
        return [(a + 1, b - 1) for a, b in zip([-1] + known, known) if a + 1 < b]
    if f.type == 'address':
        return [(1 << ADDRESS_BITS, top)]
    if f.limit is not None:
        first = ((f.limit - f.minus) >> f.shr) + 1
        return [(first, top)] if first <= top else []
    return []


def all_bad(s, path='', at=0):
    for f in s.fields:
        for i in range(f.array):
            word = at + f.word + i * f.words
            if f.struct:
                yield from all_bad(f.struct, f'{path}{f.name}: ', word)
            for first, last in bad_ranges(f):
                yield word, f.bit, f.bits, first, last, f'{path}{f.name} '


def reserved(s, path='', at=0):
    for w in range(s.length):
        mask = ~s.covered[w] & 0xffffffff
        if mask and not (s.packet and w == 0):
            yield at + w, mask, f'{path}reserved bits of word {w} '
    for f in s.fields:
        if f.struct:
            yield from reserved(f.struct, f'{path}{f.name}: ', at + f.word)


def emit_test(s):
    bad = ''.join(f'   {{ {w}, {b}, {n}, {first:#x}, {last:#x}, "{s.name}: {t}" }},\n'
                  for w, b, n, first, last, t in all_bad(s))
    res = ''.join(f'   {{ {w}, {m:#x}, "{s.name}: {t}" }},\n' for w, m, t in reserved(s))
    out = f'''static const struct bad_value bad_{s.c}[] = {{
{bad}   {{ .text = NULL }},
}};

static const struct reserved_bits reserved_{s.c}[] = {{
{res}   {{ .text = NULL }},
}};

static const char *
decode_{s.c}(const uint32_t *in)
{{
   struct {s.c} v;
   return {s.c}_unpack(in, &v);
}}

'''
    out += f'''static void
test_{s.c}(void **state)
{{
   struct {s.c} a, b;
   uint32_t words[BUFFER_WORDS], again[BUFFER_WORDS];

   (void)state;
   for (unsigned n = 0; n < 400; n++) {{
      random_{s.c}(&a);
      fill(words);
      {s.c}_pack(words, &a);
      for (unsigned i = {s.length}; i < BUFFER_WORDS; i++)
         assert_int_equal(words[i], FILLER);
'''
    if s.tail:
        out += f'''      for (unsigned i = 0; i < a.tail_count; i++) {{
         struct {s.tail.c} r;
         random_{s.tail.c}(&r);
         {s.tail.c}_pack({s.c}_tail(words, i), &r);
      }}
      assert_int_equal({s.c}_count(words), a.tail_count);
      assert_int_equal({s.c}_length(a.tail_count), sgpu_packet_words(words[0]));
'''
    if s.packet:
        out += '      check_packet(words);\n'
    out += f'''      assert_null({s.c}_unpack(words, &b));
      equal_{s.c}(&a, &b);
      fill(again);
      {s.c}_pack(again, &b);
      assert_memory_equal(words, again, {s.length} * sizeof *words);
      check_refusals("{s.name}", words, decode_{s.c}, bad_{s.c}, reserved_{s.c});
   }}
   sgpu_pack(words, {s.c[5:]}, cfg) {{
   }}
   assert_null({s.c}_unpack(words, &b));
}}

'''
    return out


def main():
    model = Model()
    out = '''/* SPDX-License-Identifier: MIT */
/* Generated by tests/packets/gen_roundtrip.py. */
#include "roundtrip.h"

'''
    for s in model.structs:
        out += emit_random(s) + emit_equal(s)
    for s in model.structs:
        out += emit_test(s)
    tests = ''.join(f'      cmocka_unit_test(test_{s.c}),\n' for s in model.structs)
    out += f'''int
main(void)
{{
   const struct CMUnitTest tests[] = {{
{tests}   }};
   return cmocka_run_group_tests_name("roundtrip", tests, NULL, NULL);
}}
'''
    with open(sys.argv[2], 'w', encoding='utf-8') as f:
        f.write(out)


if __name__ == '__main__':
    main()
