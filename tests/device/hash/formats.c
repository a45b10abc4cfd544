/* SPDX-License-Identifier: MIT */
/*
 * Every format in every place where a stream can name one. The device either uses it, or refuses
 * the packet with an error text, and works afterwards. For places with a rule, the test checks
 * which of the two happens.
 */
#include <string.h>

#include "scene.h"

#define SIZE 24

static struct scene_image
image_of(struct scene *s, enum sgpu_format format)
{
   struct sgpu_layout_params params = scene_params(format, SIZE, SIZE);
   params.mode = sgpu_layout_choose(format, false);
   const struct scene_image image = scene_image(s, &params);
   scene_noise(s, &image);
   return image;
}

/* Returns whether the format has depth or stencil. */
static bool
is_depth(enum sgpu_format format)
{
   return sgpu_format_has(format, SGPU_FORMAT_FLAG_DEPTH) ||
          sgpu_format_has(format, SGPU_FORMAT_FLAG_STENCIL);
}

static void
draw(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 4, 30.0f), 12);
}

static void
as_vertex(struct scene *s, enum sgpu_format format)
{
   s->st.element[1].format = format;
   draw(s);
}

static void
as_color(struct scene *s, enum sgpu_format format)
{
   s->st.color[0] = image_of(s, format);
   s->st.zs.bo = NULL;
   scene_blend_over(s);
   draw(s);
}

static void
as_depth(struct scene *s, enum sgpu_format format)
{
   s->st.num_colors = 0;
   s->st.zs = image_of(s, format);
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   s->st.dsa.depth_func = SGPU_COMPARE_LEQUAL;
   draw(s);
}

static void
as_texture(struct scene *s, enum sgpu_format format)
{
   const struct scene_image image = image_of(s, format);
   s->st.texture[0] = scene_texture(&image);
   s->st.sampler[0] = (struct SGPU_SAMPLER){ .mag_filter = SGPU_FILTER_LINEAR };
   s->st.num_textures = 1;
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "TEX o[COLR0], v[0], tex[0], smp[0], 2D;\nEND\n");
   draw(s);
}

static void
as_cleared(struct scene *s, enum sgpu_format format)
{
   const struct scene_image image = image_of(s, format);
   const bool color = !is_depth(format);
   SCENE_EMIT(s, CLEAR_SURFACE, cfg) {
      cfg.color = color;
      cfg.depth = cfg.stencil = !color;
      cfg.depth_value = 0.5;
      cfg.stencil_value = 7;
      cfg.color_0 = 0x3f000000;
      cfg.surface = scene_surface(&image, 0, 0, 1);
      cfg.rect = (struct SGPU_RECT){ 1, 1, SIZE - 1, SIZE - 1 };
   }
}

static void
blit(struct scene *s, const struct scene_image *from, const struct scene_image *to)
{
   SCENE_EMIT(s, BLIT, cfg) {
      cfg.mask = 15;
      cfg.filter = SGPU_FILTER_LINEAR;
      cfg.layers = 1;
      cfg.source = scene_surface(from, 0, 0, 1);
      cfg.destination = scene_surface(to, 0, 0, 1);
      cfg.source_rect = (struct SGPU_RECT){ 0, 0, SIZE, SIZE };
      cfg.destination_rect = (struct SGPU_RECT){ 0, 0, SIZE / 2, SIZE };
      cfg.source_z1 = 1.0f;
   }
}

static void
as_source(struct scene *s, enum sgpu_format format)
{
   const struct scene_image from = image_of(s, format);
   const struct scene_image to = image_of(s, SGPU_FORMAT_R8G8B8A8_UNORM);
   blit(s, &from, &to);
}

static void
as_destination(struct scene *s, enum sgpu_format format)
{
   const struct scene_image from = image_of(s, SGPU_FORMAT_R8G8B8A8_UNORM);
   const struct scene_image to = image_of(s, format);
   blit(s, &from, &to);
}

static void
as_copied(struct scene *s, enum sgpu_format format)
{
   const struct scene_image from = image_of(s, format), to = image_of(s, format);
   SCENE_EMIT(s, COPY_SURFACE, cfg) {
      cfg.layers = 1;
      cfg.source = scene_surface(&from, 0, 0, 1);
      cfg.destination = scene_surface(&to, 0, 0, 1);
      cfg.rect = (struct SGPU_RECT){ 0, 0, SIZE, SIZE };
   }
}

/* Rule of a place: whether it accepts formats with depth or stencil, and formats whose blocks have
 * several pixels.
 */
enum rule { EITHER, NEVER, ALWAYS };
static const struct place {
   const char *name;
   void (*use)(struct scene *s, enum sgpu_format format);
   enum rule depth, blocks;
} places[] = {
   { "vertex", as_vertex, NEVER, NEVER },
   { "color", as_color, NEVER, NEVER },
   { "depth", as_depth, ALWAYS, NEVER },
   { "texture", as_texture, EITHER, EITHER },
   { "cleared", as_cleared, ALWAYS, NEVER },
   { "source", as_source, NEVER, EITHER },
   { "destination", as_destination, NEVER, NEVER },
   { "copied", as_copied, ALWAYS, ALWAYS },
};

static void
check(const char *place, const char *format, enum rule rule, const char *lost)
{
   if (lost && rule == ALWAYS)
      scene_fail("%s as %s: %s", format, place, lost);
   if (!lost && rule == NEVER)
      scene_fail("%s as %s is taken", format, place);
}

int
main(void)
{
   struct sgpu_device *dev = scene_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   static struct scene s;

   for (unsigned p = 0; p < sizeof(places) / sizeof(places[0]); p++) {
      const struct place *place = &places[p];
      unsigned used = 0, refused = 0;

      for (unsigned f = 1; f < SGPU_FORMAT_COUNT; f++) {
         const struct sgpu_format_info *info = sgpu_format_info(f);
         const char *lost = NULL;
         if (!info->block_bytes)
            continue;
         scene_begin(&s, dev);
         place->use(&s, f);
         scene_end_lossy(&s, NULL, &lost);
         used += !lost;
         refused += lost != NULL;
         if (lost && !strstr(lost, "packet"))
            scene_fail("%s as %s: %s", info->name, place->name, lost);
         if (is_depth(f))
            check(place->name, info->name, place->depth, lost);
         if (info->block_width > 1)
            check(place->name, info->name, place->blocks, lost);
      }
      printf("%s: %u used, %u refused\n", place->name, used, refused);
      if (!used || !(refused || place->blocks == ALWAYS))
         scene_fail("%s: all of them", place->name);
   }

   /* The device must draw as before. */
   const char *lost;
   scene_begin(&s, dev);
   draw(&s);
   scene_end_lossy(&s, NULL, &lost);
   if (lost)
      scene_fail("%s", lost);
   sgpu_device_destroy(dev);
   return 0;
}
