/* SPDX-License-Identifier: MIT */
/* XXH64, for checksums and hashes of pictures. */
#ifndef SGCAP_HASH_H
#define SGCAP_HASH_H

#define XXH_INLINE_ALL
#include "util/xxhash.h"

#endif
