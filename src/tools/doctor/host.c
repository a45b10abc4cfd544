/* SPDX-License-Identifier: MIT */
/* Limits and properties of the host: devices, memory, threads, processor, mounts, seccomp. */
#include "doctor.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char *
place(const struct doctor *d, const char *path)
{
   static char name[PATH_MAX];

   snprintf(name, sizeof name, "%s%s", d->root, path);
   return name;
}

bool
read_file(const struct doctor *d, const char *path, char *text, size_t size)
{
   FILE *file = fopen(place(d, path), "re");

   if (!file)
      return false;
   size_t length = fread(text, 1, size - 1, file);
   fclose(file);
   while (length && text[length - 1] == '\n')
      length--;
   text[length] = 0;
   return true;
}

static void
check_nodes(struct doctor *d)
{
   static const char *const nodes[] = { "/dev/dri/renderD128", "/dev/dri/card0" };
   struct stat st;
   bool any = false;

   for (unsigned i = 0; i < 2; i++) {
      if (stat(place(d, nodes[i]), &st))
         continue;
      any = true;
      if (access(place(d, nodes[i]), R_OK | W_OK))
         add_finding(d, LEVEL_NOTE, "dri-permission",
                     "%s cannot be opened by this user (mode %03o, group %u). sgpu does not need "
                     "it; loaders may print \"failed to open\".\n"
                     "nothing; for GBM: add the user to the node's group (render, video)",
                     nodes[i], (unsigned)st.st_mode & 0777, (unsigned)st.st_gid);
   }
   if (!any)
      add_finding(d, LEVEL_NOTE, "dri-missing",
                  "there is no /dev/dri. sgpu does not need it, except for GBM.\n"
                  "nothing; for GBM without a GPU: modprobe vgem");
}

static void
check_shm(struct doctor *d)
{
   struct statvfs fs;

   if (statvfs(place(d, "/dev/shm"), &fs))
      add_finding(d, LEVEL_NOTE, "shm-missing",
                  "there is no /dev/shm. sgpu does not need it; browsers do.\n"
                  "mount -t tmpfs tmpfs /dev/shm; Chromium: --disable-dev-shm-usage");
   else if (access(place(d, "/dev/shm"), W_OK))
      add_finding(d, LEVEL_NOTE, "shm-missing",
                  "/dev/shm cannot be written to. sgpu does not need it; browsers do.\n"
                  "chmod 1777 /dev/shm; Chromium: --disable-dev-shm-usage");
   else if ((uint64_t)fs.f_blocks * fs.f_frsize < (256u << 20))
      add_finding(d, LEVEL_NOTE, "shm-small",
                  "/dev/shm has %u MB. sgpu does not need it, but Chromium and Firefox crash when "
                  "it is full.\n"
                  "docker run --shm-size=1g, or Chromium: --disable-dev-shm-usage",
                  (unsigned)((uint64_t)fs.f_blocks * fs.f_frsize >> 20));
}

/* Returns the number in a file of a control group, or UINT64_MAX if there is no limit. */
static uint64_t
group_limit(const struct doctor *d, const char *v2, const char *v1)
{
   char text[64], *end;

   if (!read_file(d, v2, text, sizeof text) && !read_file(d, v1, text, sizeof text))
      return UINT64_MAX;
   const unsigned long long value = strtoull(text, &end, 10);
   return end == text ? UINT64_MAX : value;
}

static void
check_memory(struct doctor *d)
{
   const uint64_t limit = group_limit(d, "/sys/fs/cgroup/memory.max",
                                      "/sys/fs/cgroup/memory/memory.limit_in_bytes");
   char text[64];
   struct rlimit space;

   if (limit < (256u << 20))
      add_finding(d, LEVEL_PROBLEM, "memory-group",
                  "the control group allows %u MB of memory: the kernel may end programs.\n"
                  "docker run --memory=1g, or more",
                  (unsigned)(limit >> 20));
   if (!getrlimit(RLIMIT_AS, &space) && space.rlim_cur < (2ull << 30))
      add_finding(d, LEVEL_PROBLEM, "memory-space",
                  "the address space is limited to %u MB (ulimit -v). sgpu reserves at least 1024 "
                  "MB of addresses, without using memory for them.\n"
                  "ulimit -v unlimited",
                  (unsigned)(space.rlim_cur >> 20));
   if (read_file(d, "/proc/sys/vm/overcommit_memory", text, sizeof text) && atoi(text) == 2)
      add_finding(d, LEVEL_NOTE, "memory-overcommit",
                  "vm.overcommit_memory is 2: the kernel counts reserved memory.\n"
                  "if programs end with \"out of memory\": sysctl vm.overcommit_memory=0");
   void *p = mmap(NULL, 1ull << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (p == MAP_FAILED)
      add_finding(d, LEVEL_PROBLEM, "memory-space",
                  "1 GB of addresses cannot be reserved (%s), which sgpu needs.\n"
                  "ulimit -v unlimited; sysctl vm.overcommit_memory=0",
                  strerror(errno));
   else
      munmap(p, 1ull << 30);
}

static void *
do_nothing(void *data)
{
   return data;
}

static void
check_threads(struct doctor *d)
{
   const uint64_t limit = group_limit(d, "/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max");
   const uint64_t used = group_limit(d, "/sys/fs/cgroup/pids.current",
                                     "/sys/fs/cgroup/pids/pids.current");
   const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
   const uint64_t needs = (cpus > 0 ? cpus : 1) + 8;
   pthread_t thread;
   struct rlimit tasks;

   if (limit != UINT64_MAX && used != UINT64_MAX && limit < used + needs)
      add_finding(d, LEVEL_PROBLEM, "threads",
                  "the control group allows %u processes and threads, and has %u: no room for the "
                  "%u that sgpu may start.\n"
                  "docker run --pids-limit=1000, or SGPU_THREADS=1",
                  (unsigned)limit, (unsigned)used, (unsigned)needs);
   else if (geteuid() && !getrlimit(RLIMIT_NPROC, &tasks) && tasks.rlim_cur < needs)
      add_finding(d, LEVEL_PROBLEM, "threads",
                  "ulimit -u is %u: no room for the %u threads that sgpu may start.\n"
                  "ulimit -u 1000, or SGPU_THREADS=1",
                  (unsigned)tasks.rlim_cur, (unsigned)needs);
   const int error = pthread_create(&thread, NULL, do_nothing, NULL);
   if (error)
      add_finding(d, LEVEL_PROBLEM, "threads",
                  "no thread can be started (%s).\n"
                  "%s",
                  strerror(error),
                  error == EPERM ? "an old container runtime refuses clone3: update it, or docker "
                                   "run --security-opt seccomp=unconfined"
                                 : "docker run --pids-limit=1000, or raise `ulimit -u`");
   else
      pthread_join(thread, NULL);
}

static void
check_seccomp(struct doctor *d)
{
   char text[8192];

   if (!read_file(d, "/proc/self/status", text, sizeof text)) {
      add_finding(d, LEVEL_PROBLEM, "proc-missing",
                  "/proc is not mounted.\n"
                  "mount -t proc proc /proc");
      return;
   }
   const char *line = strstr(text, "\nSeccomp:");
   const bool filtered = line && atoi(line + 9) == 2;
   const int fd = memfd_create("sgpu-doctor", MFD_CLOEXEC);
   if (fd < 0)
      add_finding(d, LEVEL_NOTE, "seccomp",
                  "memfd_create is refused (%s)%s: shaders are interpreted, not translated, and "
                  "run slower.\n"
                  "docker run --security-opt seccomp=unconfined, or allow memfd_create",
                  strerror(errno), filtered ? " by seccomp" : "");
   else if (filtered && has_finding(d, "threads"))
      add_finding(d, LEVEL_NOTE, "seccomp",
                  "system calls are filtered (seccomp).\n"
                  "docker run --security-opt seccomp=unconfined, to see whether it is the reason");
   if (fd >= 0)
      close(fd);
}

static void
check_cpu(struct doctor *d)
{
#ifdef __x86_64__
   static const char *const needed[] = { " ssse3", " sse4_1", " sse4_2", " popcnt" };
   char text[32768];

   if (!read_file(d, "/proc/cpuinfo", text, sizeof text))
      return;
   char *flags = strstr(text, "\nflags");
   if (!flags)
      return;
   flags[1 + strcspn(flags + 1, "\n")] = 0;
   for (unsigned i = 0; i < 4; i++) {
      if (!strstr(flags, needed[i]))
         add_finding(d, LEVEL_PROBLEM, "cpu",
                     "the processor lacks%s: sgpu needs x86-64-v2 (2009), and ends with signal 4.\n"
                     "in a virtual machine: give it the host's processor (QEMU: -cpu host, or "
                     "-cpu Nehalem)",
                     needed[i]);
   }
#else
   (void)d;
#endif
}

static void
check_mounts(struct doctor *d)
{
   const char *const folders[] = { "/tmp", getenv("TMPDIR"), d->driver };
   struct statvfs fs;

   for (unsigned i = 0; i < 3; i++) {
      if (!folders[i] || !*folders[i] || statvfs(folders[i], &fs) || !(fs.f_flag & ST_NOEXEC))
         continue;
      add_finding(d, i == 2 ? LEVEL_PROBLEM : LEVEL_NOTE, "noexec",
                  "%s is mounted noexec: libraries there cannot be loaded%s.\n"
                  "%s",
                  folders[i], i == 2 ? ", sgpu's among them" : "",
                  i == 2 ? "move sgpu to another folder"
                         : "nothing, unless sgpu is unpacked there");
   }
   if (access("/tmp", W_OK))
      add_finding(d, LEVEL_NOTE, "tmp",
                  "/tmp cannot be written to (%s).\n"
                  "chmod 1777 /tmp, or TMPDIR=FOLDER; X servers need /tmp/.X11-unix",
                  strerror(errno));
}

void
check_host(struct doctor *d)
{
   check_nodes(d);
   check_shm(d);
   check_memory(d);
   check_threads(d);
   check_seccomp(d);
   check_cpu(d);
   check_mounts(d);
}
