/* SPDX-License-Identifier: MIT */
/*
 * Prints packets, records and whole streams readably.
 *
 * One line a field; the flags that are set share one line; nested structs and
 * the records behind a packet are indented.  What no decoder would accept is
 * printed too, marked with "!!".
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
   /* May be NULL. Writes what an address is ("vertices + 0x40") to `text`;
    * false where it is nothing that is known.
    */
   bool (*name_address)(void *data, uint64_t address, char *text, size_t size);
   /* May be NULL. Called after each packet: may print what it points to, a
    * shader for example, `indent` spaces from the left.
    */
   void (*after_packet)(void *data, FILE *fp, const uint32_t *packet, unsigned indent);
   void *data;
};

/* Packets must have passed sgpu_packet_check(). `indent` is in spaces. */
void sgpu_printer_packet(const struct sgpu_printer *printer, const uint32_t *in,
                         unsigned indent);

/* The fields of one struct, without its name. */
void sgpu_printer_struct(const struct sgpu_printer *printer, const struct sgpu_struct_info *info,
                         const uint32_t *in, unsigned indent);

/* Every packet, each headed by its word offset, until END, the end of the
 * words or a packet that is not legal, which is reported.
 */
void sgpu_stream_print(FILE *fp, const uint32_t *words, uint64_t count);
void sgpu_printer_stream(const struct sgpu_printer *printer, const uint32_t *words,
                         uint64_t count);

#endif
