/* SPDX-License-Identifier: MIT */
/* The variable GALLIUM_DRIVER, for all targets. */
#ifndef GALLIUM_ONLY_DRIVER_H
#define GALLIUM_ONLY_DRIVER_H

#include <stdbool.h>

/* Returns false, with a message, if GALLIUM_DRIVER selects another Mesa driver. */
bool target_allows_driver(void);

#endif
