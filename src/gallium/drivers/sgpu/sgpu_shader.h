/* SPDX-License-Identifier: MIT */
/*
 * Shader objects.  A shader is compiled when its program is linked, at the latest when it is
 * created: its code follows from the NIR alone, so that there are no variants and no draw
 * ever compiles.
 */
#ifndef SGPU_SHADER_H
#define SGPU_SHADER_H

#include "util/list.h"
#include "util/u_live_shader_cache.h"

#include "compiler/sgpu_compiler.h"
#include "sgpu_packets.h"
#include "sgpu_stage.h"

struct sgpu_buffer;
struct sgpu_screen;
struct sgpu_xfb_output;

struct sgpu_shader_state {
   struct util_live_shader base;
   enum sgpu_stage_index stage;
   uint32_t id;                            /* never reused while the screen lives */
   char name[32];                          /* Mesa's: of the GL program, or its label */
   struct list_head link;                  /* in sgpu_screen::shaders */
   struct sgpu_shader *compiled;           /* NULL: it did not compile, or memory ran out */
   struct sgpu_buffer *code;               /* instructions, then literals; NULL without any */
   uint32_t packed[2][SGPU_SHADER_LENGTH]; /* [1]: run for each sample */

   /* Vertex: Gallium's element i, if the program reads it, goes to input
    * element_input[i]; the packed words hold that field alone.
    */
   unsigned num_elements;
   bool element_used[PIPE_MAX_ATTRIBS];
   uint32_t element_input[PIPE_MAX_ATTRIBS][SGPU_VERTEX_ELEMENT_LENGTH];

   struct sgpu_xfb_output *xfb_output; /* NULL: transform feedback writes nothing */

   /* Pixel: inputs (bit n: v[n]) that glShadeModel(GL_FLAT) makes flat. */
   uint32_t flat_inputs;
};

/* sgpu_disk_cache.c */
/* NULL: it has none of the stage. */
struct sgpu_shader *sgpu_disk_cache_get(struct sgpu_screen *screen, const unsigned char sha1[20],
                                        gl_shader_stage stage);
void sgpu_disk_cache_put(struct sgpu_screen *screen, const unsigned char sha1[20],
                         const struct sgpu_shader *shader);

/* sgpu_precompile.c */

/* Compiles a shader whose NIR is final, for the shader object that is created from it.
 * Returns NULL, or the compiler's error, which the caller frees with free().
 */
char *sgpu_precompile(struct sgpu_screen *screen, const nir_shader *nir);
/* Returns the program of such a shader, or of another one. Otherwise returns NULL and sets
 * *error to a string of ralloc's, or to NULL if out of memory.
 */
struct sgpu_shader *sgpu_shader_compile(struct sgpu_screen *screen, const nir_shader *nir,
                                        char **error);
bool sgpu_precompiled_init(struct sgpu_screen *screen);
void sgpu_precompiled_fini(struct sgpu_screen *screen);

/* The program at that address, as messages name it; unchanged without one. */
void sgpu_shader_describe(struct sgpu_screen *screen, uint64_t address, char *out, size_t size);

/* No shader is shared with those that exist. */
void sgpu_shader_forget(struct sgpu_screen *screen);

void sgpu_shader_context_init(struct pipe_context *pctx);

#endif
