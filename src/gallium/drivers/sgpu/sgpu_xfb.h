/* SPDX-License-Identifier: MIT */
/* Transform feedback (Gallium's stream output): the shader outputs to record, and the targets that
 * the device writes them to.
 */
#ifndef SGPU_XFB_H
#define SGPU_XFB_H

#include "pipe/p_state.h"
#include "sgpu_packets.h"

struct nir_xfb_info;
struct sgpu_buffer;
struct sgpu_context;
struct sgpu_shader;

/* Packed XFB OUTPUTS packet of a shader with transform feedback. */
struct sgpu_xfb_output {
   uint32_t stride[PIPE_MAX_SO_BUFFERS]; /* bytes per vertex in each buffer */
   unsigned words;
   uint32_t packed[SGPU_XFB_OUTPUTS_LENGTH + PIPE_MAX_SO_OUTPUTS * SGPU_XFB_OUTPUT_LENGTH];
};

struct sgpu_xfb_target {
   struct pipe_stream_output_target base;
   /* Memory that holds the number of written bytes as a 64-bit integer, or NULL before the first
    * use of the target.  Each start of transform feedback allocates new memory, so that the driver
    * doesn't have to wait for the device.
    */
   struct sgpu_buffer *counter;
   uint32_t stride; /* bytes per vertex in the latest draw, or 0 if there was none */
};

static inline struct sgpu_xfb_target *
sgpu_xfb_target(struct pipe_stream_output_target *target)
{
   return (struct sgpu_xfb_target *)target;
}

/* Packs the transform feedback outputs of a shader, of which there are at most PIPE_MAX_SO_OUTPUTS.
 * `info` may be NULL.  Sets *out to NULL if the shader has no transform feedback.  Returns false on
 * allocation failure.
 */
bool sgpu_xfb_output_create(const struct nir_xfb_info *info, const struct sgpu_shader *shader,
                            struct sgpu_xfb_output **out);

/* Maximum number of words that sgpu_emit_xfb() writes. */
#define SGPU_XFB_WORDS                                                       \
   (SGPU_XFB_OUTPUTS_LENGTH + PIPE_MAX_SO_OUTPUTS * SGPU_XFB_OUTPUT_LENGTH + \
    SGPU_XFB_BUFFERS_LENGTH + PIPE_MAX_SO_BUFFERS * SGPU_XFB_BUFFER_LENGTH)
void sgpu_emit_xfb(struct sgpu_context *ctx);

void sgpu_xfb_context_init(struct pipe_context *pctx);
void sgpu_xfb_context_fini(struct sgpu_context *ctx);

#endif
