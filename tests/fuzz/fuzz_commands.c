/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: the commands of sgpu-cap on records of a capture. The input chooses the commands, so
 * mutations of one seed reach all of them. Each command must end in time and with a status. It must
 * not leave more bytes on disk than the limits below.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cap_tool.h"
#include "fuzz_records.h"
#include "sgcap_hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
bool fuzz_tested(void);
/* Replacements of functions that the linker wraps (--wrap). */
bool __wrap_sgpu_device_params_from_env(struct sgpu_device_params *params);
long __wrap_sysconf(int name);
long __real_sysconf(int name);

/* limits for all buffers of a capture, and for all files of a command */
#define MEMORY_BYTES (64l << 20)
#define DISK_BYTES (UINT64_C(64) << 20)
/* limit for the process, which has pictures of MEMORY_BYTES as RGBA, pages and AddressSanitizer */
#define RESIDENT_KILOBYTES (3l << 20)

static char dir[64], file[96], good[96], out[96];
static unsigned long runs, succeeded[16];
static FILE *summary; /* standard error, also if messages are discarded */

#define NUM_COMMANDS 9
static struct command {
   int (*run)(int argc, char **argv);
   const char *arguments[8];
   /* The seed's submissions race with its writes to memory. Commands that do not wait for each
    * submission may find other pictures, or an error.
    */
   bool races;
} commands[NUM_COMMANDS] = {
   { cap_replay, { "replay", "--png", dir, "--write", out, file }, true },
   { cap_replay, { "replay", "--until-draw", "0", "--png", dir, file }, true },
   { cap_replay, { "replay", "--memory", "--loop", "2", file }, true },
   { cap_decode, { "decode", file } },
   { cap_decode, { "decode", "--json", file } },
   { cap_inspect, { "inspect", "--raw", dir, "-o", out, file } },
   { cap_diff, { "diff", file, good }, true },
   { cap_reduce, { "reduce", "--draws", "0", "--force", "-o", out, file } },
   { cap_reduce, { "reduce", "--grids", "0", "--force", "-o", out, file } },
};

bool
__wrap_sgpu_device_params_from_env(struct sgpu_device_params *params)
{
   *params = (struct sgpu_device_params){
      .threads = 1,
      .dispatch = SGPU_DISPATCH_OOO_SPLIT,
      .host = SGPU_HOST_BEST,
      .watchdog_instructions = 3000,
      .watchdog_vertices = 20000,
   };
   return true;
}

long
__wrap_sysconf(int name)
{
   return name == _SC_PHYS_PAGES ? MEMORY_BYTES / __real_sysconf(_SC_PAGESIZE)
                                 : __real_sysconf(name);
}

bool
fuzz_tested(void)
{
   struct rusage usage;
   bool all = true;

   fprintf(summary, "fuzz_commands: %lu runs, that end with 0:", runs);
   for (unsigned i = 0; i < NUM_COMMANDS; i++) {
      fprintf(summary, " %s %lu", commands[i].arguments[0], succeeded[i]);
      all &= commands[i].races || succeeded[i] > 0;
   }
   getrusage(RUSAGE_SELF, &usage);
   fprintf(summary, ", at most %ld KB\n", usage.ru_maxrss);
   unlink(good);
   rmdir(dir);
   return all && usage.ru_maxrss < RESIDENT_KILOBYTES;
}

static void
write_file(const char *path, const void *data, size_t size)
{
   FILE *fp = fopen(path, "wb");
   if (!fp || fwrite(data, 1, size, fp) != size || fclose(fp))
      abort();
}

/* Removes all files except `good`. Returns their size in bytes. */
static uint64_t
clean(void)
{
   DIR *d = opendir(dir);
   uint64_t bytes = 0;

   for (struct dirent *e; d && (e = readdir(d));) {
      struct stat st;
      if (e->d_name[0] == '.' || !strcmp(e->d_name, "good") || fstatat(dirfd(d), e->d_name, &st, 0))
         continue;
      bytes += (uint64_t)st.st_blocks * 512;
      unlinkat(dirfd(d), e->d_name, 0);
   }
   closedir(d);
   return bytes;
}

static void
begin(const uint8_t *data, size_t size)
{
   const char *tmp = getenv("TMPDIR");
   size_t bytes;

   snprintf(dir, sizeof dir, "%s/sgpu-fuzz-XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp");
   if (!mkdtemp(dir))
      abort();
   snprintf(file, sizeof file, "%s/capture", dir);
   snprintf(good, sizeof good, "%s/good", dir);
   snprintf(out, sizeof out, "%s/out", dir);
   /* The first input is the seed. */
   uint8_t *wrapped = fuzz_wrap_records(data, size, &bytes);
   write_file(good, wrapped, bytes);
   free(wrapped);
   const int null = open("/dev/null", O_WRONLY);
   if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
      abort();
   summary = stderr;
   if (!getenv("FUZZ_MESSAGES"))
      stderr = fopen("/dev/null", "w");
   close(null);
}

static void
run(unsigned n)
{
   char *argv[8] = { NULL };
   int argc = 0;

   for (; commands[n].arguments[argc]; argc++)
      argv[argc] = (char *)commands[n].arguments[argc];
   const int status = commands[n].run(argc, argv);
   if (status < 0 || status > 2)
      abort();
   succeeded[n] += status == 0;
   runs++;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   size_t bytes;
   const bool first = !dir[0];

   if (first)
      begin(data, size);
   uint8_t *wrapped = fuzz_wrap_records(data, size, &bytes);
   write_file(file, wrapped, bytes);
   free(wrapped);
   const unsigned chosen = XXH64(data, size, 0) % NUM_COMMANDS;
   for (unsigned n = 0; n < NUM_COMMANDS; n++) {
      if (first || n == chosen) {
         unlink(out);
         run(n);
      }
   }
   if (clean() > DISK_BYTES)
      abort();
   return 0;
}
