/* SPDX-License-Identifier: MIT */
/*
 * Random submissions: packets and descriptors from their tables, surfaces, textures, programs.
 */
#include <string.h>

#include "fuzz_submission.h"
#include "random_program.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"

uint64_t
fuzz_address(struct choices *c)
{
   const uint64_t base = sgpu_bo_address(fuzz_world.areas[take(c, NUM_AREAS)]);
   switch (take(c, 8)) {
   case 0:
      return base + 64 * take(c, AREA_SIZE / 64);
   case 1:
      return base + 4 * take(c, AREA_SIZE / 4);
   case 2:
      return base + AREA_SIZE - take(c, 128);
   case 3:
      return one_in(c, 4) ? sgpu_bo_address(fuzz_world.foreign) : base + take(c, 64);
   default:
      return base;
   }
}

static void
set_field(uint32_t *words, const struct sgpu_field_info *f, unsigned element, uint64_t value)
{
   const unsigned bits = f->bits;
   uint32_t *w = words + f->word + element * (bits > 32 ? 2 : 1);
   const uint64_t stored = (value - f->minus) >> f->shr;
   if (bits > 32) {
      w[0] = (uint32_t)stored;
      w[1] = (uint32_t)(stored >> 32);
   } else {
      const uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
      w[0] = (w[0] & ~(mask << f->bit)) | ((uint32_t)stored & mask) << f->bit;
   }
}

static uint32_t
any_float(struct choices *c)
{
   static const uint32_t list[] = {
      0,          0x3f800000, 0x3f000000, 0x40000000, 0x41800000,
      0x42700000, 0xbf800000, 0x80000000, 0x7f800000, 0xff800000,
      0x7fc00000, 0x7f7fffff, 0x00000001, 0x4f000000, 0x3a83126f,
   };
   const uint32_t n = sizeof(list) / sizeof(list[0]);
   const uint32_t which = take(c, n + 1);
   return which < n ? list[which] : noise(c);
}

static uint64_t
any_number(struct choices *c, const struct sgpu_field_info *f)
{
   const uint64_t fit = f->bits >= 64 ? UINT64_MAX : ((uint64_t)1 << f->bits) - 1;
   const uint64_t most = f->max ? f->max : (fit << f->shr) + f->minus;
   switch (take(c, 8)) {
   case 0:
      return 0;
   case 1:
      return most;
   case 2:
      return noise(c) % (most + !!(most + 1));
   case 3:
      return f->kind == SGPU_FIELD_INT ? (uint64_t) - (int64_t)take(c, 100) : take(c, 256);
   default:
      return take(c, 80) % (most + !!(most + 1));
   }
}

static void any_texture(struct choices *c, uint32_t *words);

void
fuzz_struct(struct choices *c, const struct sgpu_struct_info *info, uint32_t *words)
{
   if (!strcmp(info->name, "SURFACE")) {
      fuzz_surface(c, words, USE_ANY);
      return;
   }
   if (!strcmp(info->name, "TEXTURE")) {
      any_texture(c, words);
      return;
   }
   for (unsigned i = 0; i < info->num_fields; i++) {
      const struct sgpu_field_info *f = &info->fields[i];
      for (unsigned e = 0; e < f->array; e++) {
         switch (f->kind) {
         case SGPU_FIELD_STRUCT:
            fuzz_struct(c, f->structure, words + f->word + e * f->structure->length);
            break;
         case SGPU_FIELD_BOOL:
            set_field(words, f, e, take(c, 2));
            break;
         case SGPU_FIELD_ENUM:
            set_field(words, f, e,
                      f->enumeration->values[take(c, f->enumeration->num_values)].value);
            break;
         case SGPU_FIELD_FLOAT:
            set_field(words, f, e, any_float(c));
            break;
         case SGPU_FIELD_ADDRESS:
            set_field(words, f, e, fuzz_address(c));
            break;
         case SGPU_FIELD_HEX:
            set_field(words, f, e, f->array > 1 || one_in(c, 4) ? noise(c) : any_number(c, f));
            break;
         default:
            set_field(words, f, e, any_number(c, f));
            break;
         }
      }
   }
}

/* Changes a random field of the struct to a random value. */
static void
spoil(struct choices *c, const char *name, uint32_t *words)
{
   const struct sgpu_struct_info *info = sgpu_struct_info(name);
   const struct sgpu_field_info *f = &info->fields[take(c, info->num_fields)];
   if (f->kind != SGPU_FIELD_STRUCT)
      set_field(words, f, 0, any_number(c, f));
}

struct sgpu_bo *
fuzz_image(struct choices *c)
{
   return fuzz_world.areas[AREA_IMAGES + take(c, NUM_AREAS - AREA_IMAGES)];
}

static bool
any_layout(struct choices *c, struct sgpu_layout *layout, const enum sgpu_format *formats,
           unsigned num_formats, bool texture, bool target)
{
   struct sgpu_layout_params p = {
      .format = formats[take(c, num_formats)],
      .mode = one_in(c, target ? 64 : 8) ? SGPU_LAYOUT_LINEAR : SGPU_LAYOUT_TILED,
      .width = 1 + take(c, 72),
      .height = 1 + take(c, 72),
      .depth = 1,
      .layers = 1,
      .levels = 1,
      .samples = target ? c->samples : 1,
   };
   if (one_in(c, 4))
      p.layers = 1 + take(c, 6);
   else if (texture && one_in(c, 4))
      p.depth = 1 + take(c, 5);
   else if (one_in(c, target ? 64 : 16))
      p.samples = 1u << take(c, 4);
   if (texture && p.samples == 1 && one_in(c, 2))
      p.levels = 1 + take(c, 7);
   /* The initial metadata is whatever the memory contains. */
   p.metadata = p.mode == SGPU_LAYOUT_TILED && one_in(c, 2) &&
                sgpu_format_info(p.format)->block_width == 1;
   while (sgpu_layout_init(layout, &p)) {
      if (layout->size <= AREA_SIZE)
         return true;
      p.width = 1 + p.width / 2;
      p.height = p.width < 3 ? 1 : 1 + p.height / 2;
      if (p.width < 3)
         p.layers = p.depth = 1;
   }
   return false;
}

void
fuzz_surface(struct choices *c, uint32_t *words, enum use use)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_R8G8B8A8_UNORM,
      SGPU_FORMAT_B8G8R8A8_SRGB,
      SGPU_FORMAT_B5G6R5_UNORM,
      SGPU_FORMAT_R8_UNORM,
      SGPU_FORMAT_R16G16B16A16_FLOAT,
      SGPU_FORMAT_R32G32B32A32_FLOAT,
      SGPU_FORMAT_R32G32B32A32_UINT,
      SGPU_FORMAT_R11G11B10_FLOAT,
      SGPU_FORMAT_R8G8_SINT,
      SGPU_FORMAT_R10G10B10A2_UNORM,
      SGPU_FORMAT_A8_UNORM,
      /* the last format, which has compressed blocks */
      SGPU_FORMAT_DXT5_RGBA,
   };
   static const enum sgpu_format depths[] = {
      SGPU_FORMAT_Z24_UNORM_S8_UINT,    SGPU_FORMAT_Z16_UNORM, SGPU_FORMAT_Z32_FLOAT,
      SGPU_FORMAT_Z32_FLOAT_S8X24_UINT, SGPU_FORMAT_S8_UINT,   SGPU_FORMAT_S8_UINT_Z24_UNORM,
   };
   const unsigned num_formats = sizeof(formats) / sizeof(formats[0]);
   const unsigned num_depths = sizeof(depths) / sizeof(depths[0]);
   const bool target = use != USE_ANY;
   struct sgpu_layout layout;
   struct SGPU_SURFACE surface;

   if (!target ? one_in(c, 8) : one_in(c, 128))
      use = use == USE_DEPTH ? USE_COLOR : USE_DEPTH;
   const bool ok = use == USE_DEPTH
                      ? any_layout(c, &layout, depths, num_depths, false, target)
                      : any_layout(c, &layout, formats, num_formats - target, false, target);
   if (!ok)
      return;
   const unsigned layers = sgpu_layout_layers(&layout, 0), first = take(c, layers);
   if (!sgpu_layout_fill_surface(&layout, sgpu_bo_address(fuzz_image(c)), layout.format, 0, first,
                                 1 + take(c, layers - first), &surface))
      return;
   surface.fast_clear = one_in(c, 2);
   SGPU_SURFACE_pack(words, &surface);
   if (one_in(c, 64))
      spoil(c, "SURFACE", words);
}

static void
any_texture(struct choices *c, uint32_t *words)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_R8G8B8A8_UNORM,     SGPU_FORMAT_R8G8B8A8_SRGB,      SGPU_FORMAT_R8_UNORM,
      SGPU_FORMAT_R16G16B16A16_FLOAT, SGPU_FORMAT_R32G32B32A32_FLOAT, SGPU_FORMAT_R32_UINT,
      SGPU_FORMAT_Z24X8_UNORM,        SGPU_FORMAT_Z32_FLOAT,          SGPU_FORMAT_DXT1_RGBA,
      SGPU_FORMAT_RGTC2_SNORM,        SGPU_FORMAT_R9G9B9E5_FLOAT,     SGPU_FORMAT_R8G8B8_UNORM,
   };
   struct sgpu_layout layout;
   if (!any_layout(c, &layout, formats, 12, true, false))
      return;
   struct SGPU_TEXTURE t = {
      .address = sgpu_bo_address(fuzz_image(c)),
      .format = layout.format,
      .valid = true,
      .array = one_in(c, 4),
   };
   t.type = layout.depth > 1     ? SGPU_TEXTURE_TYPE_3D
            : layout.layers == 6 ? SGPU_TEXTURE_TYPE_CUBE
                                 : SGPU_TEXTURE_TYPE_2D;
   if (one_in(c, 8))
      t.type = take(c, 5);
   sgpu_layout_fill_texture(&layout, &t);
   t.first_level = take(c, layout.levels);
   t.last_level = t.first_level + take(c, layout.levels - t.first_level);
   t.last_layer = layout.layers - 1;
   t.swizzle_x = take(c, 6);
   t.swizzle_y = take(c, 6);
   t.swizzle_z = take(c, 6);
   t.swizzle_w = take(c, 6);
   SGPU_TEXTURE_pack(words, &t);
   if (one_in(c, 64))
      spoil(c, "TEXTURE", words);
}

/* Redirects some results to outputs that random programs do not write. */
static void
other_outputs(struct choices *c, struct sgpu_instr *instrs, uint32_t n, enum sgpu_stage stage)
{
   static const uint8_t outputs[] = {
      SGPU_VO_CLIP0, SGPU_VO_CLIP1, SGPU_VO_PSIZ, SGPU_VO_LAYER, SGPU_VO_EDGE, SGPU_VO_COL0,
      SGPU_VO_BFC0,  SGPU_VO_FOGC,  SGPU_VO_PRID, SGPU_VO_CLIPV, SGPU_VO_TEX0, SGPU_VO_HPOS,
   };
   static const uint8_t pixel_outputs[] = {
      SGPU_PO_DEPR,
      SGPU_PO_STEN,
      SGPU_PO_SMASK,
      SGPU_PO_COLR1,
   };
   for (uint32_t i = 0; i < n; i++) {
      if (instrs[i].dst.file != SGPU_FILE_OUTPUT || take(c, 2))
         continue;
      struct sgpu_instr other = instrs[i];
      uint32_t words[4];
      other.dst.index = stage == SGPU_STAGE_PIXEL ? pixel_outputs[take(c, 4)]
                                                  : outputs[take(c, sizeof(outputs))];
      if (!sgpu_instr_pack(&other, words))
         instrs[i] = other;
   }
}

/* Replaces arithmetic by operations on memory. */
static void
reach_memory(struct choices *c, struct isa_random *r, struct sgpu_instr *instrs, uint32_t n,
             enum sgpu_stage stage)
{
   for (unsigned k = 1 + take(c, 8); k > 0; k--) {
      struct sgpu_instr *i = &instrs[take(c, n)];
      const bool plain = sgpu_opcode_info(i->opcode)->kind < SGPU_KIND_QUAD &&
                         i->dst.file == SGPU_FILE_TEMP && i->dst.index < 8;
      if (plain)
         *i = random_memory(r, stage);
   }
}

/* Makes a SHADER packet and stores its program. The first programs are at separate addresses. */
void
fuzz_shader(struct choices *c, uint32_t *words, enum sgpu_stage stage)
{
   enum { PLACES = 8, PLACE = AREA_SIZE / PLACES };
   const unsigned place = c->programs++ % PLACES;
   const uint64_t address = sgpu_bo_address(fuzz_world.areas[AREA_PROGRAMS]) + place * PLACE;
   uint32_t(*code)[4] = (void *)((uint8_t *)sgpu_bo_map(fuzz_world.areas[AREA_PROGRAMS]) +
                                 place * PLACE);
   struct sgpu_instr instrs[RANDOM_PROGRAM_MAX];
   struct isa_random r = { 1 + take(c, 65536) };

   const uint32_t n = random_program(&r, stage, 4, instrs);
   if (one_in(c, 4) && stage != SGPU_STAGE_COMPUTE)
      other_outputs(c, instrs, n, stage);
   if (stage == SGPU_STAGE_COMPUTE || one_in(c, 8))
      reach_memory(c, &r, instrs, n, stage);
   for (uint32_t i = 0; i < n; i++) {
      const char *error = sgpu_instr_pack(&instrs[i], code[i]);
      fuzz_require(!error, "a random program");
   }
   if (one_in(c, 8)) {
      for (unsigned k = 1 + take(c, 4); k > 0; k--)
         code[take(c, n)][take(c, 4)] ^= 1u << take(c, 32);
   }
   struct SGPU_SHADER shader = {
      .address = address,
      .instructions = n,
      .stage = stage,
      .temps = RANDOM_PROGRAM_TEMPS,
      .scratch = RANDOM_PROGRAM_SCRATCH,
      .early_tests = one_in(c, 8),
      .color_outputs = stage == SGPU_STAGE_PIXEL ? 1 + take(c, 2) : 0,
      .broadcast_color = one_in(c, 8),
      .per_sample = one_in(c, 8),
   };
   if (stage == SGPU_STAGE_PIXEL) {
      shader.per_sample = one_in(c, 8);
      shader.post_depth_coverage = one_in(c, 8);
   } else {
      shader.cull_distances = one_in(c, 8) ? take(c, 256) : 0;
      shader.viewport_mask = one_in(c, 8);
      shader.relative_layer = one_in(c, 2);
   }
   if (stage == SGPU_STAGE_TESS_CTRL)
      shader.output_vertices = one_in(c, 16) ? take(c, 33) : 1 + take(c, 5);
   if (stage == SGPU_STAGE_TESS_EVAL) {
      shader.tess_domain = take(c, 3);
      shader.tess_spacing = take(c, 3);
      shader.tess_cw = take(c, 2);
      shader.tess_points = one_in(c, 8);
      c->makes = shader.tess_points                                ? SGPU_PRIMITIVE_POINTS
                 : shader.tess_domain == SGPU_TESS_DOMAIN_ISOLINES ? SGPU_PRIMITIVE_LINES
                                                                   : SGPU_PRIMITIVE_TRIANGLES;
   }
   if (stage == SGPU_STAGE_GEOMETRY) {
      static const enum sgpu_primitive in[] = {
         SGPU_PRIMITIVE_TRIANGLES,           SGPU_PRIMITIVE_LINES,           SGPU_PRIMITIVE_POINTS,
         SGPU_PRIMITIVE_TRIANGLES_ADJACENCY, SGPU_PRIMITIVE_LINES_ADJACENCY,
      };
      static const enum sgpu_primitive out[] = {
         SGPU_PRIMITIVE_TRIANGLE_STRIP,
         SGPU_PRIMITIVE_LINE_STRIP,
         SGPU_PRIMITIVE_POINTS,
      };
      static const unsigned fit[] = {
         1u << SGPU_PRIMITIVE_TRIANGLES | 1u << SGPU_PRIMITIVE_TRIANGLE_STRIP |
            1u << SGPU_PRIMITIVE_TRIANGLE_FAN,
         1u << SGPU_PRIMITIVE_LINES | 1u << SGPU_PRIMITIVE_LINE_LOOP |
            1u << SGPU_PRIMITIVE_LINE_STRIP,
         1u << SGPU_PRIMITIVE_POINTS,
         1u << SGPU_PRIMITIVE_TRIANGLES_ADJACENCY | 1u << SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY,
         1u << SGPU_PRIMITIVE_LINES_ADJACENCY | 1u << SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY,
      };
      const unsigned type = take(c, 5);
      shader.input_primitive = in[type];
      c->draws_fit = fit[type];
      if (c->tessellates && !one_in(c, 16))
         shader.input_primitive = c->makes;
      shader.output_primitive = out[take(c, 3)];
      shader.max_vertices = take(c, 40);
      shader.invocations = 1 + take(c, 4);
   }
   SGPU_SHADER_pack(words, &shader);
   if (one_in(c, 64))
      spoil(c, "SHADER", words);
}
