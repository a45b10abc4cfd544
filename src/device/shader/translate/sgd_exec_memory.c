/* SPDX-License-Identifier: MIT */
/*
 * Translator: executable memory, allocated from a single arena per process.
 *
 * Programs are packed in blocks of 64 KiB, since a separate page for each program would waste most
 * of the page and an instruction TLB entry. Workers execute the programs in a block while others
 * are added to it, so the protection of the block must never change. Hence the block is a memory
 * file (memfd) that is mapped twice: once as readable and executable for the workers, and once as
 * readable and writable for this file, at an address that is stored nowhere else. No mapping is
 * ever both writable and executable. The writable mapping is removed when the block is full. The
 * file descriptor is closed immediately, because some applications close descriptors that they
 * didn't open.
 *
 * The alternative, mprotect() on private memory, would need a separate block for each program, and
 * SELinux (execmem), systemd (MemoryDenyWriteExecute) and PaX (MPROTECT) forbid it. If executable
 * mappings of the memfd are forbidden as well, programs are not translated.
 *
 * Memory is not reused: a block is unmapped together with its last program. After a fork both
 * processes share the pages, so the child must start a new block. The device calls the fork
 * functions instead of registering them here, because its own locks must be taken first.
 */
#include "shader/translate/sgd_exec_memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/sgd_lock.h"
#include "shader/translate/sgd_translate.h"
#include "util/macros.h"

#define BLOCK (64 * 1024)
#define ALIGNMENT 64

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010u
#endif

struct sgd_exec_block {
   uint8_t *executable;
   uint8_t *writable; /* address of the writable mapping, or NULL once the block is full */
   size_t size, used; /* size of the block and of its used part, in bytes */
   /* number of programs in the block, plus one while it is the current block */
   unsigned programs;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sgd_exec_block *current; /* the block to which the next program is added */

static int
create_file(size_t size)
{
   /* Since Linux 6.3, memfds may need MFD_EXEC to be executable. Older kernels reject the flag. */
   int fd = memfd_create("sgpu-code", MFD_CLOEXEC | MFD_EXEC);
   if (fd < 0 && errno == EINVAL)
      fd = memfd_create("sgpu-code", MFD_CLOEXEC);
   if (fd >= 0 && ftruncate(fd, size)) {
      close(fd);
      fd = -1;
   }
   return fd;
}

static struct sgd_exec_block *
create_block(size_t size)
{
   struct sgd_exec_block *b = calloc(1, sizeof(*b));
   const int fd = b ? create_file(size) : -1;
   if (fd < 0) {
      free(b);
      return NULL;
   }
   b->size = size;
   b->executable = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
   if (b->executable != MAP_FAILED) {
      b->writable = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (b->writable == MAP_FAILED)
         munmap(b->executable, size);
   }
   close(fd);
   if (b->executable == MAP_FAILED || b->writable == MAP_FAILED) {
      free(b);
      return NULL;
   }
   return b;
}

static void
close_block(struct sgd_exec_block *b)
{
   munmap(b->writable, b->size);
   b->writable = NULL;
}

static void
release(struct sgd_exec_block *b)
{
   if (--b->programs == 0) {
      munmap(b->executable, b->size);
      free(b);
   }
}

static const void *
add_code(struct sgd_exec_block *b, const void *code, size_t size)
{
   const size_t at = b->used;
   memcpy(b->writable + at, code, size);
   b->used = ALIGN_POT(at + size, ALIGNMENT);
   b->programs++;
   return b->executable + at;
}

/* Returns the current block if it has `size` bytes left. Otherwise creates a block, makes it the
 * current block, and returns it. Returns NULL on failure.
 */
static struct sgd_exec_block *
block_with_room(size_t size)
{
   if (current && current->size - current->used >= size)
      return current;
   struct sgd_exec_block *b = create_block(BLOCK);
   if (!b)
      return NULL;
   if (current) {
      close_block(current);
      release(current);
   }
   b->programs = 1;
   current = b;
   return b;
}

const void *
sgd_exec_add(const void *code, size_t size, struct sgd_exec_block **block)
{
   const void *place = NULL;

   pthread_mutex_lock(&lock);
   struct sgd_exec_block *b = size > BLOCK ? create_block(ALIGN_POT(size, BLOCK))
                                           : block_with_room(size);
   if (b) {
      place = add_code(b, code, size);
      if (size > BLOCK)
         close_block(b);
   }
   pthread_mutex_unlock(&lock);
   *block = b;
   return place;
}

bool
sgd_exec_before_fork(uint64_t deadline)
{
   return sgd_lock_before(&lock, deadline);
}

void
sgd_exec_after_fork(void)
{
   pthread_mutex_unlock(&lock);
}

void
sgd_exec_after_fork_child(bool locked)
{
   /* The thread that held the lock doesn't exist in the child. It may have been modifying
    * `current`, so don't use the block.
    */
   if (!locked) {
      pthread_mutex_init(&lock, NULL);
      current = NULL;
      return;
   }
   pthread_mutex_unlock(&lock);
   if (current) {
      close_block(current);
      release(current);
   }
   current = NULL;
}

void
sgd_exec_remove(struct sgd_exec_block *block)
{
   pthread_mutex_lock(&lock);
   release(block);
   pthread_mutex_unlock(&lock);
}
