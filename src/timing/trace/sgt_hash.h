/* SPDX-License-Identifier: MIT */
/* XXH64, for hashes of traces. */
#ifndef SGT_HASH_H
#define SGT_HASH_H

#define XXH_INLINE_ALL
#include "util/xxhash.h"

#endif
