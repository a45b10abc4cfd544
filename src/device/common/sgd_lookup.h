/* SPDX-License-Identifier: MIT */
/*
 * Lookups: texture operations with single texels that machine code of programs executes. The
 * texture unit describes them, the shader core selects code for them, and the translator makes the
 * code.
 */
#ifndef SGD_LOOKUP_H
#define SGD_LOOKUP_H

#include "common/sgd_warp.h"

/* Source of a component of a texture operation's result: a channel of the texel, or a constant. */
enum sgd_tex_route {
   SGD_TEX_ROUTE_0 = 4, /* values 0 to 3 are channel indices */
   SGD_TEX_ROUTE_1 = 5,
};

/* Kinds of texture operations that have lookups */
enum sgd_lookup_kind {
   SGD_LOOKUP_FILTER, /* nearest filters of the base level: TEX, TXB, TXL, TXD */
   SGD_LOOKUP_FETCH,  /* TXF of the base level */
   SGD_LOOKUP_GATHER, /* TG4 */
};

/* Form of a lookup, which its machine code depends on. It is 0 if the lookup is not possible. */
enum sgd_lookup_form {
   SGD_FORM_POSSIBLE = 1 << 0,
   SGD_FORM_REPEAT_S = 1 << 1, /* the texture repeats; otherwise, coordinates are clamped */
   SGD_FORM_REPEAT_T = 1 << 2,
   SGD_FORM_WORDS = 1 << 3,   /* channel n is word n of the texel; otherwise, it is byte n */
   SGD_FORM_INTEGER = 1 << 4, /* the constant 1 is an integer */
};
#define SGD_FORM_SIZE 5  /* bit at which the log2 of the texel's size in words starts */
#define SGD_FORM_ROUTE 8 /* bit at which the routes of the components start (enum sgd_tex_route) */

/* The forms of all lookups of a program. */
#define SGD_MAX_LOOKUPS 16
#define SGD_NO_LOOKUP 0xff
struct sgd_lookup_forms {
   uint32_t form[SGD_MAX_LOOKUPS];
};

/* What machine code reads of a texture and its sampler. Each vector has eight equal words. A
 * register file has SGD_MAX_LOOKUPS of these.
 */
struct sgd_lookup {
   /* width and height. For filters, the width is in texels, and the height in units of 2^-18 texel.
    * For gathers, both are in units of 1/256 texel. Fetches do not use them.
    */
   float size[2][8];
   /* index of the last column and row. For filters, that of the row is in units of 2^-18 texel. */
   uint32_t last[2][8];
   /* for filters: the most of a word that holds a column and a row (sgd_regions_texel.c), in
    * repeating textures; 0x7fff in others
    */
   uint32_t ends[8];
   /* bytes from one column of micro tiles to the next by 8, and from one row to the next by 16 */
   uint32_t pitch[8];
   float scale[8];
   const uint8_t *base;
   uint32_t unused[6];
};
static_assert(sizeof(struct sgd_lookup) == 256, "lookups are aligned in register files");
static_assert(SGD_MAX_LOOKUPS * sizeof(struct sgd_lookup) == SGD_LOOKUPS_SIZE,
              "all lookups fit in a register file");

/* Describes lookups with a texture and a sampler, and returns their form. Returns 0 if they are not
 * always single texels of the base level, or if gathers are slow on this host. `texture` may be
 * NULL.
 */
uint32_t sgd_texture_lookup(const struct sgd_texture *texture, const struct sgd_sampler *sampler,
                            enum sgd_lookup_kind kind, struct sgd_lookup *lookup);

#endif
