/* SPDX-License-Identifier: MIT */
/*
 * Stream output: what a shader captures, and the targets that take it.
 */
#ifndef SGPU_STREAM_H
#define SGPU_STREAM_H

#include "pipe/p_state.h"
#include "sgpu_packets.h"

struct nir_shader;
struct sgpu_buffer;
struct sgpu_context;
struct sgpu_shader;

/* Of a shader with transform feedback: its XFB OUTPUTS packet. */
struct sgpu_stream_output {
   uint32_t stride[PIPE_MAX_SO_BUFFERS];        /* bytes */
   unsigned words;
   uint32_t packed[SGPU_XFB_OUTPUTS_LENGTH +
                   PIPE_MAX_SO_OUTPUTS * SGPU_XFB_OUTPUT_LENGTH];
};

struct sgpu_stream_target {
   struct pipe_stream_output_target base;
   /* Bytes written, a 64-bit number; each begin has memory of its own, so that
    * nobody waits.  NULL before the first.
    */
   struct sgpu_buffer *counter;
   uint32_t stride;                             /* bytes, of the latest draw; or 0 */
};

static inline struct sgpu_stream_target *
sgpu_stream_target(struct pipe_stream_output_target *target)
{
   return (struct sgpu_stream_target *)target;
}

/* NULL where nothing is captured. */
struct sgpu_stream_output *sgpu_stream_output_create(const struct pipe_stream_output_info *info,
                                                     const struct nir_shader *nir,
                                                     const struct sgpu_shader *shader);

/* Words of all packets. */
#define SGPU_STREAM_WORDS                                                                    \
   (SGPU_XFB_OUTPUTS_LENGTH + PIPE_MAX_SO_OUTPUTS * SGPU_XFB_OUTPUT_LENGTH +           \
    SGPU_XFB_BUFFERS_LENGTH + PIPE_MAX_SO_BUFFERS * SGPU_XFB_BUFFER_LENGTH)
void sgpu_emit_streams(struct sgpu_context *ctx);

void sgpu_stream_context_init(struct pipe_context *pctx);
void sgpu_stream_context_fini(struct sgpu_context *ctx);

#endif
