/* SPDX-License-Identifier: MIT */
/*
 * Shadow images, which contain the data that is common to all shadows of the same submissions.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "control/core/sgd_device.h"
#include "control/core/sgd_params.h"
#include "observe/shadow/sgd_shadow.h"
#include "util/macros.h"
#include "util/u_math.h"

int
sgpu_shadow_image_create(struct sgpu_device *dev, struct sgpu_shadow_image **out)
{
   *out = NULL;
   struct sgpu_shadow_image *image = calloc(1, sizeof(*image));
   if (!image)
      return -ENOMEM;
   image->ops = sgd_host_ops(dev->level);
   image->base = dev->memory.base;
   image->initial = memfd_create("sgpu-shadow-begin", MFD_CLOEXEC);
   image->final = memfd_create("sgpu-shadow-end", MFD_CLOEXEC);
   pthread_mutex_init(&image->lock, NULL);
   if (image->initial < 0 || image->final < 0) {
      sgpu_shadow_image_destroy(image);
      return -ENOMEM;
   }
   *out = image;
   return 0;
}

void
sgpu_shadow_image_destroy(struct sgpu_shadow_image *image)
{
   if (!image)
      return;
   if (image->final_memory)
      munmap(image->final_memory, image->span);
   if (image->initial >= 0)
      close(image->initial);
   if (image->final >= 0)
      close(image->final);
   for (unsigned i = 0; i < image->num_records; i++) {
      struct sgd_shadow_record *r = &image->records[i];
      if (r->kind == SGD_SHADOW_XFER)
         free(r->u.xfer);
      if (r->kind == SGD_SHADOW_WRITE) {
         free(r->u.write->data);
         free(r->u.write);
      }
   }
   for (unsigned i = 0; i < image->max_states; i++)
      free(image->states[i]);
   free(image->states);
   free(image->records);
   free(image->buffers);
   free(image->surfaces);
   free(image->ranges);
   pthread_mutex_destroy(&image->lock);
   free(image);
}

uint8_t *
sgd_shadow_map(const struct sgpu_shadow_image *image, int file)
{
   void *p = mmap(NULL, MAX2(image->span, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                  file, 0);
   return p == MAP_FAILED ? NULL : p;
}

uint64_t
sgd_shadow_offset(const struct sgpu_shadow_image *image, uint64_t address)
{
   for (unsigned i = image->num_buffers; i--;) {
      const struct sgd_shadow_buffer *b = &image->buffers[i];
      if (b->live && address >= b->address && address - b->address < b->size)
         return b->offset + (address - b->address);
   }
   return address;
}

/* Copies the part of a buffer that is inside [begin, end), a range of offsets in the image, to a
 * file. In the file of the initial contents, pages of zeros become holes. Returns 0 or -ENOMEM.
 */
static int
store(const struct sgpu_shadow_image *image, const struct sgd_shadow_buffer *b, int file,
      uint64_t begin, uint64_t end)
{
   static const uint8_t zeros[SGPU_PAGE_SIZE];

   begin = MAX2(begin, b->offset);
   end = MIN2(end, b->offset + b->size);
   for (uint64_t at = begin; at < end;) {
      const uint64_t page = MIN2(SGPU_PAGE_SIZE - at % SGPU_PAGE_SIZE, end - at);
      const uint8_t *from = image->base + b->address + (at - b->offset);
      if (file == image->initial && !memcmp(from, zeros, page)) {
         at += page;
         continue;
      }
      const ssize_t written = pwrite(file, from, page, at);
      if (written <= 0)
         return -ENOMEM;
      at += written;
   }
   return 0;
}

/* Returns the offset of a new buffer in the image. This is its address, or the end of the image if
 * another buffer overlaps the address.
 */
static uint64_t
place(const struct sgpu_shadow_image *image, uint64_t address, uint64_t size)
{
   for (unsigned i = 0; i < image->num_buffers; i++) {
      const struct sgd_shadow_buffer *b = &image->buffers[i];
      if (address < b->offset + b->size && b->offset < address + size)
         return align64(image->span, SGPU_PAGE_SIZE);
   }
   return address;
}

int
sgpu_shadow_image_add_buffer(struct sgpu_shadow_image *image, struct sgpu_bo *bo)
{
   struct sgd_shadow_buffer b = { .address = bo->address, .size = bo->size, .live = true };
   int ret = 0;

   pthread_mutex_lock(&image->lock);
   b.offset = place(image, b.address, b.size);
   const uint64_t end = b.offset + b.size;
   if (end > image->span) {
      if (ftruncate(image->initial, end) || ftruncate(image->final, end))
         ret = -ENOMEM;
      else
         image->span = end;
   }
   if (!sgd_shadow_grow(&image->buffers, image->num_buffers, &image->max_buffers,
                        sizeof(*image->buffers)))
      ret = -ENOMEM;
   /* If the image already has records, the buffer was created after the recording started, and
    * contains zeros.
    */
   if (ret == 0 && !image->num_records)
      ret = store(image, &b, image->initial, b.offset, end);
   if (ret == 0)
      image->buffers[image->num_buffers++] = b;
   pthread_mutex_unlock(&image->lock);
   return ret;
}

/* Copies a buffer from the device's memory to the file with the final contents, without the parts
 * that no record writes. Returns 0 or -ENOMEM.
 */
static int
store_written(struct sgpu_shadow_image *image, const struct sgd_shadow_buffer *b)
{
   int ret = 0;

   for (unsigned i = 0; i < image->num_surfaces && ret == 0; i++)
      ret = store(image, b, image->final, image->surfaces[i].begin, image->surfaces[i].end);
   for (unsigned i = 0; i < image->num_ranges && ret == 0; i++)
      ret = store(image, b, image->final, image->ranges[i].begin, image->ranges[i].end);
   return ret;
}

int
sgpu_shadow_image_remove_buffer(struct sgpu_shadow_image *image, struct sgpu_bo *bo)
{
   int ret = 0;

   pthread_mutex_lock(&image->lock);
   for (unsigned i = 0; i < image->num_buffers; i++) {
      struct sgd_shadow_buffer *b = &image->buffers[i];
      if (!b->live || b->address != bo->address)
         continue;
      ret = store_written(image, b);
      b->live = false;
      break;
   }
   pthread_mutex_unlock(&image->lock);
   return ret;
}

static int
compare_ranges(const void *a, const void *b)
{
   const struct sgd_shadow_range *x = a, *y = b;
   return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Sorts the ranges and merges overlapping or adjacent ones. Returns the new number of ranges. */
static unsigned
merge_ranges(struct sgd_shadow_range *r, unsigned num)
{
   unsigned n = 0;

   if (!num)
      return 0;
   qsort(r, num, sizeof(*r), compare_ranges);
   for (unsigned i = 1; i < num; i++) {
      if (r[i].begin <= r[n].end)
         r[n].end = MAX2(r[n].end, r[i].end);
      else
         r[++n] = r[i];
   }
   return n + 1;
}

/* Returns the range that a transfer reads, or an empty range if the record doesn't read memory. */
static struct sgd_shadow_range
source_of(const struct sgd_shadow_record *r)
{
   const struct sgd_xfer *x = r->kind == SGD_SHADOW_XFER ? r->u.xfer : NULL;
   const struct sgd_surface *s = NULL;

   if (x && x->kind == SGD_XFER_COPY_BUFFER) {
      const uint64_t begin = (uintptr_t)x->u.buffer.src.ptr;
      return (struct sgd_shadow_range){ begin, begin + x->u.buffer.src.size };
   }
   if (x && x->kind == SGD_XFER_COPY_SURFACE)
      s = &x->u.copy.src;
   if (x && x->kind == SGD_XFER_BLIT)
      s = &x->u.blit.src;
   return s ? (struct sgd_shadow_range){ s->begin, s->end } : (struct sgd_shadow_range){ 0, 0 };
}

/* Frees all pages of the initial contents that no record reads or writes. */
static int
drop_others(struct sgpu_shadow_image *image)
{
   const size_t max = (size_t)image->num_surfaces + image->num_ranges + image->num_records + 1;
   struct sgd_shadow_range *r = malloc(max * sizeof(*r));
   unsigned num = 0;
   uint64_t at = 0;

   if (!r)
      return -ENOMEM;
   for (unsigned i = 0; i < image->num_surfaces; i++)
      r[num++] = (struct sgd_shadow_range){ image->surfaces[i].begin, image->surfaces[i].end };
   for (unsigned i = 0; i < image->num_ranges; i++)
      r[num++] = image->ranges[i];
   for (unsigned i = 0; i < image->num_records; i++)
      r[num++] = source_of(&image->records[i]);
   num = merge_ranges(r, num);
   r[num++] = (struct sgd_shadow_range){ image->span, image->span };
   for (unsigned i = 0; i < num; i++) {
      const uint64_t begin = align64(at, SGPU_PAGE_SIZE),
                     end = r[i].begin & ~(uint64_t)(SGPU_PAGE_SIZE - 1);
      if (begin < end)
         fallocate(image->initial, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, begin, end - begin);
      at = MAX2(at, r[i].end);
   }
   free(r);
   return 0;
}

int
sgpu_shadow_image_finish(struct sgpu_shadow_image *image)
{
   struct sgd_worker *worker = calloc(1, sizeof(*worker));
   int ret = worker ? 0 : -ENOMEM;

   pthread_mutex_lock(&image->lock);
   image->num_ranges = merge_ranges(image->ranges, image->num_ranges);
   if (ret == 0)
      ret = drop_others(image);
   for (unsigned i = 0; i < image->num_buffers && ret == 0; i++) {
      if (image->buffers[i].live)
         ret = store_written(image, &image->buffers[i]);
   }
   if (ret == 0) {
      image->final_memory = sgd_shadow_map(image, image->final);
      ret = image->final_memory ? 0 : -ENOMEM;
   }
   if (ret == 0) {
      sgd_shadow_store_all(image, worker, image->final_memory);
      image->finished = true;
   }
   pthread_mutex_unlock(&image->lock);
   free(worker);
   return ret;
}
