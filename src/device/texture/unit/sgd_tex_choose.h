/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: functions that choose the fast paths of a view.
 */
#ifndef SGD_TEX_CHOOSE_H
#define SGD_TEX_CHOOSE_H

#include "common/sgd_shader.h"
#include "texture/unit/sgd_tex_unit.h"

/* Initializes tables that views use. */
void sgd_tex_choose_init(void);

/* Returns the channel or constant (enum sgd_tex_route) that component r of the format reads. */
unsigned sgd_tex_format_route(const struct sgd_tex_unit *u, const struct util_format_description *f,
                              unsigned r);

/* Chooses the paths that depend on the format and the number of layers. `huge` is set if offsets of
 * texels can exceed 32 bits.
 */
void sgd_tex_choose_paths(struct sgd_tex_unit *u, const struct util_format_description *f,
                          bool huge);

/* Returns the view of one layer or face without the paths in the mask `off`, or NULL if it has no
 * path of its own. The caller must free it.
 */
struct sgd_tex_unit *sgd_tex_make_slice(const struct sgd_tex_unit *u,
                                        const struct util_format_description *f, bool huge,
                                        uint32_t off);

/* Returns the facts about the view (mask of SGPU_FACT_*) that decide which paths are possible. */
uint64_t sgd_tex_view_facts(const struct sgd_tex_unit *u);

/* Disables the paths in the mask `off`. */
void sgd_tex_leave_paths(struct sgd_tex_unit *u, uint32_t off);

#endif
