/* SPDX-License-Identifier: MIT */
#include "loader_layout.h"

#include "mesa_interface.h"

const struct loader_place loader_new[] = { LOADER_MEMBERS(LOADER_PLACE) };
const unsigned loader_new_count = sizeof(loader_new) / sizeof(loader_new[0]);
