/* SPDX-License-Identifier: MIT */
/*
 * The packets as tables, for printers and other tools that walk fields. The
 * tables are generated from sgpu_packets.xml.
 */
#ifndef SGPU_PACKETS_INFO_H
#define SGPU_PACKETS_INFO_H

#include <stdbool.h>
#include <stdint.h>

enum sgpu_field_kind {
   SGPU_FIELD_UINT,
   SGPU_FIELD_INT,
   SGPU_FIELD_HEX,
   SGPU_FIELD_BOOL,
   SGPU_FIELD_FLOAT,
   SGPU_FIELD_DOUBLE,
   SGPU_FIELD_ADDRESS,
   SGPU_FIELD_ENUM,
   SGPU_FIELD_STRUCT,
};

/* `was` is a former name, NULL for most. */
struct sgpu_enum_value_info {
   const char *name, *was;
   uint32_t value;
};

struct sgpu_enum_info {
   const char *name;
   const struct sgpu_enum_value_info *values;
   uint32_t num_values;
};

struct sgpu_field_info {
   const char *name, *was;
   enum sgpu_field_kind kind;
   uint16_t word;     /* of the first element */
   uint8_t bit, bits; /* structs: bits is 0 */
   uint8_t shr;       /* value = (stored << shr) + minus */
   uint32_t minus;
   uint64_t max;   /* highest legal value; 0: all values that fit */
   uint16_t array; /* elements, 1 for most */
   const struct sgpu_enum_info *enumeration;
   const struct sgpu_struct_info *structure;
};

struct sgpu_struct_info {
   const char *name, *was;
   bool packet;
   uint16_t length;         /* words */
   const uint32_t *covered; /* by word: bits that belong to a field */
   const struct sgpu_field_info *fields;
   uint16_t num_fields;
   const struct sgpu_struct_info *tail;
};

/* NULL if no packet has the opcode. */
const struct sgpu_struct_info *sgpu_packet_info(uint32_t opcode);
/* By the name in the XML, "VERTEX ELEMENT" for example; NULL if there is no such struct. */
const struct sgpu_struct_info *sgpu_struct_info(const char *name);
const char *sgpu_enum_value_name(const struct sgpu_enum_info *info, uint32_t value);

#endif
