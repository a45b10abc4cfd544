/* SPDX-License-Identifier: MIT */
/* XXH64, used for checksums and picture hashes. */
#ifndef SGCAP_HASH_H
#define SGCAP_HASH_H

#define XXH_INLINE_ALL
#include "util/xxhash.h"

#endif
