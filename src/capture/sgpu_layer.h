/* SPDX-License-Identifier: MIT */
/* The device interface that the winsys uses: the functions of sgpu_device.h, and functions that
 * pass information to a capture.  If SGPU_CAPTURE is set, the functions call the capture layer.
 * Otherwise, they only test sgpu_layer_on and call the device.
 */
#ifndef SGPU_LAYER_H
#define SGPU_LAYER_H

#include <errno.h>

#include "device/sgpu_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* True if the capture layer is active.  The first sgpu_layer_device_create() sets it. */
extern bool sgpu_layer_on;

int sgpu_layer_device_create(const struct sgpu_device_params *params, struct sgpu_device **out);
void sgpu_layer_device_destroy(struct sgpu_device *dev);

int sgpu_capture_bo_create(struct sgpu_device *dev, uint64_t size, const char *label,
                           struct sgpu_bo **out);
void sgpu_capture_bo_destroy(struct sgpu_bo *bo);
void sgpu_capture_bo_reuse(struct sgpu_bo *bo, const char *label, bool device_only,
                           uint64_t zeroed);
void sgpu_capture_bo_race(struct sgpu_bo *bo, uint64_t offset, uint64_t size, bool begin);
int sgpu_capture_queue_create(struct sgpu_device *dev, struct sgpu_queue **out);
void sgpu_capture_queue_destroy(struct sgpu_queue *queue);
int sgpu_capture_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit,
                              uint64_t *seqno);
int sgpu_capture_queue_wait(struct sgpu_queue *queue, uint64_t seqno, uint64_t timeout_ns);
uint64_t sgpu_capture_queue_completed(struct sgpu_queue *queue);
int sgpu_capture_bo_wait(struct sgpu_bo *bo, uint64_t timeout_ns);
bool sgpu_capture_bo_busy(struct sgpu_bo *bo);

/* A picture, or part of a picture, that the driver passes to the window system. */
struct sgpu_presentation {
   struct sgpu_bo *bo;     /* buffer that contains the picture; must be idle and linear */
   uint64_t offset;        /* byte offset of the first pixel in the buffer */
   uint32_t pitch;         /* row pitch in bytes */
   uint32_t x, y;          /* position of this part in the whole picture, in pixels */
   uint32_t width, height; /* size of this part, in pixels */
   uint32_t pixel_bytes;   /* bytes per pixel */
   uint32_t format;        /* enum sgpu_format */
};
void sgpu_capture_present(const struct sgpu_presentation *p);

static inline int
sgpu_layer_bo_create(struct sgpu_device *dev, uint64_t size, const char *label,
                     struct sgpu_bo **out)
{
   return sgpu_layer_on ? sgpu_capture_bo_create(dev, size, label, out)
                        : sgpu_bo_create(dev, size, label, out);
}

/* Returns -ENOTSUP while the capture layer is active, because captures can't detect writes by other
 * processes.
 */
static inline int
sgpu_layer_bo_create_shared(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                            struct sgpu_bo **out)
{
   return sgpu_layer_on ? -ENOTSUP : sgpu_bo_create_shared(dev, memory, size, label, out);
}

static inline int
sgpu_layer_bo_create_user(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                          struct sgpu_bo **out)
{
   return sgpu_layer_on ? -ENOTSUP : sgpu_bo_create_user(dev, memory, size, label, out);
}

static inline void
sgpu_layer_bo_destroy(struct sgpu_bo *bo)
{
   if (sgpu_layer_on)
      sgpu_capture_bo_destroy(bo);
   else
      sgpu_bo_destroy(bo);
}

/* Must be called when an idle buffer is reused for another purpose, before the CPU writes to it.
 * If `device_only` is true, the CPU clears the first `zeroed` bytes after this call, and then does
 * not access the buffer.
 */
static inline void
sgpu_layer_bo_reuse(struct sgpu_bo *bo, const char *label, bool device_only, uint64_t zeroed)
{
   if (sgpu_layer_on)
      sgpu_capture_bo_reuse(bo, label, device_only, zeroed);
}

/* Must be called with `begin` true before the CPU writes to a range without waiting for submissions
 * that write to the same buffer.  Must be called again with `begin` false after the last such
 * write.
 */
static inline void
sgpu_layer_bo_race(struct sgpu_bo *bo, uint64_t offset, uint64_t size, bool begin)
{
   if (sgpu_layer_on)
      sgpu_capture_bo_race(bo, offset, size, begin);
}

static inline int
sgpu_layer_queue_create(struct sgpu_device *dev, struct sgpu_queue **out)
{
   return sgpu_layer_on ? sgpu_capture_queue_create(dev, out) : sgpu_queue_create(dev, out);
}

static inline void
sgpu_layer_queue_destroy(struct sgpu_queue *queue)
{
   if (sgpu_layer_on)
      sgpu_capture_queue_destroy(queue);
   else
      sgpu_queue_destroy(queue);
}

static inline int
sgpu_layer_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit, uint64_t *seqno)
{
   return sgpu_layer_on ? sgpu_capture_queue_submit(queue, submit, seqno)
                        : sgpu_queue_submit(queue, submit, seqno);
}

static inline int
sgpu_layer_queue_wait(struct sgpu_queue *queue, uint64_t seqno, uint64_t timeout_ns)
{
   return sgpu_layer_on ? sgpu_capture_queue_wait(queue, seqno, timeout_ns)
                        : sgpu_queue_wait(queue, seqno, timeout_ns);
}

static inline uint64_t
sgpu_layer_queue_completed(struct sgpu_queue *queue)
{
   return sgpu_layer_on ? sgpu_capture_queue_completed(queue) : sgpu_queue_completed(queue);
}

static inline int
sgpu_layer_bo_wait(struct sgpu_bo *bo, uint64_t timeout_ns)
{
   return sgpu_layer_on ? sgpu_capture_bo_wait(bo, timeout_ns) : sgpu_bo_wait(bo, timeout_ns);
}

static inline bool
sgpu_layer_bo_busy(struct sgpu_bo *bo)
{
   return sgpu_layer_on ? sgpu_capture_bo_busy(bo) : sgpu_bo_busy(bo);
}

/* Must be called for each presented picture, which ends the current frame. */
static inline void
sgpu_layer_present(const struct sgpu_presentation *p)
{
   if (sgpu_layer_on)
      sgpu_capture_present(p);
}

#ifdef __cplusplus
}
#endif
#endif
