/* SPDX-License-Identifier: MIT */
/*
 * Tests the memory limits of control groups, from files as on real systems (v1, v2, containers),
 * and the detection of pages that the process may write.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "winsys/sgpu/sgpu_host_memory.h"

static unsigned fails;

#define CHECK(condition, ...)                                            \
   do {                                                                  \
      if (!(condition)) {                                                \
         fails++;                                                        \
         fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
         fprintf(stderr, __VA_ARGS__);                                   \
         fprintf(stderr, "\n");                                          \
      }                                                                  \
   } while (0)

struct file {
   const char *path, *text;
};

struct system {
   const char *what;
   uint64_t limit;
   struct file files[8];
};

#define CGROUP "/proc/self/cgroup"
#define MOUNTS "/proc/self/mountinfo"
#define V1_MOUNT                                                        \
   "30 25 0:26 / /sys/fs/cgroup/cpu rw,nosuid - cgroup cgroup rw,cpu\n" \
   "31 25 0:27 / /sys/fs/cgroup/memory rw,nosuid shared:9 - cgroup cgroup rw,memory\n"
#define V2_MOUNT "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"
#define NONE "9223372036854771712\n"

static const struct system systems[] = {
   { "no control groups", UINT64_MAX, { { MOUNTS, "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n" } } },
   { "v2, no limit",
     UINT64_MAX,
     { { CGROUP, "0::/user.slice/a\n" },
       { MOUNTS, V2_MOUNT },
       { "/sys/fs/cgroup/user.slice/a/memory.max", "max\n" },
       { "/sys/fs/cgroup/user.slice/memory.max", "max\n" } } },
   { "v2",
     5000000,
     { { CGROUP, "0::/user.slice/a\n" },
       { MOUNTS, V2_MOUNT },
       { "/sys/fs/cgroup/user.slice/a/memory.max", "5000000\n" },
       { "/sys/fs/cgroup/user.slice/memory.max", "max\n" } } },
   { "v2, a parent's",
     3000000,
     { { CGROUP, "0::/user.slice/a/b\n" },
       { MOUNTS, V2_MOUNT },
       { "/sys/fs/cgroup/user.slice/a/b/memory.max", "5000000\n" },
       { "/sys/fs/cgroup/user.slice/memory.max", "3000000\n" } } },
   { "v2 in a container with a name space",
     7000000,
     { { CGROUP, "0::/\n" }, { MOUNTS, V2_MOUNT }, { "/sys/fs/cgroup/memory.max", "7000000\n" } } },
   { "v1",
     5000000,
     { { CGROUP, "9:name=systemd:/x\n4:memory:/a/b\n1:cpu:/c\n0::/\n" },
       { MOUNTS, V1_MOUNT },
       { "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "5000000\n" },
       { "/sys/fs/cgroup/memory/a/memory.limit_in_bytes", NONE },
       { "/sys/fs/cgroup/memory/memory.limit_in_bytes", NONE } } },
   { "v1, no limit",
     UINT64_MAX,
     { { CGROUP, "4:cpu,memory:/a\n" },
       { MOUNTS, V1_MOUNT },
       { "/sys/fs/cgroup/memory/a/memory.limit_in_bytes", NONE } } },
   { "v1 in a container, which has its own group mounted",
     6000000,
     { { CGROUP, "4:memory:/docker/f00\n" },
       { MOUNTS, "31 25 0:27 /docker/f00 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n" },
       { "/sys/fs/cgroup/memory/memory.limit_in_bytes", "6000000\n" } } },
   { "v1 below the group that is mounted",
     6000000,
     { { CGROUP, "4:memory:/docker/f00/inner\n" },
       { MOUNTS, "31 25 0:27 /docker/f00 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n" },
       { "/sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "6000000\n" },
       { "/sys/fs/cgroup/memory/memory.limit_in_bytes", "8000000\n" } } },
   { "both, and a mount with a space",
     4000000,
     { { CGROUP, "4:memory:/a\n0::/b\n" },
       { MOUNTS, "31 25 0:27 / /my\\040groups rw - cgroup cgroup rw,memory\n"
                 "32 25 0:28 / /unified rw - cgroup2 none rw\n" },
       { "/my groups/a/memory.limit_in_bytes", "4000000\n" },
       { "/unified/b/memory.max", "9000000\n" } } },
};

static void
write_file(const char *root, const struct file *file)
{
   char path[512];

   snprintf(path, sizeof path, "%s%s", root, file->path);
   for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
      *at = 0;
      mkdir(path, 0700);
      *at = '/';
   }
   FILE *f = fopen(path, "w");
   if (!f || fputs(file->text, f) < 0 || fclose(f)) {
      perror(path);
      exit(1);
   }
}

static void
test_limits(const char *folder)
{
   for (unsigned i = 0; i < sizeof systems / sizeof *systems; i++) {
      char root[256];
      snprintf(root, sizeof root, "%s/%u", folder, i);
      mkdir(root, 0700);
      for (const struct file *file = systems[i].files; file->path; file++)
         write_file(root, file);
      const uint64_t limit = sgpu_host_memory_limit(root);
      CHECK(limit == systems[i].limit, "%s: %llu", systems[i].what, (unsigned long long)limit);
   }
}

static atomic_bool stop;

static void *
count(void *word)
{
   _Atomic uint32_t *counter = word;
   uint32_t n = 0;

   /* Stores by this thread would be undone by a function that writes a copy of old contents back.
    */
   while (!stop || n < 10000) {
      if (atomic_load(counter) != n)
         return "lost";
      atomic_store(counter, ++n);
   }
   return NULL;
}

static void
test_writable(void)
{
   const size_t page = sysconf(_SC_PAGESIZE);
   uint8_t *memory = mmap(NULL, 16 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                          0);
   pthread_t thread;
   void *lost = NULL;

   assert(memory != MAP_FAILED);
   memset(memory, 7, 8 * page);
   CHECK(sgpu_host_memory_writable(memory, 16 * page), "memory");
   CHECK(memory[0] == 7 && memory[8 * page - 1] == 7 && !memory[8 * page], "its contents");
   memset(memory, 0, 4);
   pthread_create(&thread, NULL, count, memory);
   for (unsigned i = 0; i < 2000; i++)
      CHECK(sgpu_host_memory_writable(memory, 16 * page), "memory that is written");
   /* If one page cannot be written, the function checks each page separately. */
   mprotect(memory + 11 * page, page, PROT_READ);
   for (unsigned i = 0; i < 2000; i++)
      CHECK(!sgpu_host_memory_writable(memory, 16 * page), "a page that is read-only");
   stop = true;
   pthread_join(thread, &lost);
   CHECK(!lost, "a store of another thread was undone");
   CHECK(sgpu_host_memory_writable(memory, 11 * page), "the pages before it");
   CHECK(sgpu_host_memory_writable(memory + 12 * page + 100, page), "the pages after it");
   mprotect(memory + 11 * page, page, PROT_NONE);
   CHECK(!sgpu_host_memory_writable(memory + 10 * page, 2 * page), "a page without access");
   munmap(memory + 11 * page, page);
   CHECK(!sgpu_host_memory_writable(memory + 10 * page, 2 * page), "a hole");
   munmap(memory, 16 * page);
}

int
main(int argc, char **argv)
{
   char folder[] = "/tmp/sgpu-XXXXXX", command[64];

   if (!mkdtemp(folder))
      return 1;
   test_limits(folder);
   snprintf(command, sizeof command, "rm -rf %s", folder);
   if (system(command))
      fails++;
   test_writable();
   CHECK(sgpu_host_memory_resident() > 100000, "%llu bytes resident",
         (unsigned long long)sgpu_host_memory_resident());
   printf("%u failures\n", fails);
   return fails != 0;
}
