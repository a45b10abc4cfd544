/* SPDX-License-Identifier: MIT */
/*
 * Hazards between operations of different tile arrays, by rectangle, layer and level. They are the
 * hazards that Wolfe and Noonburg name (1999, section 3.1: environment maps, procedural textures,
 * overlapping blits, direct access to the frame buffer), and feedback loops. Each pair of
 * operations runs twice. Where regions overlap, the second operation waits. Where they do not, it
 * ends while the first one is held.
 */
#define _GNU_SOURCE
#include "hold.h"
#include "scene.h"

struct fixture {
   struct sgpu_device *dev;
   struct scene s;
   struct scene_image x, z;     /* colour and depth targets of the scene */
   struct scene_image y;        /* an image like x */
   struct scene_image texture;  /* image of 64x64 pixels, two layers and levels */
   struct sgpu_bo *linear;      /* buffer with linear rows of pixels */
   struct SGPU_SHADER sampling; /* pixel program that reads texel 0, 0 */
   uint32_t triangle;           /* index of the first of three vertices that cover the target */
   bool metadata;
};

struct hazard {
   const char *name, *counter;
   /* image in whose first rows the first operation is held */
   struct scene_image *(*held)(struct fixture *f);
   void (*first)(struct fixture *f, bool meets);
   void (*second)(struct fixture *f, bool meets);
   bool metadata;
};

/* Returns a part of an image: in the first rows if `meets`, otherwise elsewhere. The parts are in
 * one tile of 64x64, or in two for surfaces with metadata, whose records describe tiles.
 */
static struct SGPU_RECT
part(const struct fixture *f, bool meets)
{
   if (f->metadata)
      return meets ? (struct SGPU_RECT){ 32, 32, 48, 40 } : (struct SGPU_RECT){ 64, 64, 80, 72 };
   return meets ? (struct SGPU_RECT){ 4, 2, 20, 10 } : (struct SGPU_RECT){ 32, 32, 48, 40 };
}

/*
 * Operations
 */

static void
clear_part(struct fixture *f, const struct scene_image *image, bool meets)
{
   SCENE_EMIT(&f->s, CLEAR_SURFACE, cfg) {
      cfg.color = cfg.depth = cfg.stencil = true;
      cfg.surface = scene_surface(image, 0, 0, 1);
      cfg.rect = part(f, meets);
   }
}

static void
clear_x(struct fixture *f, bool meets)
{
   clear_part(f, &f->x, meets);
}

static void
clear_z(struct fixture *f, bool meets)
{
   clear_part(f, &f->z, meets);
}

/* Clears a layer of level 0 of the texture. */
static void
clear_layer(struct fixture *f, bool meets)
{
   SCENE_EMIT(&f->s, CLEAR_SURFACE, cfg) {
      cfg.color = true;
      cfg.surface = scene_surface(&f->texture, 0, meets ? 0 : 1, 1);
      cfg.rect = (struct SGPU_RECT){ 0, 0, 64, 64 };
   }
}

/* Clears a level of layer 0 of the texture. */
static void
clear_level(struct fixture *f, bool meets)
{
   SCENE_EMIT(&f->s, CLEAR_SURFACE, cfg) {
      cfg.color = true;
      cfg.surface = scene_surface(&f->texture, meets ? 0 : 1, 0, 1);
      cfg.rect = (struct SGPU_RECT){ 0, 0, 32, 32 };
   }
}

static void
draw(struct fixture *f)
{
   scene_draw(&f->s, SGPU_PRIMITIVE_TRIANGLES, f->triangle, 3);
}

static void
draw_in_rect(struct fixture *f, struct SGPU_RECT r)
{
   f->s.st.rast.scissor = true;
   f->s.st.scissor[0] = (struct SGPU_SCISSOR){ .x0 = r.x0, .y0 = r.y0, .x1 = r.x1, .y1 = r.y1 };
   draw(f);
}

static void
draw_scissored(struct fixture *f, bool meets)
{
   draw_in_rect(f, part(f, meets));
}

/* Draws next to the part in the first rows. The draw touches no pixel of the part, but a block of
 * 8x4 or a tile with pixels of it.
 */
static void
draw_beside(struct fixture *f, bool meets)
{
   const struct SGPU_RECT beside = f->metadata ? (struct SGPU_RECT){ 0, 0, 8, 4 }
                                               : (struct SGPU_RECT){ 20, 8, 24, 12 };
   draw_in_rect(f, meets ? beside : part(f, false));
}

/* Draws in a part, with the viewport as the limit of filled triangles. */
static void
draw_in_viewport(struct fixture *f, bool meets)
{
   const struct SGPU_RECT r = part(f, meets);

   f->s.st.viewport[0].scale_x = (float)(r.x1 - r.x0) / 2.0f;
   f->s.st.viewport[0].scale_y = (float)(r.y1 - r.y0) / 2.0f;
   f->s.st.viewport[0].translate_x = (float)(r.x1 + r.x0) / 2.0f;
   f->s.st.viewport[0].translate_y = (float)(r.y1 + r.y0) / 2.0f;
   draw(f);
}

static void
draw_depth(struct fixture *f, bool meets)
{
   f->s.st.dsa.depth_test = f->s.st.dsa.depth_write = meets;
   draw(f);
}

static void
draw_masked(struct fixture *f, bool meets)
{
   f->s.st.target[0].write_mask = meets ? 15 : 0;
   draw(f);
}

static void
bind_texture(struct fixture *f, const struct scene_image *image, unsigned layer, unsigned level)
{
   struct SGPU_TEXTURE *view = &f->s.st.texture[0];

   *view = scene_texture(image);
   view->array = image == &f->texture;
   view->first_layer = view->last_layer = layer;
   view->first_level = view->last_level = level;
   f->s.st.sampler[0] = (struct SGPU_SAMPLER){ .max_lod = 1000.0f };
   f->s.st.num_textures = 1;
   f->s.st.ps = f->sampling;
}

/* Draws to one tile, so that the draw holds only one worker. */
static void
sample_layer(struct fixture *f, bool meets)
{
   bind_texture(f, &f->texture, meets ? 0 : 1, 0);
   draw_scissored(f, true);
}

static void
sample_level(struct fixture *f, bool meets)
{
   bind_texture(f, &f->texture, 0, meets ? 0 : 1);
   draw_scissored(f, true);
}

/* Draws to a part of x that no other operation touches, and samples x or another image. */
static void
feedback(struct fixture *f, bool meets)
{
   bind_texture(f, meets ? &f->x : &f->y, 0, 0);
   draw_scissored(f, false);
}

static void
copy_part(struct fixture *f, const struct SGPU_SURFACE *to, struct SGPU_RECT rect,
          const struct SGPU_SURFACE *from, uint32_t x, uint32_t y)
{
   SCENE_EMIT(&f->s, COPY_SURFACE, cfg) {
      cfg.layers = 1;
      cfg.destination = *to;
      cfg.rect = rect;
      cfg.source = *from;
      cfg.source_x = x;
      cfg.source_y = y;
   }
}

static struct SGPU_SURFACE
linear_rows(struct fixture *f)
{
   return (struct SGPU_SURFACE){
      .address = sgpu_bo_address(f->linear),
      .storage = sgpu_bo_address(f->linear),
      .format = SGPU_FORMAT_R8G8B8A8_UNORM,
      .layout = SGPU_LAYOUT_LINEAR,
      .valid = true,
      .width = SCENE_W,
      .height = SCENE_H,
      .pitch = SCENE_W * 4,
      .layers = 1,
   };
}

/* Copies a part of x to other coordinates. A copy to the same coordinates would be ordered by the
 * tiles of x.
 */
static void
read_back(struct fixture *f, bool meets)
{
   const struct SGPU_RECT r = part(f, meets);
   const struct SGPU_SURFACE to = linear_rows(f), from = scene_surface(&f->x, 0, 0, 1);

   copy_part(f, &to, (struct SGPU_RECT){ r.x0 + 1, r.y0, r.x1 + 1, r.y1 }, &from, r.x0, r.y0);
}

static void
upload(struct fixture *f, bool meets)
{
   const struct SGPU_SURFACE to = scene_surface(&f->x, 0, 0, 1), from = linear_rows(f);

   copy_part(f, &to, part(f, meets), &from, 0, 0);
}

/* Copies from the first rows of x to rows in another tile of x. */
static void
scroll_down(struct fixture *f, bool meets)
{
   const struct SGPU_SURFACE x = scene_surface(&f->x, 0, 0, 1);

   copy_part(f, &x, (struct SGPU_RECT){ 64, 96, 80, 104 }, &x, 4, 2);
}

/* Copies to another tile of x, from the rows that scroll_down() writes or from elements nearby. */
static void
scroll_again(struct fixture *f, bool meets)
{
   const struct SGPU_SURFACE x = scene_surface(&f->x, 0, 0, 1);

   copy_part(f, &x, (struct SGPU_RECT){ 32, 80, 40, 84 }, &x, meets ? 72 : 88, 96);
}

/* Blits from x to y. If `scissor` is NULL, there is no scissor. */
static void
blit(struct fixture *f, struct SGPU_RECT from, struct SGPU_RECT to, enum sgpu_filter filter,
     const struct SGPU_RECT *scissor)
{
   SCENE_EMIT(&f->s, BLIT, cfg) {
      cfg.mask = 15;
      cfg.filter = filter;
      cfg.layers = 1;
      cfg.source = scene_surface(&f->x, 0, 0, 1);
      cfg.destination = scene_surface(&f->y, 0, 0, 1);
      cfg.source_rect = from;
      cfg.destination_rect = to;
      cfg.source_z1 = 1.0f;
      if (scissor) {
         cfg.scissor = true;
         cfg.scissor_rect = *scissor;
      }
   }
}

static void
blit_from_x(struct fixture *f, bool meets)
{
   blit(f, part(f, meets), (struct SGPU_RECT){ 80, 0, 96, 16 }, SGPU_FILTER_LINEAR, NULL);
}

/* A mirrored blit. The scissor leaves the part in the first rows, or the other one. */
static void
blit_scissored(struct fixture *f, bool meets)
{
   const struct SGPU_RECT scissor = meets ? (struct SGPU_RECT){ 0, 88, 64, 96 }
                                          : (struct SGPU_RECT){ 0, 0, 64, 64 };

   blit(f, (struct SGPU_RECT){ 0, 96, 64, 0 }, (struct SGPU_RECT){ 0, 0, 64, 96 },
        SGPU_FILTER_NEAREST, &scissor);
}

/* Blits 16x8 pixels to the double size. The filter reads a texel beyond the source rectangle, which
 * is one of the pixels that clear_right() writes.
 */
static void
blit_enlarged(struct fixture *f, bool meets)
{
   const int y = meets ? 0 : 64;

   blit(f, (struct SGPU_RECT){ 8, y, 24, y + 8 }, (struct SGPU_RECT){ 64, 0, 96, 16 },
        SGPU_FILTER_LINEAR, NULL);
}

static void
clear_right(struct fixture *f, bool meets)
{
   SCENE_EMIT(&f->s, CLEAR_SURFACE, cfg) {
      cfg.color = true;
      cfg.surface = scene_surface(&f->x, 0, 0, 1);
      cfg.rect = (struct SGPU_RECT){ 24, 0, 40, 8 };
   }
}

static struct scene_image *
x_of(struct fixture *f)
{
   return &f->x;
}

static struct scene_image *
z_of(struct fixture *f)
{
   return &f->z;
}

static struct scene_image *
texture_of(struct fixture *f)
{
   return &f->texture;
}

/* Draws write x and z, transfers write one image, so their tile arrays differ. */
static const struct hazard hazards[] = {
   { "environment map, by layer", "stall_raw", texture_of, clear_layer, sample_layer },
   { "environment map, by level", "stall_raw", texture_of, clear_level, sample_level },
   { "procedural texture, by layer", "stall_war", texture_of, sample_layer, clear_layer },
   { "procedural texture, by level", "stall_war", texture_of, sample_level, clear_level },
   { "blit of what is written", "stall_raw", x_of, clear_x, blit_from_x },
   { "write of what is blitted", "stall_war", x_of, blit_from_x, clear_x },
   { "blit with scissor, mirrored", "stall_raw", x_of, clear_x, blit_scissored },
   { "blit of a neighbour", "stall_raw", x_of, clear_right, blit_enlarged },
   { "copies inside a surface", "stall_raw", x_of, scroll_down, scroll_again },
   { "draw with scissor", "stall_waw", x_of, clear_x, draw_scissored },
   { "draw with viewport", "stall_waw", x_of, clear_x, draw_in_viewport },
   { "draw with scissor, metadata", "stall_waw", x_of, clear_x, draw_scissored, true },
   { "draw in the same block", "stall_waw", x_of, clear_x, draw_beside },
   { "draw in the same tile, metadata", "stall_waw", x_of, clear_x, draw_beside, true },
   { "draw without depth test", "stall_waw", z_of, clear_z, draw_depth },
   { "draw without colours", "stall_waw", x_of, clear_x, draw_masked },
   { "feedback loop", "stall_raw", x_of, clear_x, feedback },
   { "readback of the frame buffer", "stall_raw", x_of, clear_x, read_back },
   { "write of what is read back", "stall_war", x_of, read_back, draw_scissored },
   { "upload to the frame buffer", "stall_waw", x_of, upload, draw_scissored },
};

static void
begin(struct fixture *f, bool metadata)
{
   struct sgpu_layout_params params = scene_params(SGPU_FORMAT_R8G8B8A8_UNORM, 64, 64);
   struct scene *s = &f->s;

   params.layers = params.levels = 2;
   scene_metadata = f->metadata = metadata;
   f->dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   scene_begin(s, f->dev);
   f->x = s->st.color[0];
   f->z = s->st.zs;
   f->y = scene_target(s, SGPU_FORMAT_R8G8B8A8_UNORM, SCENE_W, SCENE_H);
   f->texture = scene_image(s, &params);
   f->linear = scene_bo(s, SCENE_W * SCENE_H * 4);
   memset(s->constants[0], 0, sizeof(s->constants[0]));
   f->sampling = scene_program(s, "!!SGFP1.0\n"
                                  "MOV R0, c[0]; TEX o[COLR0], R0, tex[0], smp[0], 2D;\nEND\n");
   f->triangle = scene_vertex(s, -10.0f, -10.0f, 0.5f, 1.0f);
   scene_vertex(s, 400.0f, -10.0f, 0.5f, 1.0f);
   scene_vertex(s, -10.0f, 400.0f, 0.5f, 1.0f);
   /* Submit the clears of the targets, which the tests do not count. */
   scene_wait(s, s->vertex_bo);
}

static void
run(const struct hazard *h, bool meets)
{
   static struct fixture f;
   begin(&f, h->metadata);
   const uint64_t stalls = counter(f.dev, h->counter), all = counter(f.dev, "stall_depend");
   const uint64_t overtakes = counter(f.dev, "overtakes");

   hold_begin(h->held(&f)->bo);
   h->first(&f, true);
   scene_submit(&f.s);
   hold_wait();
   h->second(&f, meets);
   scene_submit(&f.s);
   if (meets) {
      WAIT_UNTIL(counter(f.dev, "stall_depend") == all + 1);
      assert_int_equal(counter(f.dev, "overtakes"), overtakes);
   } else {
      WAIT_UNTIL(counter(f.dev, "overtakes") == overtakes + 1);
   }
   assert_int_equal(counter(f.dev, h->counter), stalls + meets);
   hold_release();
   assert_int_equal(sgpu_bo_wait(f.s.vertex_bo, UINT64_MAX), 0);
   assert_int_equal(counter(f.dev, "stall_depend"), all + meets);
   hold_end();
   scene_end(&f.s, NULL);
   sgpu_device_destroy(f.dev);
}

static void
test_hazards(void **state)
{
   for (unsigned i = 0; i < sizeof(hazards) / sizeof(hazards[0]); i++) {
      print_message("%s\n", hazards[i].name);
      run(&hazards[i], true);
      run(&hazards[i], false);
   }
}

/* Reads a word that the device may be writing. ThreadSanitizer should not report this race. */
__attribute__((noinline, no_sanitize("thread"))) static uint32_t
glance(const volatile uint32_t *word)
{
   return *word;
}

/* Clears the upper tile of the framebuffer's left side, then the lower one, to opaque red or green.
 */
static void
clear_tiles(struct scene *s, bool green)
{
   const uint32_t one = 0x3f800000;

   scene_emit_state(s);
   for (unsigned i = 0; i < 2; i++) {
      SCENE_EMIT(s, CLEAR, cfg) {
         cfg.colors = 1;
         cfg.color_0 = green ? 0 : one;
         cfg.color_1 = green ? one : 0;
         cfg.color_3 = one;
         cfg.rect = i ? (struct SGPU_RECT){ 0, 64, 64, SCENE_H }
                      : (struct SGPU_RECT){ 0, 0, 64, 64 };
      }
   }
   scene_submit(s);
}

/* A copy to the same coordinates runs in a tile as soon as the earlier writers of its source have
 * ended in that tile. Later writers of the source come after it in each tile.
 */
static void
test_followed(void **state)
{
   static struct fixture f;
   begin(&f, false);
   const struct SGPU_SURFACE x = scene_surface(&f.x, 0, 0, 1), to = linear_rows(&f);
   const struct SGPU_RECT both = { 0, 0, 64, SCENE_H };
   const uint64_t all = counter(f.dev, "stall_depend"), raw = counter(f.dev, "stall_raw");
   const volatile uint32_t *rows = sgpu_bo_map(f.linear);

   memset(sgpu_bo_map(f.linear), 0x55, SCENE_W * SCENE_H * 4);
   hold_begin(f.x.bo);
   /* Clear the framebuffer, which has depth, too. The surface of the copy is x alone. */
   clear_tiles(&f.s, false);
   hold_wait();
   copy_part(&f, &to, both, &x, 0, 0);
   clear_tiles(&f.s, true);

   /* The copy ends in the lower tile while the upper one is held. */
   WAIT_UNTIL(glance(&rows[(SCENE_H - 1) * SCENE_W + 63]) == 0xff0000ff);
   assert_int_equal(glance(&rows[0]), 0x55555555);
   assert_int_equal(glance(&rows[63 * SCENE_W]), 0x55555555);
   hold_release();
   assert_int_equal(sgpu_bo_wait(f.linear, UINT64_MAX), 0);
   hold_end();
   for (unsigned y = 0; y < SCENE_H; y++) {
      for (unsigned i = 0; i < SCENE_W; i++)
         assert_int_equal(rows[y * SCENE_W + i], i < 64 ? 0xff0000ff : 0x55555555);
   }
   assert_int_equal(counter(f.dev, "stall_depend"), all);
   assert_int_equal(counter(f.dev, "stall_raw"), raw);

   /* Check the operation that came after the copy. */
   copy_part(&f, &to, both, &x, 0, 0);
   scene_wait(&f.s, f.linear);
   for (unsigned y = 0; y < SCENE_H; y++)
      assert_int_equal(rows[y * SCENE_W + y % 64], 0xff00ff00);
   scene_end(&f.s, NULL);
   sgpu_device_destroy(f.dev);
}

/* The CPU waits for all submissions that name a buffer, and for no others. */
static void
test_maps(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct stream s;
   struct sgpu_queue *queue = test_queue(dev);
   const struct test_surface frame = test_surface(dev, SGPU_FORMAT_R8G8B8A8_UNORM,
                                                  SGPU_LAYOUT_TILED, 128, 128);
   const struct test_surface other = test_surface(dev, SGPU_FORMAT_R8G8B8A8_UNORM,
                                                  SGPU_LAYOUT_TILED, 128, 128);

   hold_begin(frame.bo);
   stream_begin(&s, dev, queue);
   emit_clear(&s, &frame, 0x3f800000, 0, 0, 64, 64);
   stream_submit(&s);
   hold_wait();
   stream_begin(&s, dev, queue);
   emit_clear(&s, &other, 0x3f800000, 0, 0, 128, 128);
   const uint64_t seqno = stream_submit(&s);
   assert_int_equal(sgpu_bo_wait(frame.bo, 0), -ETIME);
   /* The clear has ended, but submissions of a queue end in order. */
   WAIT_UNTIL(counter(dev, "overtakes") == 1);
   assert_int_equal(*test_element(&other, 127, 127), 0xff);
   assert_int_equal(sgpu_bo_wait(other.bo, 0), -ETIME);
   hold_release();
   assert_int_equal(sgpu_bo_wait(frame.bo, UINT64_MAX), 0);
   assert_int_equal(*test_element(&frame, 63, 63), 0xff);
   assert_int_equal(sgpu_queue_wait(queue, seqno, UINT64_MAX), 0);
   hold_end();

   /* A submission of another queue does not wait. */
   struct sgpu_queue *second = test_queue(dev);
   hold_begin(frame.bo);
   stream_begin(&s, dev, queue);
   emit_clear(&s, &frame, 0, 0, 0, 64, 64);
   stream_submit(&s);
   hold_wait();
   stream_begin(&s, dev, second);
   emit_clear(&s, &other, 0, 0, 0, 128, 128);
   stream_submit(&s);
   assert_int_equal(sgpu_bo_wait(other.bo, UINT64_MAX), 0);
   assert_int_equal(*test_element(&other, 127, 127), 0);
   assert_int_equal(sgpu_bo_wait(frame.bo, 0), -ETIME);
   hold_release();
   assert_int_equal(sgpu_bo_wait(frame.bo, UINT64_MAX), 0);
   hold_end();
   sgpu_queue_destroy(second);
   sgpu_queue_destroy(queue);
   sgpu_bo_destroy(frame.bo);
   sgpu_bo_destroy(other.bo);
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hazards),
      cmocka_unit_test(test_followed),
      cmocka_unit_test(test_maps),
   };
   return cmocka_run_group_tests_name("regions", tests, NULL, NULL);
}
