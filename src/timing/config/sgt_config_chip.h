/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a whole chip from those of the configuration.
 */
#ifndef SGT_CONFIG_CHIP_H
#define SGT_CONFIG_CHIP_H

#include "sgt_chip.h"
#include "sgt_config.h"

/* False, with a message that names the values, if they do not fit each other. */
bool sgt_config_chip(const struct sgt_config *c, struct sgt_chip_params *p, char *error,
                     size_t error_size);

#endif
