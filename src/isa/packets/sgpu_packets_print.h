/* SPDX-License-Identifier: MIT */
/*
 * Prints packets, records and whole streams as text.
 *
 * Each field has one line. The flags that are set share one line. Nested structs and the
 * records after a packet are indented. Values that the decoders refuse are marked with
 * "!!".
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
   /* Writes a name for an address ("vertices + 0x40") to `text`. Returns false if the
    * address has none. May be NULL.
    */
   bool (*name_address)(void *data, uint64_t address, char *text, size_t size);
   /* Called after each packet, to print data that the packet points to (for example a
    * shader), indented by `indent` spaces. May be NULL.
    */
   void (*after_packet)(void *data, FILE *fp, const uint32_t *packet, unsigned indent);
   void *data;
};

/* Prints a packet, which must have passed sgpu_packet_check(). `indent` is in spaces. */
void sgpu_printer_packet(const struct sgpu_printer *printer, const uint32_t *in, unsigned indent);

/* Prints the fields of one struct, without its name. */
void sgpu_printer_struct(const struct sgpu_printer *printer, const struct sgpu_struct_info *info,
                         const uint32_t *in, unsigned indent);

/* Print packets, each with its word offset before it, up to END, the end of the words or
 * an illegal packet, which is reported.
 */
void sgpu_stream_print(FILE *fp, const uint32_t *words, uint64_t count);
void sgpu_printer_stream(const struct sgpu_printer *printer, const uint32_t *words, uint64_t count);

#endif
