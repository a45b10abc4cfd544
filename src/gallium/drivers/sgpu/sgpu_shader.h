/* SPDX-License-Identifier: MIT */
/* Shader objects.  A shader is compiled when its program is linked, or at the latest when the
 * object is created.  The code depends only on the NIR, so there are no variants, and draws never
 * compile.
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
   uint32_t id;           /* ID, unique in the screen, starting at 1 */
   char name[32];         /* label or name of the GL program, for messages */
   struct list_head link; /* link in sgpu_screen::shaders */
   /* compiled shader, or NULL after a compiler error or on allocation failure */
   struct sgpu_shader *compiled;
   /* buffer with the instructions and then the literals, or NULL if there are no instructions */
   struct sgpu_buffer *code;
   /* SHADER packets: [0] runs once per pixel, [1] runs once per sample */
   uint32_t packed[2][SGPU_SHADER_LENGTH];

   /* Only for vertex shaders, and indexed by Gallium's vertex element.  element_used is set if the
    * shader reads the element.  element_input is a packed VERTEX ELEMENT record in which only the
    * field Input is set.
    */
   unsigned num_elements;
   bool element_used[PIPE_MAX_ATTRIBS];
   uint32_t element_input[PIPE_MAX_ATTRIBS][SGPU_VERTEX_ELEMENT_LENGTH];

   /* outputs that transform feedback records, or NULL if the shader has no transform feedback */
   struct sgpu_xfb_output *xfb_output;

   /* Only for pixel shaders: bitmask of the inputs v[n] that become flat with
    * glShadeModel(GL_FLAT).
    */
   uint32_t flat_inputs;
};

/* sgpu_disk_cache.c */
/* Returns the shader with this key, or NULL if it is not in the cache. */
struct sgpu_shader *sgpu_disk_cache_get(struct sgpu_screen *screen, const unsigned char sha1[20],
                                        gl_shader_stage stage);
void sgpu_disk_cache_put(struct sgpu_screen *screen, const unsigned char sha1[20],
                         const struct sgpu_shader *shader);

/* sgpu_precompile.c */

/* Compiles a shader whose NIR is final, and keeps the program for the shader object that will be
 * created from it.  Returns NULL on success, or an error message allocated with malloc if the
 * compiler rejects the shader.
 */
char *sgpu_precompile(struct sgpu_screen *screen, const nir_shader *nir);
/* Returns the precompiled program of a shader, or compiles it.  On failure, returns NULL and sets
 * *error to a message allocated with ralloc, or to NULL if memory ran out.
 */
struct sgpu_shader *sgpu_shader_compile(struct sgpu_screen *screen, const nir_shader *nir,
                                        char **error);
bool sgpu_precompiled_init(struct sgpu_screen *screen);
void sgpu_precompiled_fini(struct sgpu_screen *screen);

/* Writes a description of the shader whose code is at device address `address` to `out`.  Leaves
 * `out` unchanged if there is no such shader.
 */
void sgpu_shader_describe(struct sgpu_screen *screen, uint64_t address, char *out, size_t size);

/* Empties the cache of live shaders, so that new shader objects don't share existing shaders. */
void sgpu_shader_forget(struct sgpu_screen *screen);

void sgpu_shader_context_init(struct pipe_context *pctx);

#endif
