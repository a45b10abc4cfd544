/* SPDX-License-Identifier: MIT */
/* The shared file through which processes report to sgpu-require what they do with OpenGL.  The
 * driver reports its screens and its first work; the audit library reports the libraries of OpenGL
 * that are loaded.  SGPU_REPORT names the file.
 *
 * The file is mapped, so that a report needs no system call and no file descriptor: it also arrives
 * from a sandbox, and from a program that has closed all descriptors.  Writers take free slots,
 * sgpu-require reads and frees them.  The functions need no library, since the audit library has
 * none.
 */
#ifndef SGPU_REPORT_H
#define SGPU_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SGPU_REPORT_VARIABLE "SGPU_REPORT"
#define SGPU_REPORT_MAGIC 0x3174726f70657267ull
#define SGPU_REPORT_SLOTS 1024
#define SGPU_REPORT_NAME 64  /* bytes of the program's name, with the final 0 */
#define SGPU_REPORT_TEXT 920 /* bytes of the library's path, with the final 0 */

enum sgpu_report_kind {
   SGPU_REPORT_SCREEN,  /* the driver has made a device */
   SGPU_REPORT_DRAW,    /* a draw, a clear or a grid was submitted to the device */
   SGPU_REPORT_LIBRARY, /* a library of OpenGL was loaded; the text is its path */
};

enum sgpu_report_state {
   SGPU_REPORT_FREE,
   SGPU_REPORT_BUSY,  /* a process writes to the slot */
   SGPU_REPORT_READY, /* sgpu-require may read the slot */
};

struct sgpu_report_slot {
   uint32_t state; /* atomic: enum sgpu_report_state */
   uint32_t kind;  /* enum sgpu_report_kind */
   uint64_t key;   /* differs between processes, and before and after an exec */
   int32_t pid;    /* process ID in the namespace of the process */
   uint32_t reserved;
   char name[SGPU_REPORT_NAME]; /* name of the program */
   char text[SGPU_REPORT_TEXT];
};

struct sgpu_report_file {
   uint64_t magic;
   uint32_t next; /* atomic: index of the slot that the next writer tries first, modulo the slots */
   uint32_t lost; /* atomic: number of reports that found no free slot */
   uint8_t reserved[1008];
   struct sgpu_report_slot slots[SGPU_REPORT_SLOTS];
};

_Static_assert(sizeof(struct sgpu_report_slot) == 1008, "size of a slot");

/* The properties of a process that its reports contain. */
struct sgpu_report_process {
   int32_t pid;
   const uint8_t *random; /* 16 random bytes of the process (AT_RANDOM), or NULL */
   const char *program;   /* path of the program (AT_EXECFN), or NULL */
};

/* Copies the end of a text that is longer than the destination, since that is the file's name. */
static inline void
sgpu_report_copy(char *to, size_t size, const char *from)
{
   size_t length = 0;

   while (from[length])
      length++;
   if (length >= size)
      from += length - size + 1;
   do {
      *to++ = *from;
   } while (*from++);
}

/* Returns the key of a process.  The random bytes are those of its stack protector, so the key has
 * only 32 bits of a sum of products: they cannot be computed from it.
 */
static inline uint64_t
sgpu_report_key(const struct sgpu_report_process *process)
{
   uint64_t sum = 0;

   for (unsigned i = 0; process->random && i < 16; i++)
      sum = (sum + process->random[i]) * 0x9e3779b97f4a7c15ull;
   return (sum >> 32 << 32) | (uint32_t)process->pid;
}

/* Takes a free slot.  Returns NULL if there is none. */
static inline struct sgpu_report_slot *
sgpu_report_take(struct sgpu_report_file *file)
{
   const uint32_t first = __atomic_fetch_add(&file->next, 1, __ATOMIC_RELAXED);

   for (uint32_t i = 0; i < SGPU_REPORT_SLOTS; i++) {
      struct sgpu_report_slot *slot = &file->slots[(first + i) % SGPU_REPORT_SLOTS];
      uint32_t expected = SGPU_REPORT_FREE;

      if (__atomic_compare_exchange_n(&slot->state, &expected, SGPU_REPORT_BUSY, false,
                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
         return slot;
   }
   __atomic_fetch_add(&file->lost, 1, __ATOMIC_RELAXED);
   return NULL;
}

static inline void
sgpu_report_write(struct sgpu_report_file *file, enum sgpu_report_kind kind,
                  const struct sgpu_report_process *process, const char *text)
{
   struct sgpu_report_slot *slot = sgpu_report_take(file);
   const char *name = process->program ? process->program : "?";

   if (!slot)
      return;
   for (const char *c = name; *c; c++) {
      if (*c == '/' && c[1])
         name = c + 1;
   }
   slot->kind = kind;
   slot->key = sgpu_report_key(process);
   slot->pid = process->pid;
   sgpu_report_copy(slot->name, sizeof slot->name, name);
   sgpu_report_copy(slot->text, sizeof slot->text, text);
   __atomic_store_n(&slot->state, SGPU_REPORT_READY, __ATOMIC_RELEASE);
}

#endif
