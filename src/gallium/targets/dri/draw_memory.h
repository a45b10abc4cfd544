/* SPDX-License-Identifier: MIT */
/*
 * Storage buffers, atomic counters and images for Mesa's draw module.
 */
#ifndef DRAW_MEMORY_H
#define DRAW_MEMORY_H

#include <stdbool.h>

struct draw_context;

/* Sets what vertex shaders reach memory through; false if memory ran out. */
bool draw_memory_init(struct draw_context *draw);
/* What init has allocated, to be freed after the module. */
void *draw_memory_of(const struct draw_context *draw);

#endif
