/* SPDX-License-Identifier: MIT */
/*
 * Reads of memory that a program can write at the same time.
 *
 * The result of such a read is checked and then used as an index, a size or a choice, so
 * all uses must see the same value: the memory is read once, into a copy. A plain load is
 * not enough, because the compiler may repeat it. These functions pass the copy through
 * an empty assembly statement, so that the compiler cannot read the memory again instead. A
 * copy may contain bytes from before and from after a write. docs/errors.md lists
 * the readers ("Memory that changes").
 */
#ifndef SGD_ONCE_H
#define SGD_ONCE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Copies `size` bytes between addresses of any alignment. */
static inline void
sgd_copy_once(void *to, const void *from, size_t size)
{
   memcpy(to, from, size);
   __asm__ volatile("" : : "r"(to) : "memory");
}

/* Reads a value from an address of any alignment. */
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
