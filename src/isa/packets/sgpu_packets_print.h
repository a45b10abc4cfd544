/* SPDX-License-Identifier: MIT */
/*
 * Prints packets, records and whole streams as text.
 *
 * Each field has a line; the flags that are set share one line; nested structs
 * and the records after a packet are indented.  Values that the decoders refuse
 * are marked with "!!".
 */
#ifndef SGPU_PACKETS_PRINT_H
#define SGPU_PACKETS_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sgpu_struct_info;

struct sgpu_printer {
   FILE *fp;
   /* May be NULL. Writes a name for an address ("vertices + 0x40") to `text`;
    * returns false if it has none.
    */
   bool (*name_address)(void *data, uint64_t address, char *text, size_t size);
   /* May be NULL. Called after each packet, to print data that it points to (a
    * shader, for example), indented by `indent` spaces.
    */
   void (*after_packet)(void *data, FILE *fp, const uint32_t *packet, unsigned indent);
   void *data;
};

/* Packets must have passed sgpu_packet_check(). `indent` is in spaces. */
void sgpu_printer_packet(const struct sgpu_printer *printer, const uint32_t *in, unsigned indent);

/* The fields of one struct, without its name. */
void sgpu_printer_struct(const struct sgpu_printer *printer, const struct sgpu_struct_info *info,
                         const uint32_t *in, unsigned indent);

/* Prints packets, each after its word offset, up to END, the end of the words
 * or an illegal packet, which is reported.
 */
void sgpu_stream_print(FILE *fp, const uint32_t *words, uint64_t count);
void sgpu_printer_stream(const struct sgpu_printer *printer, const uint32_t *words, uint64_t count);

#endif
