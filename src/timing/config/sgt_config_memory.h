/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a chip's memory from those of the configuration.
 */
#ifndef SGT_CONFIG_MEMORY_H
#define SGT_CONFIG_MEMORY_H

#include "sgt_config.h"
#include "sgt_memory.h"

/* All but xbar.clients, which is 1, and partition.uncached, which is 0: the chip numbers its
 * clients.  False, with a message that names the values, if they do not fit each other.
 */
bool sgt_config_memory(const struct sgt_config *c, struct sgt_memory_params *p, char *error,
                       size_t error_size);

#endif
