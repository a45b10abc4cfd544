/* SPDX-License-Identifier: MIT */
/*
 * Writes the seed of the fuzz target "capture": the records of a small capture that has each kind
 * of record, a clear, a draw, grids, copies, a query and a picture.
 *
 * usage: capture_seed OUT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgcap_format.h"
#include "sgpu_asm.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"

static FILE *out;

static void
put(enum sgcap_type type, const void *part0, uint32_t size0, const void *part1, uint32_t size1)
{
   static const uint8_t zeros[8];
   const uint32_t header[2] = { type, size0 + size1 };

   fwrite(header, sizeof header, 1, out);
   fwrite(part0, 1, size0, out);
   if (size1)
      fwrite(part1, 1, size1, out);
   fwrite(zeros, 1, (8 - header[1] % 8) % 8, out);
}

static void
put_id(enum sgcap_type type, uint64_t id)
{
   put(type, &id, sizeof id, NULL, 0);
}

static void
put_bo(uint64_t id, uint64_t address, uint64_t size, const char *label)
{
   const struct sgcap_bo_create c = { id, address, size, strlen(label) + 1, 0 };
   put(SGCAP_BO_CREATE, &c, sizeof c, label, c.label_bytes);
}

static void
put_data(uint64_t id, uint64_t offset, const void *bytes, uint32_t size)
{
   const struct sgcap_data d = { id, offset, size };
   put(SGCAP_DATA, &d, sizeof d, bytes, size);
}

enum { QUEUE0 = 1, QUEUE1, STREAM, MEMORY, TARGET, PICTURE };

#define STREAM_AT 0x10000u
#define MEMORY_AT 0x20000u
#define TARGET_AT 0x30000u
#define PICTURE_AT 0x40000u
#define SIZE 32u

static void
put_submit(uint64_t queue, uint64_t seqno, const uint32_t *words, uint32_t count,
           const struct sgcap_fence *wait)
{
   const uint64_t bos[] = { STREAM, MEMORY, TARGET, PICTURE };
   const struct sgcap_range write = { TARGET, 0, 4096 };
   struct {
      struct sgcap_submit s;
      uint64_t lists[16];
   } rec = { .s = {
                .queue = queue,
                .seqno = seqno,
                .address = STREAM_AT,
                .words = count,
                .num_bos = 4,
                .num_waits = wait != NULL,
                .num_writes = 1,
             } };
   unsigned n = 4;

   put_data(STREAM, 0, words, count * 4);
   memcpy(rec.lists, bos, sizeof bos);
   if (wait) {
      rec.lists[n++] = wait->queue;
      rec.lists[n++] = wait->seqno;
   }
   memcpy(&rec.lists[n], &write, sizeof write);
   n += 3;
   put(SGCAP_SUBMIT, &rec, sizeof rec.s + n * 8, NULL, 0);
}

/* Stores the code of a program at `offset` of the memory. Returns its SHADER packet. */
static struct SGPU_SHADER
put_program(uint64_t offset, const char *text)
{
   struct sgpu_program program;
   struct sgpu_asm_error error;
   struct SGPU_SHADER s = { SGPU_SHADER_header };

   if (!sgpu_asm_program(text, strlen(text), &program, &error)) {
      fprintf(stderr, "%s\n", error.text);
      exit(1);
   }
   put_data(MEMORY, offset, program.instrs, program.num_instrs * 16);
   s.address = MEMORY_AT + offset;
   s.instructions = program.num_instrs;
   s.stage = program.stage;
   s.temps = program.num_temps;
   s.literal_base = program.literal_base;
   s.color_outputs = program.stage == SGPU_STAGE_PIXEL;
   sgpu_program_finish(&program);
   return s;
}

static struct sgpu_layout
layout_of(enum sgpu_memory_layout mode)
{
   struct sgpu_layout layout;
   sgpu_layout_init(&layout, &(struct sgpu_layout_params){
                                .format = SGPU_FORMAT_R8G8B8A8_UNORM,
                                .mode = mode,
                                .width = SIZE,
                                .height = SIZE,
                                .depth = 1,
                                .layers = 1,
                                .levels = 1,
                                .samples = 1,
                             });
   return layout;
}

static uint32_t
pack_draw(uint32_t *w, const struct SGPU_SURFACE *target, const struct SGPU_SHADER *vs,
          const struct SGPU_SHADER *ps)
{
   uint32_t *at = w;

   memcpy(at, (uint32_t[]){ sgpu_packet_header(SGPU_PACKET_MARKER, 2), 0x00706566 }, 8);
   at += 2;
   struct SGPU_FRAMEBUFFER fb = { SGPU_FRAMEBUFFER_header };
   fb.colors = fb.tail_count = 1;
   SGPU_FRAMEBUFFER_pack(at, &fb);
   SGPU_SURFACE_pack(SGPU_FRAMEBUFFER_tail(at, 0), target);
   at += SGPU_FRAMEBUFFER_length(1);
   sgpu_pack(at, CLEAR, cfg) {
      cfg.colors = 1;
      cfg.color_0 = 0x3f800000;
      cfg.rect = (struct SGPU_RECT){ 0, 0, SIZE, SIZE };
   }
   at += SGPU_CLEAR_LENGTH;
   sgpu_pack(at, VIEWPORT, cfg) {
      cfg.scale_x = cfg.scale_y = cfg.translate_x = cfg.translate_y = SIZE / 2;
      cfg.scale_z = cfg.translate_z = 0.5f;
   }
   at += SGPU_VIEWPORT_LENGTH;
   sgpu_pack(at, RASTERIZER, cfg) {
      cfg.half_pixel_center = true;
      cfg.line_width = cfg.point_size = 1;
   }
   at += SGPU_RASTERIZER_LENGTH;
   struct SGPU_BLEND blend = { SGPU_BLEND_header };
   blend.tail_count = 8;
   SGPU_BLEND_pack(at, &blend);
   for (unsigned i = 0; i < 8; i++)
      SGPU_BLEND_TARGET_pack(SGPU_BLEND_tail(at, i),
                             &(struct SGPU_BLEND_TARGET){ .write_mask = 15 });
   at += SGPU_BLEND_LENGTH + 8 * SGPU_BLEND_TARGET_LENGTH;
   sgpu_pack(at, DEPTH_STENCIL, cfg)
      ;
   at += SGPU_DEPTH_STENCIL_LENGTH;
   sgpu_pack(at, SAMPLE_MASK, cfg) {
      cfg.mask = 0xffff;
   }
   at += SGPU_SAMPLE_MASK_LENGTH;
   SGPU_SHADER_pack(at, vs);
   at += SGPU_SHADER_LENGTH;
   SGPU_SHADER_pack(at, ps);
   at += SGPU_SHADER_LENGTH;
   struct SGPU_VERTEX_ELEMENTS elements = { SGPU_VERTEX_ELEMENTS_header };
   elements.tail_count = 1;
   SGPU_VERTEX_ELEMENTS_pack(at, &elements);
   SGPU_VERTEX_ELEMENT_pack(SGPU_VERTEX_ELEMENTS_tail(at, 0),
                            &(struct SGPU_VERTEX_ELEMENT){
                               .format = SGPU_FORMAT_R32G32B32A32_FLOAT,
                            });
   at += SGPU_VERTEX_ELEMENTS_length(1);
   struct SGPU_VERTEX_BUFFERS buffers = { SGPU_VERTEX_BUFFERS_header };
   buffers.tail_count = 1;
   SGPU_VERTEX_BUFFERS_pack(at, &buffers);
   SGPU_VERTEX_BUFFER_pack(SGPU_VERTEX_BUFFERS_tail(at, 0), &(struct SGPU_VERTEX_BUFFER){
                                                               .address = MEMORY_AT + 1024,
                                                               .size = 48,
                                                               .stride = 16,
                                                            });
   at += SGPU_VERTEX_BUFFERS_length(1);
   sgpu_pack(at, DRAW, cfg) {
      cfg.primitive = SGPU_PRIMITIVE_TRIANGLES;
      cfg.count = 3;
      cfg.instances = 1;
   }
   at += SGPU_DRAW_LENGTH;
   sgpu_pack(at, END_QUERY, cfg) {
      cfg.type = SGPU_QUERY_TYPE_PRIMITIVES_GENERATED;
      cfg.slot = 3;
      cfg.address = MEMORY_AT + 2048;
   }
   at += SGPU_END_QUERY_LENGTH;
   sgpu_pack(at, END, cfg)
      ;
   return at + SGPU_END_LENGTH - w;
}

/* Packs two grids that write to a storage buffer and to the target as an image, one of them
 * indirect, and a copy of the picture. Returns the number of words.
 */
static uint32_t
pack_grids(uint32_t *w, const struct SGPU_SURFACE *target, const struct SGPU_SHADER *cs)
{
   const struct SGPU_TEXTURE image = {
      SGPU_TEXTURE_header,
      .address = target->address,
      .format = target->format,
      .type = SGPU_TEXTURE_TYPE_2D,
      .layout = target->layout,
      .valid = true,
      .width = SIZE,
      .height = SIZE,
      .depth = 1,
      .resource_layers = 1,
      .resource_levels = 1,
      .resource_format = target->format,
   };
   uint32_t *at = w;

   SGPU_SHADER_pack(at, cs);
   at += SGPU_SHADER_LENGTH;
   struct SGPU_BUFFERS buffers = { SGPU_BUFFERS_header };
   buffers.stage = SGPU_STAGE_COMPUTE;
   buffers.tail_count = 1;
   SGPU_BUFFERS_pack(at, &buffers);
   SGPU_BUFFER_pack(SGPU_BUFFERS_tail(at, 0),
                    &(struct SGPU_BUFFER){ .address = MEMORY_AT + 2560, .size = 512 });
   at += SGPU_BUFFERS_length(1);
   for (unsigned handles = 0; handles < 2; handles++) {
      struct SGPU_IMAGES images = { SGPU_IMAGES_header };
      images.stage = handles ? 0 : SGPU_STAGE_COMPUTE;
      images.handles = handles;
      images.first_handle = 5 * handles;
      images.tail_count = 1;
      SGPU_IMAGES_pack(at, &images);
      SGPU_TEXTURE_pack(SGPU_IMAGES_tail(at, 0), &image);
      at += SGPU_IMAGES_length(1);
   }
   for (unsigned indirect = 0; indirect < 2; indirect++) {
      sgpu_pack(at, GRID, cfg) {
         cfg.group_size_x = 8;
         cfg.group_size_y = 4;
         cfg.group_size_z = 1;
         cfg.shared_size = 64;
         cfg.groups_x = 2;
         cfg.groups_y = cfg.groups_z = 1;
         cfg.indirect = indirect;
         cfg.address = indirect ? MEMORY_AT + 3072 : 0;
      }
      at += SGPU_GRID_LENGTH;
   }
   sgpu_pack(at, END, cfg)
      ;
   return at + SGPU_END_LENGTH - w;
}

int
main(int argc, char **argv)
{
   const uint32_t groups[3] = { 3, 1, 2 };
   const float vertices[3][4] = { { -1, -1, 0, 1 }, { 1, -1, 0, 1 }, { 0, 1, 0, 1 } };
   const struct sgpu_layout tiled = layout_of(SGPU_LAYOUT_TILED);
   const struct sgpu_layout linear = layout_of(SGPU_LAYOUT_LINEAR);
   struct SGPU_SURFACE target, picture;
   uint32_t words[512], n;

   if (argc != 2 || !(out = fopen(argv[1], "wb")))
      return 2;
   put_id(SGCAP_QUEUE_CREATE, QUEUE0);
   put_id(SGCAP_QUEUE_CREATE, QUEUE1);
   const struct sgcap_query query = { QUEUE0, 3, SGPU_QUERY_TYPE_PRIMITIVES_GENERATED };
   put(SGCAP_QUERY, &query, sizeof query, NULL, 0);
   const struct sgcap_frame frame = { 7 };
   put(SGCAP_FRAME, &frame, sizeof frame, NULL, 0);
   put_bo(STREAM, STREAM_AT, 4096, "stream");
   put_bo(MEMORY, MEMORY_AT, 4096, "memory");
   put_bo(TARGET, TARGET_AT, 4096, "target");
   put_bo(PICTURE, PICTURE_AT, 4096, "picture");

   const struct SGPU_SHADER vs = put_program(0, "!!SGVP1.0\nMOV o[HPOS], v[0];\nEND\n");
   const struct SGPU_SHADER ps = put_program(512, "!!SGFP1.0\nMOV o[COLR0], s[POSITION];\nEND\n");
   put_data(MEMORY, 1024, vertices, sizeof vertices);
   sgpu_layout_fill_surface(&tiled, TARGET_AT, tiled.format, 0, 0, 1, &target);
   sgpu_layout_fill_surface(&linear, PICTURE_AT, linear.format, 0, 0, 1, &picture);
   n = pack_draw(words, &target, &vs, &ps);
   put_submit(QUEUE0, 1, words, n, NULL);
   const struct SGPU_SHADER cs = put_program(1536, "!!SGCP1.0\n"
                                                   "MOV R0, s[LOCAL_ID].xyzz;\n"
                                                   "LDB R1, buf[0][R0.x];\n"
                                                   "ATB.ADD R1.x, buf[0][R0.x + 32], R0;\n"
                                                   "STB buf[0][R0.x + 64], R1;\n"
                                                   "STS sh[R0.x].x, R1;\n"
                                                   "BAR;\n"
                                                   "STI R0, R1, img[0], 2D;\n"
                                                   "END\n");
   put_data(MEMORY, 3072, groups, sizeof groups);
   n = pack_grids(words, &target, &cs);
   put_submit(QUEUE0, 2, words, n, NULL);

   const struct sgcap_bo_label label = { PICTURE, 8, 0 };
   put(SGCAP_BO_LABEL, &label, sizeof label, "present", 8);
   const struct sgcap_data zero = { PICTURE, 0, 1024 };
   put(SGCAP_ZERO, &zero, sizeof zero, NULL, 0);
   const struct sgcap_fence fence = { QUEUE0, 1 };
   put(SGCAP_WAIT, &fence, sizeof fence, NULL, 0);
   sgpu_pack(words, COPY_SURFACE, cfg) {
      cfg.layers = 1;
      cfg.source = target;
      cfg.destination = picture;
      cfg.rect = (struct SGPU_RECT){ 0, 0, SIZE, SIZE };
   }
   n = SGPU_COPY_SURFACE_LENGTH;
   sgpu_pack(words + n, COPY_BUFFER, cfg) {
      cfg.source = MEMORY_AT;
      cfg.destination = TARGET_AT + 2048;
      cfg.size = 64;
   }
   n += SGPU_COPY_BUFFER_LENGTH;
   sgpu_pack(words + n, END, cfg)
      ;
   put_submit(QUEUE1, 1, words, n + SGPU_END_LENGTH, &fence);
   put_id(SGCAP_BO_IDLE, PICTURE);
   const struct sgcap_present present = {
      .bo = PICTURE,
      .pitch = linear.level[0].pitch,
      .width = SIZE,
      .height = SIZE,
      .format = linear.format,
      .frame = 7,
      .pixel_bytes = 4,
   };
   put(SGCAP_PRESENT, &present, sizeof present, NULL, 0);
   put_id(SGCAP_BO_DESTROY, MEMORY);
   put_id(SGCAP_QUEUE_DESTROY, QUEUE1);
   const struct sgcap_end end = { 3, 1 };
   put(SGCAP_END, &end, sizeof end, NULL, 0);
   return fclose(out) ? 1 : 0;
}
