# SPDX-License-Identifier: MIT
#
# Emits sgpu_packets_info.c: the tables of sgpu_packets_info.h.

from emit_pack import BANNER


def former(name):
    return f'"{name}"' if name else 'NULL'


def emit_enum(e):
    rows = ''.join(f'   {{ "{n}", {former(e.was.get(n))}, {v} }},\n' for n, v in e.values)
    return (f'static const struct sgpu_enum_value_info values_{e.c}[] = {{\n{rows}}};\n'
            f'static const struct sgpu_enum_info info_{e.c} = {{\n'
            f'   "{e.name}", values_{e.c}, {len(e.values)},\n}};\n\n')


def emit_field(f):
    kind = 'ENUM' if f.enum else 'STRUCT' if f.struct else f.type.upper()
    row = (f'.name = "{f.name}", .kind = SGPU_FIELD_{kind}, .word = {f.word}, .bit = {f.bit}, '
           f'.array = {f.array}')
    if f.was:
        row += f', .was = "{f.was}"'
    if f.struct:
        row += f',\n     .structure = &info_{f.struct.c}'
    else:
        row += f', .bits = {f.bits}'
    if f.enum:
        row += f',\n     .enumeration = &info_{f.enum.c}'
    if f.shr:
        row += f', .shr = {f.shr}'
    if f.minus:
        row += f', .minus = {f.minus}'
    if f.limit is not None:
        row += f', .max = {f.limit}'
    return f'   {{ {row} }},\n'


def emit_struct(s):
    out = ''
    covered = ', '.join(f'{w:#x}' for w in s.covered)
    if s.fields:
        out += f'static const struct sgpu_field_info fields_{s.c}[] = {{\n'
        out += ''.join(emit_field(f) for f in s.fields) + '};\n'
    out += f'static const uint32_t covered_{s.c}[] = {{ {covered} }};\n'
    out += f'static const struct sgpu_struct_info info_{s.c} = {{\n'
    out += f'   .name = "{s.name}", .length = {s.length}, .covered = covered_{s.c},\n'
    if s.packet:
        out += f'   .packet = true, .was = {former(s.was)},\n'
    if s.fields:
        out += f'   .fields = fields_{s.c}, .num_fields = {len(s.fields)},\n'
    if s.tail:
        out += f'   .tail = &info_{s.tail.c},\n'
    return out + '};\n\n'


def emit_source(model):
    used = {f.enum.name for s in model.structs for f in s.fields if f.enum}
    out = BANNER + '''#include "sgpu_packets_info.h"

#include <stddef.h>
#include <string.h>

#include "sgpu_packets.h"

'''
    out += ''.join(emit_enum(e) for e in model.enums if e.name in used)
    out += ''.join(emit_struct(s) for s in model.structs)
    by_code = ''.join(f'   [{p.opcode_const}] = &info_{p.c},\n' for p in model.packets)
    all_of_them = ''.join(f'   &info_{s.c},\n' for s in model.structs)
    return out + f'''static const struct sgpu_struct_info *const by_opcode[] = {{
{by_code}}};

static const struct sgpu_struct_info *const structs[] = {{
{all_of_them}}};

const struct sgpu_struct_info *
sgpu_packet_info(uint32_t opcode)
{{
   return opcode < sizeof(by_opcode) / sizeof(by_opcode[0]) ? by_opcode[opcode] : NULL;
}}

const struct sgpu_struct_info *
sgpu_struct_info(const char *name)
{{
   for (unsigned i = 0; i < sizeof(structs) / sizeof(structs[0]); i++) {{
      if (strcmp(structs[i]->name, name) == 0)
         return structs[i];
   }}
   return NULL;
}}

const char *
sgpu_enum_value_name(const struct sgpu_enum_info *info, uint32_t value)
{{
   for (uint32_t i = 0; i < info->num_values; i++) {{
      if (info->values[i].value == value)
         return info->values[i].name;
   }}
   return NULL;
}}
'''
