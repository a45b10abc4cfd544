/* SPDX-License-Identifier: MIT */
/* Prints packets as JSON. */
#include "cap_json.h"

#include <inttypes.h>
#include <string.h>

#include "sgpu_packets.h"
#include "sgpu_packets_info.h"
#include "sgpu_packets_unpack.h"
#include "sgpu_printable.h"

void
cap_json_string(FILE *fp, const char *text)
{
   size_t left = strlen(text);

   fputc('"', fp);
   for (const unsigned char *c = (const unsigned char *)text; *c; c++, left--) {
      if (*c == '"' || *c == '\\') {
         fprintf(fp, "\\%c", *c);
         /* escape '<', since it could end a <script> element */
      } else if (*c < ' ' || *c == 0x7f || *c == '<') {
         fprintf(fp, "\\u%04x", *c);
      } else if (*c < 0x80) {
         fputc(*c, fp);
      } else {
         const unsigned n = sgpu_printable_bytes((const char *)c, left);
         if (n) {
            fwrite(c, 1, n, fp);
            c += n - 1;
            left -= n - 1;
         } else {
            fputs("\\ufffd", fp);
         }
      }
   }
   fputc('"', fp);
}

/* Prints a float.  Infinities and NaNs are printed as strings, since JSON has no numbers for them.
 */
static void
put_double(FILE *fp, double v, int digits)
{
   if (v - v != 0)
      fprintf(fp, "\"%s\"", v != v ? "nan" : v > 0 ? "inf" : "-inf");
   else
      fprintf(fp, "%.*g", digits, v);
}

static void
put_value(FILE *fp, struct cap_player *p, const struct sgpu_field_info *f, const uint32_t *in)
{
   const uint64_t bits = f->bits > 32 ? in[0] | (uint64_t)in[1] << 32
                                      : (in[0] >> f->bit) & (UINT32_MAX >> (32 - f->bits));
   const uint64_t value = (bits << f->shr) + f->minus, sign = 1ull << (f->bits - 1);
   const char *name;
   char text[128];
   float single;
   double twice;

   switch (f->kind) {
   case SGPU_FIELD_BOOL:
      fputs(bits ? "true" : "false", fp);
      break;
   case SGPU_FIELD_INT:
      fprintf(fp, "%" PRId64, (int64_t)((bits ^ sign) - sign));
      break;
   case SGPU_FIELD_FLOAT:
      memcpy(&single, in, sizeof single);
      put_double(fp, single, 9);
      break;
   case SGPU_FIELD_DOUBLE:
      memcpy(&twice, &bits, sizeof twice);
      put_double(fp, twice, 17);
      break;
   case SGPU_FIELD_ADDRESS:
      fprintf(fp, "{\"address\": %" PRIu64, bits);
      if (bits && cap_player_name(p, bits, text, sizeof text)) {
         fputs(", \"is\": ", fp);
         cap_json_string(fp, text);
      }
      fputc('}', fp);
      break;
   case SGPU_FIELD_ENUM:
      name = sgpu_enum_value_name(f->enumeration, (uint32_t)bits);
      if (name)
         cap_json_string(fp, name);
      else
         fprintf(fp, "%" PRIu64, bits);
      break;
   default:
      fprintf(fp, "%" PRIu64, value);
      break;
   }
}

static void
put_fields(FILE *fp, struct cap_player *p, const struct sgpu_struct_info *info, const uint32_t *in,
           const char *before)
{
   for (unsigned i = 0; i < info->num_fields; i++) {
      const struct sgpu_field_info *f = &info->fields[i];
      const unsigned words = f->kind == SGPU_FIELD_STRUCT ? f->structure->length
                             : f->bits > 32               ? 2
                                                          : 1;
      fputs(before, fp);
      before = ", ";
      cap_json_string(fp, f->name);
      fputs(": ", fp);
      if (f->array > 1)
         fputc('[', fp);
      for (unsigned a = 0; a < f->array; a++) {
         if (a)
            fputs(", ", fp);
         if (f->kind == SGPU_FIELD_STRUCT) {
            fputc('{', fp);
            put_fields(fp, p, f->structure, in + f->word + a * words, "");
            fputc('}', fp);
         } else {
            put_value(fp, p, f, in + f->word + a * words);
         }
      }
      if (f->array > 1)
         fputc(']', fp);
   }
}

void
cap_json_packet(FILE *fp, struct cap_player *p, const uint32_t *in, uint32_t word, const char *more)
{
   const struct sgpu_struct_info *info = sgpu_packet_info(sgpu_packet_opcode(in[0]));
   if (!info) {
      fputs("null", fp);
      return;
   }

   fputs("{\"packet\": ", fp);
   cap_json_string(fp, info->name);
   fprintf(fp, ", \"word\": %" PRIu32 "%s", word, more);
   if (sgpu_packet_opcode(in[0]) == SGPU_PACKET_MARKER) {
      char text[SGPU_MARKER_TAIL_MAX * 4 + 1] = "";
      memcpy(text, in + 1, (sgpu_packet_words(in[0]) - 1) * 4);
      fputs(", \"text\": ", fp);
      cap_json_string(fp, text);
      fputc('}', fp);
      return;
   }
   put_fields(fp, p, info, in, ", ");
   if (info->tail) {
      const uint32_t length = info->tail->length;
      const uint32_t count = (sgpu_packet_words(in[0]) - info->length) / length;
      fputs(", \"records\": [", fp);
      for (uint32_t i = 0; i < count; i++) {
         fputs(i ? ", {" : "{", fp);
         put_fields(fp, p, info->tail, in + info->length + i * length, "");
         fputc('}', fp);
      }
      fputc(']', fp);
   }
   fputc('}', fp);
}
