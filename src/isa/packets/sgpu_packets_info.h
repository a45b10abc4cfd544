/* SPDX-License-Identifier: MIT */
/* Tables of packets, for printers and other tools that iterate over fields. Generated from
 * sgpu_packets.xml.
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

/* A value of an enum. `was` is a former name of the value, or NULL. */
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
   uint16_t word;     /* index of the word that contains the first element */
   uint8_t bit, bits; /* lowest bit in the word, and number of bits; `bits` is 0 for structs */
   uint8_t shr;       /* value = (stored << shr) + minus */
   uint32_t minus;
   uint64_t max;   /* highest legal value, or 0 if all encodable values are legal */
   uint16_t array; /* number of elements; 1 if the field is not an array */
   const struct sgpu_enum_info *enumeration;
   const struct sgpu_struct_info *structure;
};

struct sgpu_struct_info {
   const char *name, *was;
   bool packet;
   uint16_t length;         /* length in words */
   const uint32_t *covered; /* for each word, mask of the bits that belong to a field */
   const struct sgpu_field_info *fields;
   uint16_t num_fields;
   const struct sgpu_struct_info *tail;
};

/* Returns the description of a packet, or NULL if no packet has the opcode. */
const struct sgpu_struct_info *sgpu_packet_info(uint32_t opcode);
/* Finds a struct by its name in the XML, e.g. "VERTEX ELEMENT". Returns NULL if there is none. */
const struct sgpu_struct_info *sgpu_struct_info(const char *name);
const char *sgpu_enum_value_name(const struct sgpu_enum_info *info, uint32_t value);

#endif
