/* SPDX-License-Identifier: MIT */
/* Packets: exact words, refused headers, classes, and the printed form. */
#define _POSIX_C_SOURCE 200809L /* for open_memstream */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sgpu_packets.h"
#include "sgpu_packets_info.h"
#include "sgpu_packets_print.h"
#include "sgpu_packets_unpack.h"
#include "stream.h"

static const char *reference_file;

static void
test_words(void **state)
{
   uint32_t w[64];

   (void)state;
   sgpu_pack(w, DRAW, cfg) {
      cfg.primitive = SGPU_PRIMITIVE_PATCHES;
      cfg.index_size = SGPU_INDEX_SIZE_U32;
      cfg.restart = true;
      cfg.patch_vertices = 32;
      cfg.first = 1;
      cfg.count = 0xffffffff;
      cfg.first_instance = 2;
      cfg.instances = 3;
      cfg.index_bias = -1;
      cfg.restart_index = 0xdeadbeef;
      cfg.index_address = 0xfedcba987654;
      cfg.index_bytes = 16;
      cfg.draw_id = 9;
      cfg.count_address = 0x123456789ab8;
      cfg.count_stride = 20;
   }
   const uint32_t draw[14] = {
      0x00000e20, 0x0002907e, 1,          0xffffffff, 2, 3,          0xffffffff,
      0xdeadbeef, 0xba987654, 0x0000fedc, 16,         9, 0x56789ab8, 0x00001234,
   };
   assert_memory_equal(w, draw, sizeof draw);

   sgpu_pack(w, SURFACE, cfg) {
      cfg.address = 0x12345678abc0;
      cfg.format = SGPU_FORMAT_R8_UNORM;
      cfg.layout = SGPU_LAYOUT_TILED;
      cfg.samples_log2 = 3;
      cfg.valid = true;
      cfg.width = 16384;
      cfg.height = 1;
      cfg.pitch = 0x10000;
      cfg.layer_stride = 0x3fffffffc0;
      cfg.sample_stride = 0x40;
      cfg.first_layer = 2047;
      cfg.layers = 2048;
      cfg.storage = 0x1000;
      cfg.level = 14;
   }
   const uint32_t surface[12] = {
      0x5678abc0, 0x1234,     0x000b1001, 0x00014000, 0x10000, 0xffffffff,
      1,          0x080007ff, 0x1000,     0,          14,      0,
   };
   assert_memory_equal(w, surface, sizeof surface);

   /* The default swizzle is the identity. */
   sgpu_pack(w, TEXTURE, cfg) {
   }
   const uint32_t texture[12] = { [7] = 0 | 1 << 3 | 2 << 6 | 3 << 9 };
   assert_memory_equal(w, texture, sizeof texture);

   /* All 8 blend targets follow in each packet. */
   sgpu_pack(w, BLEND, cfg) {
      cfg.logic_op = SGPU_LOGIC_OP_COPY;
   }
   assert_int_equal(w[0], 8 | 10 << 8);
   assert_int_equal(w[1], 12 << 1);
   assert_int_equal(SGPU_BLEND_count(w), 8);

   sgpu_pack(w, RECT, cfg) {
      cfg.x0 = -1;
      cfg.y1 = INT32_MIN;
   }
   assert_int_equal(w[0], 0xffffffff);
   assert_int_equal(w[3], 0x80000000);

   sgpu_pack(w, GRID, cfg) {
      cfg.group_size_x = 1024;
      cfg.group_size_y = 1;
      cfg.group_size_z = 64;
      cfg.conditional = true;
      cfg.indirect = true;
      cfg.shared_size = 65536;
      cfg.groups_x = 1;
      cfg.groups_y = 0xffffffff;
      cfg.groups_z = 3;
      cfg.address = 0x123456789ab8;
   }
   const uint32_t grid[8] = {
      0x0000082a, 0x00c00c00, 0x08000040, 1, 0xffffffff, 3, 0x56789ab8, 0x00001234,
   };
   assert_memory_equal(w, grid, sizeof grid);

   sgpu_pack(w, BLEND_COLOR, cfg) {
      cfg.g = -2.0f;
   }
   assert_int_equal(w[2], 0xc0000000);
}

/* Checks every opcode with every length. */
static void
test_headers(void **state)
{
   (void)state;
   for (uint32_t opcode = 0; opcode < 256; opcode++) {
      const struct sgpu_struct_info *info = sgpu_packet_info(opcode);
      assert_true((info == NULL) == (sgpu_packet_name(opcode) == NULL));
      if (info)
         assert_string_equal(info->name, sgpu_packet_name(opcode));
      unsigned legal = 0;
      for (uint32_t words = 0; words < 0x10000; words++) {
         const uint32_t header = opcode | words << 8;
         const char *error = sgpu_packet_check(&header, 0xffff);
         bool good = info && words >= info->length &&
                     (info->tail ? (words - info->length) % info->tail->length == 0
                                 : words == info->length);
         if (!good)
            assert_non_null(error);
         if (error) {
            if (info)
               assert_memory_equal(error, info->name, strlen(info->name));
         } else {
            assert_true(good);
            legal++;
         }
      }
      const unsigned counts[] = {
         [SGPU_PACKET_FRAMEBUFFER] = 10,      [SGPU_PACKET_VERTEX_ELEMENTS] = 33,
         [SGPU_PACKET_VERTEX_BUFFERS] = 33,   [SGPU_PACKET_TEXTURES] = 129,
         [SGPU_PACKET_SAMPLERS] = 33,         [SGPU_PACKET_VARYINGS] = 33,
         [SGPU_PACKET_XFB_OUTPUTS] = 129,     [SGPU_PACKET_XFB_BUFFERS] = 5,
         [SGPU_PACKET_STAGE_INPUTS] = 65,     [SGPU_PACKET_MARKER] = 65,
         [SGPU_PACKET_CONSTANT_VERSION] = 65, [SGPU_PACKET_BUFFERS] = 33,
         [SGPU_PACKET_IMAGES] = 33,           [SGPU_PACKET_WINDOW_RECTANGLES] = 9,
      };
      const unsigned tails = opcode < sizeof counts / sizeof counts[0] ? counts[opcode] : 0;
      assert_int_equal(legal, tails ? tails : info ? 1 : 0);
   }
}

/* The lists of classes agree with sgpu_packet_class(), and contain all packets. */
static void
test_classes(void **state)
{
   unsigned listed = 0, packets = 0;

   (void)state;
#define CHECK(CLASS, NAME, name)                                                       \
   assert_int_equal(sgpu_packet_class(SGPU_PACKET_##NAME), SGPU_PACKET_CLASS_##CLASS); \
   listed++;
#define CONTROL(NAME, name) CHECK(CONTROL, NAME, name)
#define STATE(NAME, name) CHECK(STATE, NAME, name)
#define WORK(NAME, name) CHECK(WORK, NAME, name)
#define QUERY(NAME, name) CHECK(QUERY, NAME, name)
   SGPU_FOREACH_CONTROL_PACKET(CONTROL)
   SGPU_FOREACH_STATE_PACKET(STATE)
   SGPU_FOREACH_WORK_PACKET(WORK)
   SGPU_FOREACH_QUERY_PACKET(QUERY)
   for (uint32_t opcode = 0; opcode < 300; opcode++) {
      assert_int_equal(sgpu_packet_class(opcode) != SGPU_PACKET_CLASS_NONE,
                       sgpu_packet_name(opcode) != NULL);
      packets += sgpu_packet_name(opcode) != NULL;
   }
   assert_int_equal(listed, packets);
   assert_int_equal(sgpu_packet_class(SGPU_PACKET_END), SGPU_PACKET_CLASS_CONTROL);
   assert_int_equal(sgpu_packet_class(SGPU_PACKET_PREDICATE), SGPU_PACKET_CLASS_STATE);
   assert_int_equal(sgpu_packet_class(SGPU_PACKET_STORE_RESULT), SGPU_PACKET_CLASS_WORK);
   assert_int_equal(sgpu_packet_class(SGPU_PACKET_END_QUERY), SGPU_PACKET_CLASS_QUERY);
}

static void
test_cut(void **state)
{
   uint32_t words[STREAM_WORDS];
   uint32_t count = build_stream(words);

   (void)state;
   for (uint32_t left = 0; left <= count; left++) {
      uint32_t at = 0;
      const char *error = NULL;
      while (!(error = sgpu_packet_check(words + at, left - at))) {
         if (sgpu_packet_opcode(words[at]) == SGPU_PACKET_END)
            break;
         at += sgpu_packet_words(words[at]);
      }
      assert_true((error == NULL) == (left == count));
   }
}

static bool
name_address(void *data, uint64_t address, char *text, size_t size)
{
   assert_string_equal(data, "names");
   if (address >> 20 != 5)
      return false;
   snprintf(text, size, "indices + 0x%x", (unsigned)(address & 0xfffff));
   return true;
}

static void
after_packet(void *data, FILE *fp, const uint32_t *packet, unsigned indent)
{
   struct SGPU_SHADER shader;

   assert_string_equal(data, "names");
   if (sgpu_packet_opcode(packet[0]) != SGPU_PACKET_SHADER)
      return;
   assert_null(SGPU_SHADER_unpack(packet, &shader));
   fprintf(fp, "%*s(%u instructions)\n", (int)indent, "", shader.instructions);
}

static char *
print(const uint32_t *words, uint64_t count, bool names)
{
   char *text = NULL;
   size_t size = 0;
   FILE *fp = open_memstream(&text, &size);
   const struct sgpu_printer printer = { fp, name_address, after_packet, (void *)"names" };

   if (names)
      sgpu_printer_stream(&printer, words, count);
   else
      sgpu_stream_print(fp, words, count);
   fclose(fp);
   return text;
}

static void
test_print(void **state)
{
   uint32_t words[STREAM_WORDS];
   const uint32_t count = build_stream(words);
   char expected[16384];

   (void)state;
   FILE *fp = fopen(reference_file, "r");
   assert_non_null(fp);
   expected[fread(expected, 1, sizeof expected - 1, fp)] = 0;
   fclose(fp);
   char *text = print(words, count, true);
   assert_string_equal(text, expected);
   free(text);
}

static void
test_print_refused(void **state)
{
   uint32_t words[STREAM_WORDS];
   const uint32_t count = build_stream(words);
   char *text;

   (void)state;
   text = print(words, count - 1, false);
   assert_non_null(strstr(text, "!! stream ends without END\n"));
   free(text);

   text = print(words, 3, false);
   assert_string_equal(text, "000000: !! MARKER: cut off by the end of the stream\n");
   free(text);

   words[0] = 0xff | 1 << 8;
   text = print(words, count, false);
   assert_string_equal(text, "000000: !! unknown packet opcode\n");
   free(text);

   words[0] = SGPU_PACKET_DRAW | 13 << 8;
   text = print(words, count, false);
   assert_string_equal(text, "000000: !! DRAW: not a legal length\n");
   free(text);

   words[0] = SGPU_PACKET_DRAW | 14 << 8 | 1u << 24;
   text = print(words, count, false);
   assert_string_equal(text, "000000: !! DRAW: reserved bits of the header are set\n");
   free(text);

   /* The printer marks values that the decoders refuse. */
   sgpu_pack(words, DRAW, cfg) {
   }
   words[1] = 15 | 6u << 29;
   words[9] = 0x10000;
   text = print(words, 14, false);
   assert_non_null(strstr(text, "Primitive: 15 !! no Primitive\n"));
   assert_non_null(strstr(text, "Index Address: 0x1000000000000 !! more than 48 bits\n"));
   assert_non_null(strstr(text, "!! reserved bits of word 1: 0xc0000000\n"));
   free(text);
}

/* Writes the stream: with --print as text, for the reference file, with --words as binary words. */
static bool
write_file(const char *what, const char *path)
{
   uint32_t words[STREAM_WORDS];
   const uint32_t count = build_stream(words);
   FILE *fp = fopen(path, "wb");

   if (!fp)
      return false;
   if (strcmp(what, "--words") == 0) {
      fwrite(words, 4, count, fp);
   } else {
      char *text = print(words, count, true);
      fputs(text, fp);
      free(text);
   }
   const bool good = !ferror(fp);
   return fclose(fp) == 0 && good;
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),   cmocka_unit_test(test_headers),
      cmocka_unit_test(test_classes), cmocka_unit_test(test_cut),
      cmocka_unit_test(test_print),   cmocka_unit_test(test_print_refused),
   };

   if (argc == 3)
      return write_file(argv[1], argv[2]) ? 0 : 1;
   if (argc != 2) {
      fprintf(stderr, "usage: %s REFERENCE | --print FILE | --words FILE\n", argv[0]);
      return 2;
   }
   reference_file = argv[1];
   return cmocka_run_group_tests_name("packets", tests, NULL, NULL);
}
