/* SPDX-License-Identifier: MIT */
/* Counts frames and writes their pictures to files. */
#include "sgpu_frames.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sgpu_version.h"
#include "util/format/u_format.h"
#include "util/macros.h"
#include "util/u_atomic.h"
#include "util/u_process.h"

/* Maximum number of items in the list of frames. */
#define MAX_RANGES 256
/* Maximum number of surfaces that exist at the same time. */
#define MAX_SURFACES 256

struct range {
   uint64_t first, last, step;
};

struct surface {
   const void *key;  /* drawable, or NULL */
   bool used;        /* set if this entry has a surface */
   unsigned index;   /* index of the surface in names of files */
   uint64_t frames;  /* number of frames so far */
   uint8_t *picture; /* pixels that the surface shows, or NULL if parts were never presented */
   unsigned width, height, format; /* of `picture` */
};

static struct {
   pthread_once_t once;
   bool on;
   char folder[PATH_MAX];
   struct range ranges[MAX_RANGES];
   unsigned num_ranges;
   bool last;       /* also write the last frame of each surface */
   uint64_t *ticks; /* counter that sgpu_clock.c maps, too, or NULL */

   pthread_mutex_t lock;         /* protects the members below */
   bool failed;                  /* set after an error in writing */
   pid_t process;                /* process that has written its description */
   enum sgpu_frame_kind highest; /* highest kind of a frame so far */
   struct surface surfaces[SGPU_FRAME_KINDS][MAX_SURFACES];
   unsigned num_surfaces[SGPU_FRAME_KINDS]; /* number of surfaces that have had a frame */
} frames = { .once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER };

static const char *const kind_names[SGPU_FRAME_KINDS] = {
   [SGPU_FRAME_END] = "end",
   [SGPU_FRAME_FINISH] = "finish",
   [SGPU_FRAME_READ] = "read",
   [SGPU_FRAME_PRESENT] = "present",
};

static const struct {
   const char *name;
   unsigned bytes; /* bytes per pixel */
} pixel_types[] = {
   [SGPU_FRAME_RGBA8] = { "rgba8", 4 },
   [SGPU_FRAME_RGBA32F] = { "rgba32f", 16 },
   [SGPU_FRAME_RGBA32I] = { "rgba32i", 16 },
   [SGPU_FRAME_R32F] = { "r32f", 4 },
   [SGPU_FRAME_R8] = { "r8", 1 },
};

static void
say(const char *path, const char *what)
{
   fprintf(stderr, "sgpu: frames: %s: %s\n", path, what);
}

/* Parses an item of the list.  Returns the end of the item, or NULL if it is invalid. */
static const char *
parse_range(const char *text, struct range *r)
{
   char *end;

   if (*text < '0' || *text > '9')
      return NULL;
   r->first = r->last = strtoull(text, &end, 10);
   r->step = 1;
   if (*end == '-') {
      text = end + 1;
      r->last = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : UINT64_MAX;
      if (r->last == UINT64_MAX)
         end = (char *)text;
   }
   if (*end == '/') {
      r->step = strtoull(end + 1, &end, 10);
      if (r->step == 0)
         return NULL;
   }
   return r->last >= r->first ? end : NULL;
}

/* Parses "LIST FOLDER". */
static bool
parse(const char *text)
{
   for (;;) {
      if (!strncmp(text, "last", 4)) {
         frames.last = true;
         text += 4;
      } else if (!strncmp(text, "all", 3)) {
         frames.ranges[0] = (struct range){ 0, UINT64_MAX, 1 };
         frames.num_ranges = 1;
         text += 3;
      } else {
         if (frames.num_ranges == MAX_RANGES)
            return false;
         text = parse_range(text, &frames.ranges[frames.num_ranges]);
         if (!text)
            return false;
         frames.num_ranges++;
      }
      if (*text != ',')
         break;
      text++;
   }
   if (*text != ' ' || !text[1] || strlen(text + 1) >= sizeof frames.folder)
      return false;
   strcpy(frames.folder, text + 1);
   return true;
}

/* Maps the counter of frames that the clock of `sgpu golden --clock` reads. */
static void
map_ticks(void)
{
   char path[PATH_MAX + 16];
   snprintf(path, sizeof path, "%s/clock", frames.folder);
   const int fd = open(path, O_RDWR | O_CLOEXEC);
   if (fd < 0)
      return;
   void *map = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   close(fd);
   if (map != MAP_FAILED)
      frames.ticks = map;
}

static void
after_fork_child(void)
{
   pthread_mutex_init(&frames.lock, NULL);
}

/* Prevents the GL loader from unloading the driver with the last context.  The frame numbers would
 * otherwise restart at 0.
 */
static void
stay(void)
{
   Dl_info info;

   if (dladdr(&frames, &info))
      dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static void
read_environment(void)
{
   const char *text = secure_getenv("SGPU_FRAMES");

   if (!text || !*text)
      return;
   if (!parse(text)) {
      say("SGPU_FRAMES", "expected LIST FOLDER, with LIST like 0-9,20,last or all; no pictures "
                         "are written (sgpu golden --help)");
      return;
   }
   map_ticks();
   pthread_atfork(NULL, NULL, after_fork_child);
   stay();
   frames.on = true;
}

bool
sgpu_frames_on(void)
{
   pthread_once(&frames.once, read_environment);
   return frames.on;
}

/* Opens a file under a temporary name in the folder.  Returns NULL on failure. */
static FILE *
open_file(char temporary[PATH_MAX + 64])
{
   snprintf(temporary, PATH_MAX + 64, "%s/%d.tmp", frames.folder, (int)getpid());
   FILE *file = fopen(temporary, "wbe");
   if (!file) {
      say(temporary, strerror(errno));
      frames.failed = true;
   }
   return file;
}

/* Closes the file and gives it its name.  After an error, the file gets the name PID.failed, by
 * which `sgpu golden` finds out.  This works on a full disk, too.
 */
static void
close_file(FILE *file, const char *temporary, const char *name)
{
   char path[PATH_MAX + 96];
   snprintf(path, sizeof path, "%s/%s", frames.folder, name);
   bool bad = ferror(file);
   bad |= fclose(file) != 0;
   if (!bad && rename(temporary, path) == 0)
      return;
   say(path, strerror(errno));
   snprintf(path, sizeof path, "%s/%d.failed", frames.folder, (int)getpid());
   rename(temporary, path);
   frames.failed = true;
}

/* Writes the version and the name of the process to PID.process, once per process, so that
 * `sgpu golden` can tell a program without frames from a program that doesn't use this driver.
 */
static void
describe_process(void)
{
   if (frames.process == getpid() || frames.failed)
      return;
   frames.process = getpid();
   char temporary[PATH_MAX + 64], name[32];
   FILE *file = open_file(temporary);
   if (!file)
      return;
   const char *process = util_get_process_name();
   fprintf(file, "version %s\nprocess %s\n", SGPU_VERSION, process ? process : "");
   snprintf(name, sizeof name, "%d.process", (int)getpid());
   close_file(file, temporary, name);
}

bool
sgpu_frames_counts(enum sgpu_frame_kind kind)
{
   if (!sgpu_frames_on())
      return false;
   pthread_mutex_lock(&frames.lock);
   describe_process();
   const bool counts = kind >= frames.highest;
   pthread_mutex_unlock(&frames.lock);
   return counts;
}

/* Returns the entry of a surface, or NULL if there are too many. */
static struct surface *
find_surface(enum sgpu_frame_kind kind, const void *key)
{
   struct surface *s = frames.surfaces[kind], *unused = NULL;

   for (unsigned i = 0; i < MAX_SURFACES; i++) {
      if (s[i].used && s[i].key == key)
         return &s[i];
      if (!s[i].used && !unused)
         unused = &s[i];
   }
   if (unused)
      *unused = (struct surface){
         .key = key,
         .used = true,
         .index = frames.num_surfaces[kind]++,
      };
   return unused;
}

static bool
is_wanted(uint64_t number)
{
   for (unsigned i = 0; i < frames.num_ranges; i++) {
      const struct range *r = &frames.ranges[i];
      if (number >= r->first && number <= r->last && (number - r->first) % r->step == 0)
         return true;
   }
   return false;
}

/* Counts a frame of the surface.  Must be called with frames.lock held. */
static bool
count(enum sgpu_frame_kind kind, struct surface *s, struct sgpu_frame *frame)
{
   describe_process();
   frames.highest = MAX2(frames.highest, kind);
   if (frames.ticks)
      p_atomic_inc(frames.ticks);
   if (!s)
      return false;
   *frame = (struct sgpu_frame){ .kind = kind, .surface = s->index, .number = s->frames++ };
   const bool wanted = is_wanted(frame->number);
   frame->last = !wanted;
   return !frames.failed && (wanted || frames.last);
}

bool
sgpu_frames_next(enum sgpu_frame_kind kind, const void *surface, struct sgpu_frame *frame)
{
   if (!sgpu_frames_counts(kind))
      return false;
   pthread_mutex_lock(&frames.lock);
   const bool wanted = count(kind, find_surface(kind, surface), frame);
   pthread_mutex_unlock(&frames.lock);
   return wanted;
}

/* Must be called with frames.lock held. */
static void
write_picture(const struct sgpu_frame *frame, const struct sgpu_frame_picture *p)
{
   char temporary[PATH_MAX + 64], name[96], number[24];
   FILE *file = frames.failed ? NULL : open_file(temporary);
   if (!file)
      return;

   snprintf(number, sizeof number, "%" PRIu64, frame->number);
   fprintf(file,
           "sgpu-frame 1\nkind %s\nsurface %u\nnumber %s\nsize %u %u\npixels %s\nalpha %d\n"
           "rows %s\n\n",
           kind_names[frame->kind], frame->surface, number, p->width, p->height,
           pixel_types[p->pixels].name, p->alpha, p->bottom_up ? "bottom" : "top");
   for (unsigned y = 0; y < p->height; y++)
      fwrite((const uint8_t *)p->data + y * p->pitch, pixel_types[p->pixels].bytes, p->width, file);
   snprintf(name, sizeof name, "%d-%s-%u-%s.frame", (int)getpid(), kind_names[frame->kind],
            frame->surface, frame->last ? "last" : number);
   close_file(file, temporary, name);
}

void
sgpu_frames_write(const struct sgpu_frame *frame, const struct sgpu_frame_picture *picture)
{
   pthread_mutex_lock(&frames.lock);
   write_picture(frame, picture);
   pthread_mutex_unlock(&frames.lock);
}

/* Copies a part to the picture of the surface.  Returns false if allocation fails. */
static bool
compose(struct surface *s, const struct sgpu_frame_part *p)
{
   const unsigned bytes = util_format_get_blocksize(p->format);

   if (!s->picture || s->width != p->whole_width || s->height != p->whole_height ||
       s->format != p->format) {
      free(s->picture);
      s->picture = calloc((size_t)p->whole_width * p->whole_height, bytes);
      s->width = p->whole_width;
      s->height = p->whole_height;
      s->format = p->format;
      if (!s->picture)
         return false;
   }
   for (unsigned y = 0; y < p->height; y++)
      memcpy(s->picture + ((size_t)(p->y + y) * s->width + p->x) * bytes, p->data + y * p->pitch,
             (size_t)p->width * bytes);
   return true;
}

/* Converts the pixels and writes them.  Eight bits per component are enough for most formats. */
static void
write_format(const struct sgpu_frame *frame, unsigned format, unsigned width, unsigned height,
             const uint8_t *data, size_t pitch)
{
   const struct util_format_description *desc = util_format_description(format);
   const bool wide = util_format_get_max_channel_size(format) > 8;
   struct sgpu_frame_picture p = {
      .pixels = wide ? SGPU_FRAME_RGBA32F : SGPU_FRAME_RGBA8,
      .alpha = util_format_has_alpha(format),
      .width = width,
      .height = height,
      .pitch = (size_t)width * (wide ? 16 : 4),
   };
   uint8_t *pixels = malloc(p.pitch * height);

   if (!pixels || !desc) {
      free(pixels);
      say("picture", "out of memory");
      frames.failed = true;
      return;
   }
   util_format_translate(wide ? PIPE_FORMAT_R32G32B32A32_FLOAT : PIPE_FORMAT_R8G8B8A8_UNORM, pixels,
                         p.pitch, 0, 0, util_format_linear(format), data, pitch, 0, 0, width,
                         height);
   p.data = pixels;
   write_picture(frame, &p);
   free(pixels);
}

void
sgpu_frames_present(const void *surface, const struct sgpu_frame_part *p)
{
   struct sgpu_frame frame;

   if (!sgpu_frames_on())
      return;
   pthread_mutex_lock(&frames.lock);
   struct surface *s = find_surface(SGPU_FRAME_PRESENT, surface);
   const bool whole = p->width == p->whole_width && p->height == p->whole_height;
   const bool composed = s && (!whole || s->picture) && compose(s, p);
   if (count(SGPU_FRAME_PRESENT, s, &frame)) {
      if (composed)
         write_format(&frame, p->format, s->width, s->height, s->picture,
                      (size_t)s->width * util_format_get_blocksize(p->format));
      else
         write_format(&frame, p->format, p->width, p->height, p->data, p->pitch);
   }
   pthread_mutex_unlock(&frames.lock);
}

void
sgpu_frames_forget(const void *surface)
{
   if (!frames.on || !surface)
      return;
   pthread_mutex_lock(&frames.lock);
   for (unsigned kind = 0; kind < SGPU_FRAME_KINDS; kind++) {
      for (unsigned i = 0; i < MAX_SURFACES; i++) {
         struct surface *s = &frames.surfaces[kind][i];
         if (s->used && s->key == surface) {
            free(s->picture);
            *s = (struct surface){ 0 };
         }
      }
   }
   pthread_mutex_unlock(&frames.lock);
}
