/* SPDX-License-Identifier: MIT */
/*
 * Storage buffers, atomic counters and images for Mesa's draw module, which without LLVM
 * leaves these to the driver, as it does textures (draw_textures.c, docs/dri.md).
 */
#include "draw_memory.h"

#include "draw/draw_context.h"
#include "draw/draw_private.h"
#include "main/context.h"
#include "main/mtypes.h"
#include "sgpu/sgpu_public.h"
#include "state_tracker/st_context.h"
#include "tgsi/tgsi_exec.h"
#include "util/format/u_format.h"
#include "util/macros.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

struct memory {
   struct tgsi_buffer buffer;
   struct tgsi_image image;
   struct draw_context *draw;
};

/*
 * Buffers
 */

/* What st_bind_ssbos and st_bind_atomics bind to the vertex shader's buffer `unit`: the
 * counters' buffers follow the storage blocks.
 */
static const struct gl_buffer_binding *
binding_of(const struct gl_context *ctx, unsigned unit, unsigned *offset)
{
   const struct gl_program *prog = st_context((struct gl_context *)ctx)->vp;
   const struct gl_buffer_binding *binding;

   if (unit < prog->info.num_ssbos) {
      binding = &ctx->ShaderStorageBufferBindings[prog->sh.ShaderStorageBlocks[unit]->Binding];
      *offset = binding->Offset;
   } else if (unit - prog->info.num_ssbos < ARRAY_SIZE(ctx->AtomicBufferBindings)) {
      /* The shader adds what the alignment takes away. */
      binding = &ctx->AtomicBufferBindings[unit - prog->info.num_ssbos];
      *offset = binding->Offset - binding->Offset % ctx->Const.ShaderStorageBufferOffsetAlignment;
   } else {
      return NULL;
   }
   return binding->BufferObject && binding->BufferObject->buffer ? binding : NULL;
}

/* The address lasts as long as the storage, which no shader replaces. */
static void *
lookup(const struct tgsi_buffer *buffer, uint32_t unit, uint32_t *size)
{
   struct pipe_context *pipe = container_of(buffer, struct memory, buffer)->draw->pipe;
   struct pipe_transfer *transfer;
   unsigned offset, bytes;
   GET_CURRENT_CONTEXT(ctx);

   *size = 0;
   const struct gl_buffer_binding *binding = binding_of(ctx, unit, &offset);
   if (!binding || offset >= binding->BufferObject->buffer->width0)
      return NULL;
   struct pipe_resource *resource = binding->BufferObject->buffer;
   bytes = resource->width0 - offset;
   if (!binding->AutomaticSize)
      bytes = MIN2(bytes, (unsigned)(binding->Size + binding->Offset - offset));

   void *map = bytes ? pipe_buffer_map_range(pipe, resource, offset, bytes, PIPE_MAP_READ_WRITE,
                                             &transfer)
                     : NULL;
   if (!map)
      return NULL;
   pipe_buffer_unmap(pipe, transfer);
   *size = bytes;
   return map;
}

/*
 * Images
 */

static const struct pipe_image_view *
view_of(const struct tgsi_image *image, unsigned unit)
{
   const struct draw_context *draw = container_of(image, struct memory, image)->draw;
   const struct pipe_image_view *view = unit < PIPE_MAX_SHADER_IMAGES
                                           ? draw->images[PIPE_SHADER_VERTEX][unit]
                                           : NULL;

   return view && view->resource ? view : NULL;
}

struct texel {
   struct pipe_context *pipe;
   struct pipe_transfer *transfer;
   enum pipe_format format;
   void *map; /* NULL: outside of the image */
};

/* Coordinates as GLSL has them, of the image's kind (TGSI_TEXTURE_). */
struct coordinates {
   unsigned kind;
   int s, t, r, sample;
};

static void
map_buffer_texel(struct texel *texel, const struct pipe_image_view *view, int s, unsigned usage)
{
   const unsigned bytes = util_format_get_blocksize(view->format);

   if (s >= 0 && (unsigned)s < view->u.buf.size / bytes)
      texel->map = pipe_buffer_map_range(texel->pipe, view->resource,
                                         view->u.buf.offset + s * bytes, bytes, usage,
                                         &texel->transfer);
}

static void
map_texture_texel(struct texel *texel, const struct pipe_image_view *view,
                  const struct coordinates *at, unsigned usage)
{
   const struct pipe_resource *resource = view->resource;
   const unsigned layers = view->u.tex.last_layer - view->u.tex.first_layer + 1;
   const bool samples = at->kind == TGSI_TEXTURE_2D_MSAA || at->kind == TGSI_TEXTURE_2D_ARRAY_MSAA;
   int y = 0, layer = 0;

   switch (at->kind) {
   case TGSI_TEXTURE_1D:
      break;
   case TGSI_TEXTURE_1D_ARRAY:
      layer = at->t;
      break;
   case TGSI_TEXTURE_2D:
   case TGSI_TEXTURE_RECT:
   case TGSI_TEXTURE_2D_MSAA:
      y = at->t;
      break;
   default:
      y = at->t;
      layer = at->r;
      break;
   }
   if (at->s < 0 || at->s >= u_minify(resource->width0, view->u.tex.level) || y < 0 ||
       y >= u_minify(resource->height0, view->u.tex.level) || layer < 0 ||
       (unsigned)layer >= layers)
      return;
   texel->map = pipe_texture_map(texel->pipe, view->resource,
                                 samples ? at->sample : view->u.tex.level,
                                 view->u.tex.first_layer + layer,
                                 usage | (samples ? SGPU_MAP_SAMPLE : 0), at->s, y, 1, 1,
                                 &texel->transfer);
}

static struct texel
map_texel(const struct tgsi_image *image, const struct pipe_image_view *view,
          const struct coordinates *at, unsigned usage)
{
   struct texel texel = {
      .pipe = container_of(image, struct memory, image)->draw->pipe,
      .format = view->format,
   };
   const bool is_buffer = view->resource->target == PIPE_BUFFER;

   if (is_buffer != (at->kind == TGSI_TEXTURE_BUFFER))
      return texel;
   if (is_buffer)
      map_buffer_texel(&texel, view, at->s, usage);
   else
      map_texture_texel(&texel, view, at, usage);
   return texel;
}

static void
unmap_texel(const struct texel *texel)
{
   if (!texel->map)
      return;
   if (texel->transfer->resource->target == PIPE_BUFFER)
      pipe_buffer_unmap(texel->pipe, texel->transfer);
   else
      pipe_texture_unmap(texel->pipe, texel->transfer);
}

static void
load(const struct tgsi_image *image, const struct tgsi_image_params *params,
     const int s[TGSI_QUAD_SIZE], const int t[TGSI_QUAD_SIZE], const int r[TGSI_QUAD_SIZE],
     const int sample[TGSI_QUAD_SIZE], float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE])
{
   const struct pipe_image_view *view = view_of(image, params->unit);

   memset(rgba, 0, TGSI_NUM_CHANNELS * sizeof(rgba[0]));
   for (unsigned q = 0; view && q < TGSI_QUAD_SIZE; q++) {
      const struct coordinates at = { params->tgsi_tex_instr, s[q], t[q], r[q], sample[q] };
      uint32_t value[4] = { 0 };

      if (!(params->execmask & (1u << q)))
         continue;
      const struct texel texel = map_texel(image, view, &at, PIPE_MAP_READ);
      if (texel.map)
         util_format_read_4(texel.format, value, 16, texel.map, 16, 0, 0, 1, 1);
      unmap_texel(&texel);
      for (unsigned c = 0; c < 4; c++)
         rgba[c][q] = uif(value[c]);
   }
}

static void
store(const struct tgsi_image *image, const struct tgsi_image_params *params,
      const int s[TGSI_QUAD_SIZE], const int t[TGSI_QUAD_SIZE], const int r[TGSI_QUAD_SIZE],
      const int sample[TGSI_QUAD_SIZE], float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE])
{
   const struct pipe_image_view *view = view_of(image, params->unit);

   for (unsigned q = 0; view && q < TGSI_QUAD_SIZE; q++) {
      const struct coordinates at = { params->tgsi_tex_instr, s[q], t[q], r[q], sample[q] };

      if (!(params->execmask & (1u << q)))
         continue;
      const struct texel texel = map_texel(image, view, &at, PIPE_MAP_WRITE);
      if (texel.map) {
         const uint32_t value[4] = { fui(rgba[0][q]), fui(rgba[1][q]), fui(rgba[2][q]),
                                     fui(rgba[3][q]) };
         util_format_write_4(texel.format, value, 16, texel.map, 16, 0, 0, 1, 1);
      }
      unmap_texel(&texel);
   }
}

static uint32_t
combine(enum tgsi_opcode opcode, uint32_t old, uint32_t a, uint32_t b)
{
   switch (opcode) {
   case TGSI_OPCODE_ATOMUADD:
      return old + a;
   case TGSI_OPCODE_ATOMAND:
      return old & a;
   case TGSI_OPCODE_ATOMOR:
      return old | a;
   case TGSI_OPCODE_ATOMXOR:
      return old ^ a;
   case TGSI_OPCODE_ATOMUMIN:
      return MIN2(old, a);
   case TGSI_OPCODE_ATOMUMAX:
      return MAX2(old, a);
   case TGSI_OPCODE_ATOMIMIN:
      return MIN2((int32_t)old, (int32_t)a);
   case TGSI_OPCODE_ATOMIMAX:
      return MAX2((int32_t)old, (int32_t)a);
   case TGSI_OPCODE_ATOMXCHG:
      return a;
   case TGSI_OPCODE_ATOMCAS:
      return old == a ? b : old;
   case TGSI_OPCODE_ATOMFADD:
      return fui(uif(old) + uif(a));
   default:
      unreachable("nir_to_tgsi makes no other operation");
   }
}

/* Texels are words (OpenGL 4.6, table 8.27, "Image Atomic"). */
static void
op(const struct tgsi_image *image, const struct tgsi_image_params *params, enum tgsi_opcode opcode,
   const int s[TGSI_QUAD_SIZE], const int t[TGSI_QUAD_SIZE], const int r[TGSI_QUAD_SIZE],
   const int sample[TGSI_QUAD_SIZE], float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE],
   float rgba2[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE])
{
   const struct pipe_image_view *view = view_of(image, params->unit);

   for (unsigned q = 0; q < TGSI_QUAD_SIZE; q++) {
      const struct coordinates at = { params->tgsi_tex_instr, s[q], t[q], r[q], sample[q] };
      uint32_t old = 0;

      if (view && (params->execmask & (1u << q)) && util_format_get_blocksize(view->format) == 4) {
         const struct texel texel = map_texel(image, view, &at, PIPE_MAP_READ_WRITE);
         if (texel.map) {
            memcpy(&old, texel.map, 4);
            const uint32_t value = combine(opcode, old, fui(rgba[0][q]),
                                           opcode == TGSI_OPCODE_ATOMCAS ? fui(rgba2[0][q]) : 0);
            memcpy(texel.map, &value, 4);
         }
         unmap_texel(&texel);
      }
      for (unsigned c = 0; c < 4; c++)
         rgba[c][q] = uif(old);
   }
}

/* As imageSize has them; [3]: samples. */
static void
get_dims(const struct tgsi_image *image, const struct tgsi_image_params *params, int dims[4])
{
   const struct pipe_image_view *view = view_of(image, params->unit);

   memset(dims, 0, 4 * sizeof(int));
   if (!view)
      return;
   const struct pipe_resource *resource = view->resource;
   if (resource->target == PIPE_BUFFER) {
      dims[0] = view->u.buf.size / util_format_get_blocksize(view->format);
      return;
   }
   const int layers = view->u.tex.last_layer - view->u.tex.first_layer + 1;
   dims[0] = u_minify(resource->width0, view->u.tex.level);
   dims[1] = params->tgsi_tex_instr == TGSI_TEXTURE_1D_ARRAY
                ? layers
                : u_minify(resource->height0, view->u.tex.level);
   dims[2] = params->tgsi_tex_instr == TGSI_TEXTURE_CUBE_ARRAY ? layers / 6 : layers;
   dims[3] = MAX2(resource->nr_samples, 1);
}

bool
draw_memory_init(struct draw_context *draw)
{
   struct memory *memory = CALLOC_STRUCT(memory);

   if (!memory)
      return false;
   memory->buffer.lookup = lookup;
   memory->image = (struct tgsi_image){
      .load = load,
      .store = store,
      .op = op,
      .get_dims = get_dims,
   };
   memory->draw = draw;
   draw_buffer(draw, PIPE_SHADER_VERTEX, &memory->buffer);
   draw_image(draw, PIPE_SHADER_VERTEX, &memory->image);
   return true;
}

void *
draw_memory_of(const struct draw_context *draw)
{
   return draw->vs.tgsi.buffer ? container_of(draw->vs.tgsi.buffer, struct memory, buffer) : NULL;
}
