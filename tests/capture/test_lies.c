/* SPDX-License-Identifier: MIT */
/*
 * Captures with valid checksums and false contents. Commands must print an error that names the
 * record, or have right results. They must not use memory that the file does not need. Texts of the
 * file must not reach the terminal as control characters.  diff must find a difference in one
 * component of one pixel.
 *
 * usage: test_lies FOLDER     (files in it are written and removed)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cap_tool.h"
#include "sgcap_packets.h"
#include "sgcap_writer.h"
#include "sgpu_formats.h"

#define REQUIRE(holds)                                               \
   do {                                                              \
      if (!(holds)) {                                                \
         fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds); \
         exit(1);                                                    \
      }                                                              \
   } while (0)

#ifdef __has_feature
#define INSTRUMENTED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define INSTRUMENTED 1
#else
#define INSTRUMENTED 0
#endif

/* maximum resident memory of a command in KB, more than any of these files needs */
#define RESIDENT_KILOBYTES 98304

static char path[4096], other[4096], out[4096], png[4096];

static struct sgcap_writer *
begin(const char *program)
{
   struct sgcap_writer *w = sgcap_writer_open(path, 3, true);
   const struct sgcap_device d = { .threads = 1, .name_bytes = strlen(program) + 1 };
   char *text = sgcap_packets_text();

   REQUIRE(w && text);
   sgcap_write(w, SGCAP_DEVICE, &d, sizeof d, program, d.name_bytes);
   sgcap_write(w, SGCAP_PACKETS, text, strlen(text) + 1, NULL, 0);
   const struct sgcap_frame f = { 0 };
   sgcap_write(w, SGCAP_FRAME, &f, sizeof f, NULL, 0);
   free(text);
   return w;
}

static void
end(struct sgcap_writer *w)
{
   const struct sgcap_end e = { 0 };
   sgcap_write(w, SGCAP_END, &e, sizeof e, NULL, 0);
   REQUIRE(sgcap_writer_close(w) == 0);
}

static void
put_bo(struct sgcap_writer *w, uint64_t id, uint64_t size, const char *label)
{
   const struct sgcap_bo_create c = { id, 0x10000, size, strlen(label) + 1, 0 };
   sgcap_write(w, SGCAP_BO_CREATE, &c, sizeof c, label, c.label_bytes);
}

static void
put_present(struct sgcap_writer *w, uint32_t width, uint32_t height, uint32_t format,
            uint32_t pixel_bytes)
{
   const struct sgcap_present p = {
      .bo = 1,
      .pitch = width * pixel_bytes,
      .width = width,
      .height = height,
      .format = format,
      .pixel_bytes = pixel_bytes,
   };
   sgcap_write(w, SGCAP_PRESENT, &p, sizeof p, NULL, 0);
}

struct result {
   int status;
   long kilobytes; /* maximum resident memory, in KB */
   char text[65536];
};

/* Runs the command in a child process. Standard output and error become one text. */
static void
run(struct result *r, int (*command)(int argc, char **argv), int argc, char **argv)
{
   int fds[2], status;
   struct rusage usage;
   size_t n = 0;

   REQUIRE(!pipe(fds));
   fflush(NULL);
   const pid_t child = fork();
   REQUIRE(child >= 0);
   if (child == 0) {
      dup2(fds[1], STDOUT_FILENO);
      dup2(fds[1], STDERR_FILENO);
      close(fds[0]);
      close(fds[1]);
      exit(command(argc, argv));
   }
   close(fds[1]);
   for (ssize_t got;
        n < sizeof r->text - 1 && (got = read(fds[0], r->text + n, sizeof r->text - 1 - n)) > 0;)
      n += got;
   close(fds[0]);
   r->text[n] = 0;
   REQUIRE(wait4(child, &status, 0, &usage) == child);
   r->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
   r->kilobytes = usage.ru_maxrss;
   if (r->status < 0 || r->status > 2)
      fprintf(stderr, "%s: %s\n", argv[0], r->text);
   REQUIRE(r->status >= 0 && r->status <= 2);
   for (size_t i = 0; i < n; i++)
      REQUIRE(r->text[i] == '\n' || ((unsigned char)r->text[i] >= ' ' && r->text[i] != 0x7f));
   if (!INSTRUMENTED && r->kilobytes >= RESIDENT_KILOBYTES)
      fprintf(stderr, "%s: %ld KB: %s\n", argv[1], r->kilobytes, r->text);
   REQUIRE(INSTRUMENTED || r->kilobytes < RESIDENT_KILOBYTES);
}

#define RUN(r, command, ...)                                                       \
   run(r, command, sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(const char *), \
       (char **)(const char *[]){ __VA_ARGS__, NULL })

/* Runs every command. If `why` is not NULL, commands that make pictures must end with this error.
 */
static void
run_all(const char *why)
{
   struct result r;

   RUN(&r, cap_replay, "replay", "--hash", path);
   REQUIRE(!why || (r.status == 1 && strstr(r.text, why)));
   RUN(&r, cap_replay, "replay", "--png", png, path);
   REQUIRE(!why || (r.status == 1 && strstr(r.text, why)));
   RUN(&r, cap_replay, "replay", "--memory", "--loop", "2", path);
   RUN(&r, cap_inspect, "inspect", "-o", out, path);
   REQUIRE(!why || (r.status == 1 && strstr(r.text, why)));
   RUN(&r, cap_diff, "diff", path, path);
   REQUIRE(!why || (r.status == 1 && strstr(r.text, why)));
   RUN(&r, cap_decode, "decode", path);
   RUN(&r, cap_decode, "decode", "--json", path);
   RUN(&r, cap_reduce, "reduce", "--draws", "0", "--force", "-o", out, path);
   RUN(&r, cap_summary, "summary", path);
}

/* Pictures in formats whose pixels do not match the record. */
static void
test_pixels(void)
{
   for (uint32_t format = 0; format < SGPU_FORMAT_COUNT + 1; format++) {
      const struct sgpu_format_info *info = sgpu_format_info(format);
      const bool right = info->block_bytes == 1 && info->block_width == 1;
      struct result r;
      struct sgcap_writer *w = begin("p");
      put_bo(w, 1, 4096, "presentation");
      put_present(w, 4096, 1, format, 1);
      end(w);
      if (format % 24 == 1)
         run_all(right ? NULL : "(PRESENT): a pixel of its format does not have 1 bytes");
      RUN(&r, cap_replay, "replay", "--png", png, path);
      REQUIRE(right || (r.status == 1 && strstr(r.text, "(PRESENT): a pixel of its format")));
   }
}

/* Large buffers, which the file declares to be zero. */
static void
test_zeros(void)
{
   const uint64_t sizes[] = { UINT64_C(3) << 28, UINT64_C(60) << 30 };

   for (unsigned i = 0; i < 2; i++) {
      struct sgcap_writer *w = begin("p");
      put_bo(w, 1, sizes[i], "b");
      const struct sgcap_data d = { 1, 0, sizes[i] };
      sgcap_write(w, SGCAP_ZERO, &d, sizeof d, NULL, 0);
      put_present(w, 16384, 1, SGPU_FORMAT_R8_UNORM, 1);
      end(w);
      run_all(NULL);
   }
   /* Zeros replace earlier contents, also in parts of pages. */
   struct cap_player p;
   struct sgcap_record rec;
   static uint8_t bytes[200000];
   struct sgcap_writer *w = begin("p");
   put_bo(w, 1, sizeof bytes, "b");
   const struct sgcap_data all = { 1, 0, sizeof bytes }, part = { 1, 5000, 150001 };
   memset(bytes, 7, sizeof bytes);
   sgcap_write(w, SGCAP_DATA, &all, sizeof all, bytes, sizeof bytes);
   sgcap_write(w, SGCAP_ZERO, &part, sizeof part, NULL, 0);
   end(w);
   REQUIRE(cap_player_open(&p, path, &(struct sgpu_device_params){ .threads = 1 }, false));
   while (cap_player_next(&p, &rec)) {
      if (rec.type != SGCAP_ZERO)
         continue;
      const uint8_t *there = sgpu_bo_map(cap_player_bo(&p, 1)->bo);
      for (size_t n = 0; n < sizeof bytes; n++)
         REQUIRE(there[n] == (n >= 5000 && n < 155001 ? 0 : 7));
   }
   cap_player_close(&p);
}

/* A picture with many pixels needs no memory in addition to its buffer, which nothing has written
 * to.
 */
static void
test_large_picture(void)
{
   struct result r;
   struct sgcap_writer *w = begin("p");

   put_bo(w, 1, UINT64_C(4096) * 8192, "presentation");
   put_present(w, 4096, 8192, SGPU_FORMAT_R8_UNORM, 1);
   end(w);
   RUN(&r, cap_replay, "replay", "--png", png, path);
   REQUIRE(r.status == 1 && strstr(r.text, "1 of 1 hashes differ"));
}

/* Data of another size than the record has bytes, or beyond the end of its buffer. */
static void
test_data(void)
{
   static const struct {
      enum sgcap_type type;
      uint64_t offset, size;
      const char *why;
   } cases[] = {
      { SGCAP_DATA, 0, 101, "(DATA): its size is wrong" },
      { SGCAP_DATA, 0, 1000, "(DATA): its size is wrong" },
      { SGCAP_DATA, 0, 99, "(DATA): its size is wrong" },
      { SGCAP_DATA, 4096 - 99, 100, "(DATA): it is outside its buffer" },
      { SGCAP_DATA, 4097, 100, "(DATA): it is outside its buffer" },
      { SGCAP_DATA, UINT64_MAX, 100, "(DATA): it is outside its buffer" },
      { SGCAP_DATA, 4096 - 100, 100, NULL },
      { SGCAP_ZERO, 1, 4096, "(ZERO): it is outside its buffer" },
      { SGCAP_ZERO, UINT64_MAX, 2, "(ZERO): it is outside its buffer" },
      { SGCAP_ZERO, 0, 4096, NULL },
   };
   static const uint8_t bytes[100];

   for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
      struct result r;
      struct sgcap_writer *w = begin("p");
      put_bo(w, 1, 4096, "b");
      const struct sgcap_data d = { 1, cases[i].offset, cases[i].size };
      sgcap_write(w, cases[i].type, &d, sizeof d, bytes,
                  cases[i].type == SGCAP_DATA ? sizeof bytes : 0);
      end(w);
      if (i % 3 == 0)
         run_all(cases[i].why);
      RUN(&r, cap_replay, "replay", path);
      REQUIRE(cases[i].why ? r.status == 1 && strstr(r.text, cases[i].why) : r.status == 0);
   }
}

/* Writes a capture with a picture of 4x1 pixels, which the CPU has written. */
static void
put_picture(uint8_t blue, uint8_t alpha)
{
   const uint8_t pixels[16] = { 1, 2, 3, 255, 4, 5, 6, 255, 7, 8, blue, alpha, 9, 10, 11, 255 };
   const struct sgcap_data d = { 1, 0, sizeof pixels };
   struct sgcap_writer *w = begin("p");

   put_bo(w, 1, 4096, "presentation");
   sgcap_write(w, SGCAP_DATA, &d, sizeof d, pixels, sizeof pixels);
   put_present(w, 4, 1, SGPU_FORMAT_R8G8B8A8_UNORM, 4);
   end(w);
}

/* Pictures that differ in one component of one pixel. */
static void
test_diff(void)
{
   static const struct {
      uint8_t blue, alpha;
      const char *text;
   } cases[] = {
      { 32, 64, "1 pictures are equal" },
      { 33, 64, "first at pixel 2,0: 07082040, 07082140; 1 pixels" },
      { 32, 65, "first at pixel 2,0: 07082040, 07082041; 1 pixels" },
   };

   put_picture(32, 64);
   REQUIRE(!rename(path, other));
   for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
      struct result r;
      put_picture(cases[i].blue, cases[i].alpha);
      RUN(&r, cap_diff, "diff", other, path);
      REQUIRE(r.status == (i > 0) && strstr(r.text, cases[i].text));
   }
}

static void
test_queues(void)
{
   struct sgcap_writer *w = begin("p");

   for (uint64_t id = 1; id <= 5000; id++) {
      const struct sgcap_id q = { id };
      sgcap_write(w, SGCAP_QUEUE_CREATE, &q, sizeof q, NULL, 0);
   }
   end(w);
   run_all("(QUEUE CREATE): there are more queues than any program has");
}

static void
test_texts(void)
{
   const char *evil = "\033]0;x\a\033[2K\r\302\2331m\xff\342\200\256</script>";
   const struct sgcap_id id = { 1 };
   struct result r;
   struct sgcap_writer *w = begin(evil);

   put_bo(w, 1, 4096, evil);
   const struct sgcap_bo_label l = { 1, strlen(evil) + 1, 0 };
   sgcap_write(w, SGCAP_BO_LABEL, &l, sizeof l, evil, l.label_bytes);
   sgcap_write(w, SGCAP_BO_DESTROY, &id, sizeof id, NULL, 0);
   end(w);
   run_all(NULL);
   RUN(&r, cap_replay, "replay", "--memory", path);
   REQUIRE(r.status == 0 && strstr(r.text, "\\x1b]0;x\\x07\\x1b[2K\\x0d\\xc2\\x9b#0"));
   RUN(&r, cap_decode, "decode", path);
   REQUIRE(strstr(r.text,
                  "DEVICE \\x1b]0;x\\x07\\x1b[2K\\x0d\\xc2\\x9b1m\\xff\\xe2\\x80\\xae</script>,"));

   /* The error quotes the layout of packets from the file. */
   w = sgcap_writer_open(path, 3, true);
   const struct sgcap_device d = { .threads = 1, .name_bytes = 2 };
   const char *layout = "enum \033[31m 1\n";
   sgcap_write(w, SGCAP_DEVICE, &d, sizeof d, "x", 2);
   sgcap_write(w, SGCAP_PACKETS, layout, strlen(layout) + 1, NULL, 0);
   end(w);
   RUN(&r, cap_replay, "replay", path);
   REQUIRE(r.status == 1 && strstr(r.text, "\\x1b[31m"));
}

int
main(int argc, char **argv)
{
   REQUIRE(argc == 2);
   snprintf(path, sizeof path, "%s/lies-%d.sgcap", argv[1], (int)getpid());
   snprintf(other, sizeof other, "%s/lies-%d-other.sgcap", argv[1], (int)getpid());
   snprintf(out, sizeof out, "%s/lies-%d.out", argv[1], (int)getpid());
   snprintf(png, sizeof png, "%s/lies-%d", argv[1], (int)getpid());
   test_pixels();
   test_zeros();
   test_large_picture();
   test_data();
   test_diff();
   test_queues();
   test_texts();
   unlink(path);
   unlink(other);
   unlink(out);
   strcat(png, "/frame-000000.png");
   unlink(png);
   *strrchr(png, '/') = 0;
   rmdir(png);
   return 0;
}
