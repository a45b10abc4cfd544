/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target (libFuzzer's interface): runs arbitrary words through the header check, every
 * decoder, the printer and the layout's checks of descriptors. Words that a decoder accepts must
 * pack to the same words. The printer must mark exactly the words that a decoder refuses.
 */
#define _POSIX_C_SOURCE 200809L /* for open_memstream */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_layout.h"
#include "sgpu_packets.h"
#include "sgpu_packets_info.h"
#include "sgpu_packets_print.h"
#include "sgpu_packets_unpack.h"
#include "fuzz_packets_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_WORDS 4096

static void
require(bool holds, const char *what)
{
   if (!holds) {
      fprintf(stderr, "fuzz_packets: %s\n", what);
      abort();
   }
}

static void
check_layout(const uint32_t *words, const struct sgpu_struct_info *info)
{
   struct SGPU_SURFACE surface;
   struct SGPU_TEXTURE texture;
   struct sgpu_layout layout;
   uint64_t size;

   if (strcmp(info->name, "SURFACE") == 0 && !SGPU_SURFACE_unpack(words, &surface) &&
       !sgpu_surface_check(&surface, &size)) {
      const struct sgpu_format_info *f = sgpu_format_info(surface.format);
      const uint32_t x = sgpu_elements(surface.width, f->block_width) - 1;
      const uint32_t y = sgpu_elements(surface.height, f->block_height) - 1;
      const uint64_t last = sgpu_surface_address(&surface, surface.layers - 1,
                                                 (1u << surface.samples_log2) - 1, x, y,
                                                 f->block_bytes);
      require(last + f->block_bytes <= surface.address + size, "element behind the surface");
   }
   if (strcmp(info->name, "TEXTURE") == 0 && !SGPU_TEXTURE_unpack(words, &texture) &&
       !sgpu_texture_check(&texture, &layout, &size))
      require(size > 0 && size <= 1ull << 40, "size of a texture");
}

static void
one_record(const uint32_t *words, unsigned index, const struct sgpu_printer *printer)
{
   const struct sgpu_struct_info *info = sgpu_struct_info(fuzz_structs[index].name);
   uint32_t again[64];
   char *text = NULL;
   size_t length = 0;
   struct sgpu_printer to_memory = *printer;

   require(info && info->length <= 64, "no table of a struct");
   const char *error = fuzz_structs[index].repack(words, again);
   if (!error)
      require(memcmp(words, again, info->length * 4) == 0, "packs to other words");

   to_memory.fp = open_memstream(&text, &length);
   sgpu_printer_struct(&to_memory, info, words, 0);
   fclose(to_memory.fp);
   /* The printer of a struct does not check the packet's header. */
   if (!info->packet || error == NULL)
      require((strstr(text, "!!") != NULL) == (error != NULL), "printer and decoder disagree");
   free(text);
   check_layout(words, info);
}

static bool
name_address(void *data, uint64_t address, char *text, size_t size)
{
   (void)data;
   snprintf(text, size, "%llx", (unsigned long long)address);
   return address & 1;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   uint32_t words[MAX_WORDS + 64];
   const uint32_t count = (uint32_t)(size / 4 < MAX_WORDS ? size / 4 : MAX_WORDS);
   const struct sgpu_printer printer = { .name_address = name_address };
   char *text = NULL;
   size_t length = 0;

   memset(words, 0, sizeof words);
   if (count)
      memcpy(words, data, count * 4);

   /* The words as a stream. */
   uint32_t at = 0;
   while (!sgpu_packet_check(words + at, count - at)) {
      const uint32_t opcode = sgpu_packet_opcode(words[at]);
      const struct sgpu_struct_info *info = sgpu_packet_info(opcode);
      const uint32_t packet = sgpu_packet_words(words[at]);
      require(info && packet >= info->length && packet <= count - at, "header check");
      for (unsigned i = 0; fuzz_structs[i].name; i++) {
         if (strcmp(fuzz_structs[i].name, info->name) == 0)
            one_record(words + at, i, &printer);
         if (!info->tail || strcmp(fuzz_structs[i].name, info->tail->name) != 0)
            continue;
         for (uint32_t w = info->length; w < packet; w += info->tail->length)
            one_record(words + at + w, i, &printer);
      }
      if (opcode == SGPU_PACKET_END)
         break;
      at += packet;
   }
   struct sgpu_printer to_memory = printer;
   to_memory.fp = open_memstream(&text, &length);
   sgpu_printer_stream(&to_memory, words, count);
   fclose(to_memory.fp);
   free(text);

   /* The words as one record of each kind. */
   for (unsigned i = 0; fuzz_structs[i].name; i++)
      one_record(words, i, &printer);
   return 0;
}
