/* SPDX-License-Identifier: MIT */
/*
 * Resolved state of a draw. The command processor copies and validates packets and descriptors
 * once, and replaces device addresses by host addresses and sizes. A state block is immutable after
 * its creation, so that later writes by the application can't affect it.
 */
#ifndef SGD_STATE_H
#define SGD_STATE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sgd_box.h"
#include "common/sgd_constants.h"
#include "common/sgd_plan.h"
#include "common/sgd_ref.h"
#include "common/sgd_xfb_state.h"
#include "sgpu_formats_pipe.h"
#include "sgpu_isa.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"
#include "util/format/u_format.h"

#define SGD_WARP 32
#define SGD_QUADS 8
#define SGD_TILE_LOG2 6
#define SGD_TILE (1 << SGD_TILE_LOG2)

/* Limits, which match the maximum counts and indices that packets can encode. */
#define SGD_MAX_COLORS SGPU_BLEND_TAIL_MAX
#define SGD_MAX_VIEWPORTS (SGPU_VIEWPORT_INDEX_MAX + 1)
#define SGD_MAX_BANKS (SGPU_CONSTANTS_BANK_MAX + 1)
#define SGD_MAX_TEXTURES SGPU_TEXTURES_TAIL_MAX
#define SGD_MAX_SAMPLERS SGPU_SAMPLERS_TAIL_MAX
#define SGD_MAX_BUFFERS SGPU_BUFFERS_TAIL_MAX
#define SGD_MAX_IMAGES SGPU_IMAGES_TAIL_MAX
#define SGD_MAX_ELEMENTS SGPU_VERTEX_ELEMENTS_TAIL_MAX
#define SGD_MAX_VERTEX_BUFFERS SGPU_VERTEX_BUFFERS_TAIL_MAX
#define SGD_MAX_VARYINGS SGPU_VARYINGS_TAIL_MAX
#define SGD_MAX_SAMPLES SGPU_LAYOUT_MAX_SAMPLES
#define SGD_MAX_STAGE_INPUTS SGPU_STAGE_INPUTS_TAIL_MAX
static_assert(SGPU_FRAMEBUFFER_COLORS_MAX == SGD_MAX_COLORS &&
                 SGPU_FRAMEBUFFER_TAIL_MAX == SGD_MAX_COLORS + 1,
              "colours, and depth");
static_assert(SGPU_SCISSOR_INDEX_MAX == SGPU_VIEWPORT_INDEX_MAX, "a scissor each");
/* Programs can address exactly the bindings that packets can set. */
static_assert(SGPU_MAX_BANKS == SGD_MAX_BANKS && SGPU_MAX_TEXTURES == SGD_MAX_TEXTURES &&
                 SGPU_MAX_SAMPLERS == SGD_MAX_SAMPLERS &&
                 SGPU_BUFFERS_TAIL_MAX == SGD_MAX_BUFFERS &&
                 SGPU_IMAGES_TAIL_MAX == SGD_MAX_IMAGES &&
                 SGPU_MAX_VERTEX_INPUTS == SGD_MAX_STAGE_INPUTS,
              "");

#define SGD_MAX_GROUP 1024 /* maximum number of invocations per workgroup */
/* maximum number of vertices per primitive, which only patches reach */
#define SGD_PRIMITIVE_VERTICES SGPU_MAX_PATCH_VERTICES

enum { SGD_STAGES = SGPU_STAGE_COMPUTE + 1 };

struct sgpu_bo;

/* A range of buffer memory that the submission is allowed to access. */
struct sgd_span {
   uint8_t *ptr; /* start of the range; NULL if size is 0 */
   uint64_t size;
};

/* Returns true if the span overlaps [first, last). */
static inline bool
sgd_span_meets(const struct sgd_span *span, const uint8_t *first, const uint8_t *last)
{
   return span->size && span->ptr < last && first < span->ptr + span->size;
}

/* A render target, or the source or destination of a copy. Every element in width x height x layers
 * x samples is accessible, since the bounds were checked when the surface was resolved.
 */
struct sgd_surface {
   uint8_t *base;          /* host address of element (0, 0) of First Layer, sample 0 */
   uint32_t pitch;         /* bytes per row of elements, or of micro tiles if tiled */
   uint64_t layer_stride;  /* bytes from one layer to the next */
   uint64_t sample_stride; /* bytes from one sample plane to the next */
   enum sgpu_format format;
   enum pipe_format pformat;
   const struct util_format_description *desc;
   uint16_t width, height; /* size in pixels */
   uint16_t layers;        /* number of layers */
   struct sgpu_bo *bo;     /* buffer that contains the surface */
   uint8_t bpe;            /* bytes per element */
   uint8_t samples;        /* samples per pixel: 1, 2, 4, ..., SGD_MAX_SAMPLES */
   bool tiled;
   bool valid;
   uint64_t storage;    /* ID of the memory for dependence tracking (SURFACE.Storage) */
   uint64_t begin, end; /* device address range of all elements and metadata */
   uint16_t first_layer;
   uint8_t level;
   bool fast_clear;
   uint8_t *meta;       /* metadata of the tiles of First Layer (sgd_tile_meta.h), or NULL */
   uint32_t meta_layer; /* bytes from the metadata of one layer to the next */
};

/* A texture binding. src/device/texture/unit decodes the texture to its own form; the descriptor is
 * kept for instructions that query the texture.
 */
struct sgd_texture {
   uint32_t refs; /* atomic reference count */
   struct SGPU_TEXTURE desc;
   uint8_t *base; /* host address of level 0, layer 0 */
   uint64_t size; /* number of accessible bytes, starting at base */
   struct sgpu_bo *bo;
   struct sgpu_layout layout; /* layout of the resource */
   enum pipe_format pformat;
   const struct util_format_description *fdesc;
   uint64_t facts;    /* mask of SGPU_FACT_*, set by sgd_texture_prepare() */
   uint32_t no_paths; /* bitmask of paths (enum sgpu_path) that reads must not use */
   void *unit;        /* private data of src/device/texture/unit, made by sgd_texture_prepare() */
   void *image;       /* private data of src/device/texture/image, made by sgd_image_prepare() */
};

/* Properties of a sampler that enable fast paths of the texture unit. */
enum sgd_sampler_plan {
   SGD_SAMPLER_PLAIN = 1 << 0,      /* isotropic, and the filter computes an average */
   SGD_SAMPLER_ONE_FILTER = 1 << 1, /* minification and magnification use the same filter */
   SGD_SAMPLER_ONE_LEVEL = 1 << 2,  /* no mipmaps */
   /* If the level of detail is at most 0, bias and limits keep it at most 0. */
   SGD_SAMPLER_KEEPS_MAGNIFIED = 1 << 3,
   SGD_SAMPLER_FAST_WRAPS = 1 << 4, /* wrap modes of s and t are REPEAT or CLAMP_TO_EDGE */
   SGD_SAMPLER_REPEAT_S = 1 << 5,   /* wrap mode of s is REPEAT, and coordinates are normalized */
   SGD_SAMPLER_REPEAT_T = 1 << 6,
   SGD_SAMPLER_NORMALIZED = 1 << 7, /* coordinates are normalized */
   SGD_SAMPLER_LINEAR = 1 << 8,     /* the magnification filter is linear */
   /* Only in the plan of a texture. TILED: the texture is `simple` and tiled. LEVELS: it is
    * `simple`, or `wide` without floats (since a float level with weight 0 could contain
    * infinities).
    */
   SGD_SAMPLER_TILED = 1 << 9,
   SGD_SAMPLER_LEVELS = 1 << 10,
};

struct sgd_sampler {
   struct SGPU_SAMPLER desc;
   bool valid;
   uint16_t plan; /* mask of enum sgd_sampler_plan, set by sgd_sampler_prepare(); 0 if unknown */
};

struct sgd_handle_set;

/* Resources bound to a program. */
struct sgd_env {
   struct sgd_bank banks[SGD_MAX_BANKS]; /* constants; bank 0 is the CONST file */
   /* Arrays of SGD_MAX_TEXTURES textures and SGD_MAX_SAMPLERS samplers, or NULL if nothing is
    * bound. A texture that is NULL reads as (0, 0, 0, 0).
    */
   const struct sgd_texture *const *textures;
   const struct sgd_sampler *samplers;
   /* array of SGD_MAX_BUFFERS storage buffers, or NULL if none is bound */
   const struct sgd_span *buffers;
   /* Array of SGD_MAX_IMAGES images with one level each (First Level equals Last Level), or NULL if
    * none is bound. Accesses to an image that is NULL are treated as out of range.
    */
   const struct sgd_texture *const *images;
   uint32_t clock;     /* high word of the value that CLK returns */
   uint32_t versioned; /* bitmask of the constant banks that are divided into lines */
   /* set of bindless handles, or NULL if no handle is bound */
   const struct sgd_handle_set *handles;
};

struct sgd_element {
   struct SGPU_VERTEX_ELEMENT desc;
   enum pipe_format pformat;
   const struct util_format_description *fdesc;
};

struct sgd_vertex_buffer {
   struct sgd_span span;
   uint32_t stride; /* bytes from one vertex to the next */
};

/* Inputs of a stage that reads vertices of the previous stage. */
struct sgd_stage_link {
   unsigned num_inputs;
   struct SGPU_STAGE_INPUT input[SGD_MAX_STAGE_INPUTS];
};

struct sgd_shader;

/* Textures, samplers, images and storage buffers of a stage. States with identical bindings share a
 * set.
 */
struct sgd_texture_set {
   uint32_t refs;         /* atomic reference count */
   unsigned num_textures; /* index of the highest bound texture, plus 1 */
   struct sgd_texture *textures[SGD_MAX_TEXTURES];
   struct sgd_sampler samplers[SGD_MAX_SAMPLERS];
   unsigned num_images; /* index of the highest bound image, plus 1 */
   bool has_buffers;
   struct sgd_texture *images[SGD_MAX_IMAGES]; /* only valid if num_images is not 0 */
   struct sgd_span buffers[SGD_MAX_BUFFERS];   /* only valid if has_buffers is set */
};
/* Size in bytes of a set without images and storage buffers. */
#define SGD_TEXTURE_SET_SMALL offsetof(struct sgd_texture_set, images)

/* A bindless handle: a texture and a sampler, or an image. All stages share one set of handles, and
 * states share handle sets in the same way as texture sets.
 */
struct sgd_handle {
   struct sgd_texture *texture; /* texture; a NULL texture reads as (0, 0, 0, 0) */
   struct sgd_sampler sampler;
   struct sgd_texture *image; /* image, or NULL */
};

struct sgd_handle_set {
   uint32_t refs;  /* atomic reference count */
   unsigned count; /* number of handles */
   struct sgd_handle handle[];
};

/* The state of a command stream, or a copy of this state for draws. The copies are partial (see
 * copy_state()): they only have the constants of stages with a program, and only the used elements
 * of some arrays.
 */
struct sgd_state {
   uint32_t refs;                            /* atomic reference count */
   void (*destroy)(struct sgd_state *state); /* called when the last reference is dropped */

   /* Render targets. */
   unsigned num_colors;
   struct sgd_surface color[SGD_MAX_COLORS];
   struct sgd_surface zs;
   uint32_t fb_width, fb_height; /* size that all targets have in common, in pixels */
   uint32_t fb_layers;
   uint8_t samples; /* number of samples per pixel of all targets */

   struct SGPU_VIEWPORT viewport[SGD_MAX_VIEWPORTS];
   struct SGPU_SCISSOR scissor[SGD_MAX_VIEWPORTS];
   struct SGPU_RASTERIZER rast;
   struct SGPU_DEPTH_STENCIL dsa;
   struct SGPU_DEPTH_BOUNDS depth_bounds;
   struct SGPU_STENCIL_REF stencil_ref;
   struct SGPU_BLEND blend;
   struct SGPU_BLEND_TARGET blend_target[SGD_MAX_COLORS];
   float blend_color[4];
   uint32_t sample_mask;
   struct SGPU_COVERAGE coverage;
   uint32_t poly_stipple[32];
   float clip_plane[8][4];

   struct sgd_shader *shader[SGD_STAGES];
   struct SGPU_SHADER shader_desc[SGD_STAGES];
   struct sgd_env env[SGD_STAGES];
   struct sgd_texture_set *sets[SGD_STAGES];
   struct sgd_handle_set *handles;

   unsigned num_elements;
   struct sgd_element element[SGD_MAX_ELEMENTS];
   unsigned num_vertex_buffers;
   struct sgd_vertex_buffer vertex_buffer[SGD_MAX_VERTEX_BUFFERS];

   unsigned num_varyings;
   struct SGPU_VARYING varying[SGD_MAX_VARYINGS];
   struct SGPU_TESS_LEVELS tess_levels;

   /* plan for draws, derived from the other members; only valid in the copies for draws */
   struct sgd_plan plan;

   /* ID of the state for the observer, or 0 if it has not been reported yet; protected by the
    * scheduler's lock
    */
   uint32_t observed;

   /* Without transform feedback, only num_words is valid in copies. */
   struct sgd_xfb_state xfb;
   /* Links for SGPU_STAGE_TESS_CTRL to SGPU_STAGE_GEOMETRY; [SGPU_STAGE_VERTEX] is unused. Copies
    * only have the links of stages with a program.
    */
   struct sgd_stage_link link[SGPU_STAGE_GEOMETRY + 1];
};

static inline void
sgd_state_unref(struct sgd_state *state)
{
   if (state && sgd_unref(&state->refs))
      state->destroy(state);
}

/* Returns true if primitives cover individual samples rather than whole pixels. */
static inline bool
sgd_state_multisamples(const struct sgd_state *st)
{
   return st->rast.multisample && st->samples > 1;
}

/* Returns the program whose outputs feed the clipper, or NULL. */
static inline const struct sgd_shader *
sgd_state_last(const struct sgd_state *st)
{
   return st->shader[SGPU_STAGE_GEOMETRY]    ? st->shader[SGPU_STAGE_GEOMETRY]
          : st->shader[SGPU_STAGE_TESS_EVAL] ? st->shader[SGPU_STAGE_TESS_EVAL]
                                             : st->shader[SGPU_STAGE_VERTEX];
}

/* Returns the number of geometry program invocations per primitive, for the watchdog. */
static inline unsigned
sgd_state_geometry_runs(const struct sgd_state *st)
{
   return st->shader[SGPU_STAGE_GEOMETRY] ? st->shader_desc[SGPU_STAGE_GEOMETRY].invocations : 1;
}

/* Returns true if points, lines and polygons can be smooth, i.e. if rasterization is not
 * multisampled (OpenGL 2.1, section 3.2.1).
 */
static inline bool
sgd_state_smooths(const struct sgd_state *st)
{
   return !sgd_state_multisamples(st);
}

#endif
