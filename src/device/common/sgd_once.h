/* SPDX-License-Identifier: MIT */
/*
 * Reads of memory that an application can modify concurrently.
 *
 * The value read is validated and then used as an index, a size or a branch condition, so all uses
 * must see the same value. Therefore, memory is read once, into a copy. A plain load is not enough,
 * since the compiler may load the value again. These functions pass the copy through an empty asm
 * statement, so that the compiler can't replace the copy by another load. A copy can still mix
 * bytes from before and after a concurrent write. Section "Memory that changes" of docs/errors.md
 * lists the users.
 */
#ifndef SGD_ONCE_H
#define SGD_ONCE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Copies `size` bytes such that later reads of the copy can't read `from` again. The addresses need
 * no alignment.
 */
static inline void
sgd_copy_once(void *to, const void *from, size_t size)
{
   memcpy(to, from, size);
   __asm__ volatile("" : : "r"(to) : "memory");
}

/* Defines a function that reads a value exactly once, from an address of any alignment. */
#define SGD_READ_ONCE(bits)                                         \
   static inline uint##bits##_t sgd_read_once##bits(const void *at) \
   {                                                                \
      uint##bits##_t value;                                         \
      memcpy(&value, at, sizeof(value));                            \
      __asm__("" : "+r"(value));                                    \
      return value;                                                 \
   }
SGD_READ_ONCE(16)
SGD_READ_ONCE(32)
SGD_READ_ONCE(64)
#undef SGD_READ_ONCE

static inline uint8_t
sgd_read_once8(const void *at)
{
   return *(const volatile uint8_t *)at;
}

#endif
