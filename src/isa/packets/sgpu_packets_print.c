/* SPDX-License-Identifier: MIT */
/* Printer of packets, based on the tables of sgpu_packets_info.h. */
#include "sgpu_packets_print.h"

#include <inttypes.h>
#include <string.h>

#include "sgpu_packets.h"
#include "sgpu_packets_info.h"
#include "sgpu_packets_unpack.h"
#include "sgpu_printable.h"

static void
pad(const struct sgpu_printer *p, unsigned indent)
{
   fprintf(p->fp, "%*s", (int)indent, "");
}

static uint64_t
stored_bits(const struct sgpu_field_info *f, const uint32_t *in)
{
   if (f->bits > 32)
      return in[0] | (uint64_t)in[1] << 32;
   return (in[0] >> f->bit) & (UINT32_MAX >> (32 - f->bits));
}

static void
print_address(const struct sgpu_printer *p, uint64_t address)
{
   char text[128];

   fprintf(p->fp, " 0x%012" PRIx64, address);
   if (address >> SGPU_PACKET_ADDRESS_BITS)
      fprintf(p->fp, " !! more than %d bits", SGPU_PACKET_ADDRESS_BITS);
   else if (address && p->name_address && p->name_address(p->data, address, text, sizeof text)) {
      fputs(" <", p->fp);
      sgpu_printable_put(p->fp, text, sizeof text);
      fputc('>', p->fp);
   }
}

static void
print_value(const struct sgpu_printer *p, const struct sgpu_field_info *f, const uint32_t *in)
{
   const uint64_t bits = stored_bits(f, in);
   const uint64_t value = (bits << f->shr) + f->minus;
   const uint64_t sign = 1ull << (f->bits - 1);
   const char *name;
   float single;
   double twice;

   switch (f->kind) {
   case SGPU_FIELD_UINT:
   case SGPU_FIELD_BOOL:
      fprintf(p->fp, " %" PRIu64, value);
      if (f->max && value > f->max)
         fprintf(p->fp, " !! more than %" PRIu64, f->max);
      break;
   case SGPU_FIELD_INT:
      fprintf(p->fp, " %" PRId64, (int64_t)((bits ^ sign) - sign));
      break;
   case SGPU_FIELD_HEX:
      fprintf(p->fp, " 0x%0*" PRIx64, (f->bits + 3) / 4, value);
      break;
   case SGPU_FIELD_FLOAT:
      memcpy(&single, in, sizeof single);
      fprintf(p->fp, " %.9g", (double)single);
      break;
   case SGPU_FIELD_DOUBLE:
      memcpy(&twice, &bits, sizeof twice);
      fprintf(p->fp, " %.17g", twice);
      break;
   case SGPU_FIELD_ADDRESS:
      print_address(p, bits);
      break;
   case SGPU_FIELD_ENUM:
      name = sgpu_enum_value_name(f->enumeration, (uint32_t)bits);
      if (name)
         fprintf(p->fp, " %s", name);
      else
         fprintf(p->fp, " %" PRIu64 " !! no %s", bits, f->enumeration->name);
      break;
   case SGPU_FIELD_STRUCT:
      break;
   }
}

static void
print_field(const struct sgpu_printer *p, const struct sgpu_field_info *f, const uint32_t *in,
            unsigned indent)
{
   const unsigned words = f->bits > 32 ? 2 : 1;

   pad(p, indent);
   fprintf(p->fp, "%s:", f->name);
   if (f->kind == SGPU_FIELD_STRUCT) {
      fputc('\n', p->fp);
      for (unsigned i = 0; i < f->array; i++)
         sgpu_printer_struct(p, f->structure, in + f->word + i * f->structure->length, indent + 3);
      return;
   }
   for (unsigned i = 0; i < f->array; i++) {
      if (i && i % 4 == 0) {
         fputc('\n', p->fp);
         pad(p, indent + (unsigned)strlen(f->name) + 1);
      }
      print_value(p, f, in + f->word + i * words);
   }
   fputc('\n', p->fp);
}

static void
print_flags(const struct sgpu_printer *p, const struct sgpu_struct_info *info, const uint32_t *in,
            unsigned indent)
{
   const char *before = "Set: ";

   for (unsigned i = 0; i < info->num_fields; i++) {
      const struct sgpu_field_info *f = &info->fields[i];
      if (f->kind != SGPU_FIELD_BOOL || !stored_bits(f, in + f->word))
         continue;
      if (before[0] == 'S')
         pad(p, indent);
      fprintf(p->fp, "%s%s", before, f->name);
      before = ", ";
   }
   if (before[0] != 'S')
      fputc('\n', p->fp);
}

void
sgpu_printer_struct(const struct sgpu_printer *p, const struct sgpu_struct_info *info,
                    const uint32_t *in, unsigned indent)
{
   print_flags(p, info, in, indent);
   for (unsigned i = 0; i < info->num_fields; i++) {
      if (info->fields[i].kind != SGPU_FIELD_BOOL)
         print_field(p, &info->fields[i], in, indent);
   }
   for (unsigned i = 0; i < info->length; i++) {
      if (in[i] & ~info->covered[i]) {
         pad(p, indent);
         fprintf(p->fp, "!! reserved bits of word %u: 0x%08" PRIx32 "\n", i,
                 in[i] & ~info->covered[i]);
      }
   }
}

/* Prints the words of a MARKER as text, up to the first NUL. */
static void
print_text(const struct sgpu_printer *p, const uint32_t *in, unsigned words, unsigned indent)
{
   char text[SGPU_MARKER_TAIL_MAX * 4 + 1] = "";

   memcpy(text, in, words * 4);
   pad(p, indent);
   fputc('"', p->fp);
   for (const char *at = text; *at;) {
      const size_t plain = strcspn(at, "\"\\");
      sgpu_printable_put(p->fp, at, plain);
      at += plain;
      if (*at)
         fprintf(p->fp, "\\x%02x", *at++);
   }
   fputs("\"\n", p->fp);
}

void
sgpu_printer_packet(const struct sgpu_printer *p, const uint32_t *in, unsigned indent)
{
   const struct sgpu_struct_info *info = sgpu_packet_info(sgpu_packet_opcode(in[0]));

   pad(p, indent);
   if (!info) {
      fprintf(p->fp, "!! unknown packet opcode %" PRIu32 "\n", sgpu_packet_opcode(in[0]));
      return;
   }
   fprintf(p->fp, "%s\n", info->name);
   indent += 3;
   sgpu_printer_struct(p, info, in, indent);
   if (info->tail) {
      const uint32_t length = info->tail->length;
      const uint32_t count = (sgpu_packet_words(in[0]) - info->length) / length;
      if (sgpu_packet_opcode(in[0]) == SGPU_PACKET_MARKER) {
         print_text(p, in + info->length, count * length, indent);
      } else {
         for (uint32_t i = 0; i < count; i++) {
            pad(p, indent);
            fprintf(p->fp, "%s %" PRIu32 "\n", info->tail->name, i);
            sgpu_printer_struct(p, info->tail, in + info->length + i * length, indent + 3);
         }
      }
   }
   if (p->after_packet)
      p->after_packet(p->data, p->fp, in, indent);
}

void
sgpu_printer_stream(const struct sgpu_printer *p, const uint32_t *words, uint64_t count)
{
   for (uint64_t at = 0;;) {
      const uint64_t left = count - at;
      const char *error = sgpu_packet_check(words + at,
                                            left < UINT32_MAX ? (uint32_t)left : UINT32_MAX);
      fprintf(p->fp, "%06" PRIx64 ": ", at);
      if (error) {
         fprintf(p->fp, "!! %s\n", error);
         return;
      }
      sgpu_printer_packet(p, words + at, 0);
      if (sgpu_packet_opcode(words[at]) == SGPU_PACKET_END)
         return;
      at += sgpu_packet_words(words[at]);
   }
}

void
sgpu_stream_print(FILE *fp, const uint32_t *words, uint64_t count)
{
   sgpu_printer_stream(&(struct sgpu_printer){ .fp = fp }, words, count);
}
