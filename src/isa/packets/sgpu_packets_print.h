/* SPDX-License-Identifier: MIT */
/* Prints packets, records and whole streams as text.
 *
 * Each field is printed on a separate line, but all set flags are on one line. Nested structs and
 * the records after a packet are indented. Values that the decoders reject are marked with "!!".
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
   /* Writes a name for an address, e.g. "vertices + 0x40", to `text`. Returns false if the address
    * has no name. The callback may be NULL.
    */
   bool (*name_address)(void *data, uint64_t address, char *text, size_t size);
   /* Called after each packet, to print data that the packet refers to, e.g. a shader, indented by
    * `indent` spaces. The callback may be NULL.
    */
   void (*after_packet)(void *data, FILE *fp, const uint32_t *packet, unsigned indent);
   void *data;
};

/* Prints a packet that has passed sgpu_packet_check(). `indent` is the number of spaces before each
 * line.
 */
void sgpu_printer_packet(const struct sgpu_printer *printer, const uint32_t *in, unsigned indent);

/* Prints the fields of a struct, without the name of the struct. */
void sgpu_printer_struct(const struct sgpu_printer *printer, const struct sgpu_struct_info *info,
                         const uint32_t *in, unsigned indent);

/* Print packets, each preceded by its word offset. Stop at END, at the end of the words, or at an
 * illegal packet, which is reported.
 */
void sgpu_stream_print(FILE *fp, const uint32_t *words, uint64_t count);
void sgpu_printer_stream(const struct sgpu_printer *printer, const uint32_t *words, uint64_t count);

#endif
