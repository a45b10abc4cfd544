/* SPDX-License-Identifier: MIT */
/*
 * Translator: lists translated programs, for debugging and for perf.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "shader/program/sgd_decode.h"
#include "shader/translate/sgd_translate.h"
#include "shader/program/sgd_translation.h"
#include "sgpu_disasm.h"

/* Iterator over the regions of a translated program. */
struct part {
   uint32_t number, first; /* number: index of the region; first: index of its first instruction */
   const struct sgd_native *native;
   /* start of the function without a mask and of those with one (of which the second is that of a
    * loop), and end of the region's code; masked == end if no function has a mask
    */
   const uint8_t *full, *masked, *end;
};

static const uint8_t *
code_end(const struct sgd_translation *t)
{
   return (const uint8_t *)t->code + t->size;
}

/* Returns the end of the regions' code. If the whole program has code, it starts there. */
static const uint8_t *
regions_end(const struct sgd_translation *t)
{
   return t->program ? (const uint8_t *)t->program : code_end(t);
}

static const uint8_t *
region_end(const struct sgd_translation *t, uint32_t n)
{
   return n + 1 < t->num_regions ? (const uint8_t *)t->regions[n + 1].full : regions_end(t);
}

/* Advances to the first region that starts at or after instruction part->first. Returns false if
 * there is none.
 */
static bool
find_part(const struct sgd_shader *shader, struct part *part)
{
   const struct sgd_decoded *decoded = (const struct sgd_decoded *)shader->code;
   const struct sgd_translation *t = decoded->translation;

   while (part->first < shader->num_instrs && !decoded->ins[part->first].native)
      part->first++;
   if (part->first == shader->num_instrs)
      return false;
   part->number = decoded->ins[part->first].native - 1u;
   part->native = &t->regions[part->number];
   part->full = (const uint8_t *)part->native->full;
   part->end = region_end(t, part->number);
   part->masked = part->native->masked ? (const uint8_t *)part->native->masked : part->end;
   return true;
}

/* Prints bytes in a format that `xxd -r` can read. */
static void
print_bytes(FILE *fp, const char *what, const uint8_t *from, const uint8_t *end)
{
   fprintf(fp, "%s: %zu bytes at %p\n", what, (size_t)(end - from), (const void *)from);
   for (const uint8_t *row = from; row < end; row += 16) {
      fprintf(fp, "%08zx:", (size_t)(row - from));
      for (const uint8_t *p = row; p < end && p < row + 16; p++)
         fprintf(fp, " %02x", *p);
      fputc('\n', fp);
   }
}

static void
print_instructions(FILE *fp, const struct sgd_shader *shader, uint32_t first, uint32_t end)
{
   char text[SGPU_DISASM_MAX];
   for (uint32_t n = first; n < end; n++) {
      struct sgpu_instr instr;
      sgpu_instr_unpack(shader->words + 4 * (size_t)n, &instr);
      sgpu_disasm_instr(&instr, shader->stage, shader->vp1, text);
      fprintf(fp, "%6" PRIu32 ": %s\n", n, text);
   }
}

void
sgd_print_translation(const struct sgd_shader *shader, uint64_t ns)
{
   const struct sgd_translation *t = ((const struct sgd_decoded *)shader->code)->translation;
   struct part part = { .first = 0 };
   uint32_t last = 0;

   flockfile(stderr);
   fprintf(stderr,
           "sgpu: jit: %s program %016" PRIx64 ": %" PRIu32 " instructions, %" PRIu32
           " regions, %zu bytes, %" PRIu64 " us\n",
           sgpu_stage_name(shader->stage), shader->key, shader->num_instrs, t->num_regions, t->size,
           ns / 1000);
   while (find_part(shader, &part)) {
      if (last < part.first)
         fprintf(stderr, "outside of regions:\n");
      print_instructions(stderr, shader, last, part.first);
      last = part.first + part.native->span;
      fprintf(stderr, "region %" PRIu32 "%s:\n", part.number,
              part.native->quad ? ", for whole quads" : "");
      print_instructions(stderr, shader, part.first, last);
      if (part.native->jump)
         fprintf(stderr, "and, up to %" PRIu32 ":\n", part.native->next);
      print_instructions(stderr, shader,
                         part.native->next - (part.native->length - part.native->span),
                         part.native->next);
      print_bytes(stderr, part.native->masked ? "full" : "full, constants", part.full, part.masked);
      if (part.native->masked)
         print_bytes(stderr, "masked, constants", part.masked, part.end);
      part.first = last;
   }
   if (last < shader->num_instrs)
      fprintf(stderr, "outside of regions:\n");
   print_instructions(stderr, shader, last, shader->num_instrs);
   if (t->program)
      print_bytes(stderr, "program", regions_end(t), code_end(t));
   funlockfile(stderr);
}

void
sgd_print_lookups(const struct sgd_shader *shader, uint64_t ns)
{
   const struct sgd_decoded *decoded = (const struct sgd_decoded *)shader->code;
   const struct sgd_translation *t = decoded->translation->with_lookups;

   flockfile(stderr);
   fprintf(stderr,
           "sgpu: jit: %s program %016" PRIx64 " with lookups: %" PRIu32
           " regions, %zu bytes, %" PRIu64 " us\n",
           sgpu_stage_name(shader->stage), shader->key, t->num_regions, t->size, ns / 1000);
   for (uint32_t n = 0; n < t->num_regions; n++) {
      const struct sgd_native *r = &t->regions[n];
      fprintf(stderr, "region %" PRIu32 ", %u instructions, %u lookups:\n", n, r->length,
              r->textures);
      print_bytes(stderr, "code, constants", (const uint8_t *)r->full, region_end(t, n));
   }
   funlockfile(stderr);
}

void
sgd_list_translation(const struct sgd_shader *shader, void *file)
{
   const struct sgd_translation *t = ((const struct sgd_decoded *)shader->code)->translation;
   struct part part = { .first = 0 };
   const char *comma = "";
   FILE *fp = file;

   fprintf(fp, "\"begin\":%" PRIuPTR ",\"end\":%" PRIuPTR ",\"parts\":[", (uintptr_t)t->code,
           (uintptr_t)code_end(t));
   while (find_part(shader, &part)) {
      fprintf(fp, "%s[%" PRIuPTR ",%zu,%" PRIu32 ",0]", comma, (uintptr_t)part.full,
              (size_t)(part.masked - part.full), part.first);
      comma = ",";
      if (part.native->masked)
         fprintf(fp, ",[%" PRIuPTR ",%zu,%" PRIu32 ",1]", (uintptr_t)part.masked,
                 (size_t)(part.end - part.masked), part.first);
      part.first += part.native->span;
   }
   if (t->program)
      fprintf(fp, "%s[%" PRIuPTR ",%zu,0,2]", comma, (uintptr_t)regions_end(t),
              (size_t)(code_end(t) - regions_end(t)));
   fputs("],\"places\":[", fp);
   for (uint32_t i = 0; i < t->num_places; i++)
      fprintf(fp, "%s[%" PRIu32 ",%" PRId32 "]", i ? "," : "", t->places[i].offset,
              (int32_t)t->places[i].instr);
   fputc(']', fp);
}

/* Opens the file of symbols that perf reads. Returns NULL if that is not possible. */
static FILE *
open_map(void)
{
   char path[64];

   /* perf requires this file name. Other users can write to /tmp, so don't follow symlinks. */
   snprintf(path, sizeof(path), "/tmp/perf-%ld.map", (long)getpid());
   const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);
   FILE *fp = fd >= 0 ? fdopen(fd, "a") : NULL;
   if (!fp && fd >= 0)
      close(fd);
   return fp;
}

void
sgd_map_lookups(const struct sgd_shader *shader)
{
   const struct sgd_decoded *decoded = (const struct sgd_decoded *)shader->code;
   const struct sgd_translation *t = decoded->translation->with_lookups;
   FILE *fp = open_map();

   if (!fp)
      return;
   fprintf(fp, "%" PRIxPTR " %zx %s_%016" PRIx64 "_lookups\n", (uintptr_t)t->code, t->size,
           sgpu_stage_name(shader->stage), shader->key);
   fclose(fp);
}

void
sgd_map_translation(const struct sgd_shader *shader)
{
   const struct sgd_translation *t = ((const struct sgd_decoded *)shader->code)->translation;
   struct part part = { .first = 0 };
   FILE *fp = open_map();

   if (!fp)
      return;
   while (find_part(shader, &part)) {
      const char *stage = sgpu_stage_name(shader->stage);
      fprintf(fp, "%" PRIxPTR " %zx %s_%016" PRIx64 "_%" PRIu32 "\n", (uintptr_t)part.full,
              (size_t)(part.masked - part.full), stage, shader->key, part.first);
      if (part.native->masked)
         fprintf(fp, "%" PRIxPTR " %zx %s_%016" PRIx64 "_%" PRIu32 "_masked\n",
                 (uintptr_t)part.masked, (size_t)(part.end - part.masked), stage, shader->key,
                 part.first);
      part.first += part.native->span;
   }
   if (t->program)
      fprintf(fp, "%" PRIxPTR " %zx %s_%016" PRIx64 "\n", (uintptr_t)regions_end(t),
              (size_t)(code_end(t) - regions_end(t)), sgpu_stage_name(shader->stage), shader->key);
   fclose(fp);
}
