/* SPDX-License-Identifier: MIT */
/* Looks at a program's file: its dynamic linker and library folders decide which loaders it gets. */
#include "doctor.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Finds a program as the shell does. */
static bool
find_program(const char *name, char *path)
{
   char list[8192];

   if (strchr(name, '/')) {
      snprintf(path, PATH_MAX, "%s", name);
      return !access(path, F_OK);
   }
   snprintf(list, sizeof list, "%s", getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin");
   for (char *folder = strtok(list, ":"); folder; folder = strtok(NULL, ":")) {
      snprintf(path, PATH_MAX, "%s/%s", folder, name);
      if (!access(path, X_OK))
         return true;
   }
   return false;
}

struct elf {
   const unsigned char *file;
   size_t size;
   const char *interpreter; /* path of the dynamic linker, or NULL */
   const char *run_path;    /* DT_RUNPATH or DT_RPATH, or NULL */
   /* called with each library that the file needs, or NULL */
   void (*needed)(const char *library, void *data);
   void *data;
};

/* Returns a text in the file, or NULL if it does not end in it. */
static const char *
text_at(const struct elf *elf, uint64_t offset)
{
   if (offset >= elf->size || !memchr(elf->file + offset, 0, elf->size - offset))
      return NULL;
   return (const char *)elf->file + offset;
}

static uint64_t
offset_of(const struct elf *elf, const Elf64_Phdr *segments, unsigned count, uint64_t address)
{
   for (unsigned i = 0; i < count; i++) {
      if (segments[i].p_type == PT_LOAD && address - segments[i].p_vaddr < segments[i].p_filesz)
         return address - segments[i].p_vaddr + segments[i].p_offset;
   }
   return elf->size;
}

static void
read_dynamic(struct elf *elf, const Elf64_Phdr *segments, unsigned count, const Elf64_Phdr *dynamic)
{
   uint64_t strings = 0, path = UINT64_MAX;

   if (dynamic->p_offset > elf->size || dynamic->p_filesz > elf->size - dynamic->p_offset)
      return;
   for (uint64_t i = 0; i + sizeof(Elf64_Dyn) <= dynamic->p_filesz; i += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;

      memcpy(&entry, elf->file + dynamic->p_offset + i, sizeof entry);
      if (entry.d_tag == DT_STRTAB)
         strings = entry.d_un.d_ptr;
      else if (entry.d_tag == DT_RUNPATH || (entry.d_tag == DT_RPATH && path == UINT64_MAX))
         path = entry.d_un.d_val;
      else if (entry.d_tag == DT_NULL)
         break;
   }
   const uint64_t table = offset_of(elf, segments, count, strings);
   if (path != UINT64_MAX)
      elf->run_path = text_at(elf, table + path);
   for (uint64_t i = 0; elf->needed && i + sizeof(Elf64_Dyn) <= dynamic->p_filesz;
        i += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;

      memcpy(&entry, elf->file + dynamic->p_offset + i, sizeof entry);
      const char *name = entry.d_tag == DT_NEEDED ? text_at(elf, table + entry.d_un.d_val) : NULL;
      if (name)
         elf->needed(name, elf->data);
      if (entry.d_tag == DT_NULL)
         break;
   }
}

static void
read_segments(struct elf *elf)
{
   Elf64_Ehdr head;

   memcpy(&head, elf->file, sizeof head);
   if (head.e_phentsize != sizeof(Elf64_Phdr) || head.e_phoff > elf->size ||
       head.e_phnum > (elf->size - head.e_phoff) / sizeof(Elf64_Phdr))
      return;
   Elf64_Phdr *segments = malloc((head.e_phnum + 1) * sizeof *segments);
   if (!segments)
      return;
   memcpy(segments, elf->file + head.e_phoff, head.e_phnum * sizeof *segments);
   for (unsigned i = 0; i < head.e_phnum; i++) {
      if (segments[i].p_type == PT_INTERP)
         elf->interpreter = text_at(elf, segments[i].p_offset);
      else if (segments[i].p_type == PT_DYNAMIC)
         read_dynamic(elf, segments, head.e_phnum, &segments[i]);
   }
   free(segments);
}

void
for_each_needed(const char *path, void (*needed)(const char *library, void *data), void *data)
{
   struct elf elf = { .needed = needed, .data = data };
   struct stat st;
   const int fd = open(path, O_RDONLY | O_CLOEXEC);

   if (fd < 0)
      return;
   if (!fstat(fd, &st) && st.st_size >= (off_t)sizeof(Elf64_Ehdr)) {
      void *map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      elf.file = map;
      elf.size = st.st_size;
      if (map != MAP_FAILED) {
         if (!memcmp(map, ELFMAG, SELFMAG))
            read_segments(&elf);
         munmap(map, st.st_size);
      }
   }
   close(fd);
}

static void
check_elf(struct doctor *d, const char *path, struct elf *elf)
{
   Elf64_Ehdr head;
#ifdef __x86_64__
   const unsigned machine = EM_X86_64;
#else
   const unsigned machine = EM_AARCH64;
#endif

   if (elf->size < sizeof head || memcmp(elf->file, ELFMAG, SELFMAG)) {
      if (elf->size < 2 || memcmp(elf->file, "#!", 2))
         add_finding(d, LEVEL_NOTE, "program-other",
                     "%s is neither a program nor a script.\n"
                     "name the program that draws",
                     path);
      return;
   }
   memcpy(&head, elf->file, sizeof head);
   if (head.e_ident[EI_CLASS] != ELFCLASS64) {
      add_finding(d, LEVEL_PROBLEM, "program-32",
                  "%s is a program of 32 bits, and cannot load sgpu.\n"
                  "use the program's version of 64 bits",
                  path);
      return;
   }
   if (head.e_machine != machine) {
      add_finding(d, LEVEL_PROBLEM, "program-machine",
                  "%s is of another machine (ELF machine %u), and cannot load this sgpu.\n"
                  "install sgpu for that machine",
                  path, head.e_machine);
      return;
   }
   read_segments(elf);
   const char *linker = elf->interpreter, *run_path = elf->run_path;
   if (!linker && head.e_type == ET_EXEC)
      add_finding(
         d, LEVEL_NOTE, "program-static",
         "%s is linked statically: it loads no driver, but the programs that it starts do.\n"
         "name the program that draws",
         path);
   if (linker && strstr(linker, "/nix/store/"))
      add_finding(d, LEVEL_PROBLEM, "program-nix",
                  "%s has Nix's dynamic linker (%s). It finds libraries of Nix only, and not those "
                  "that sgpu needs from the system.\n"
                  "nix-shell -p libGL xorg.libX11 xorg.libxcb expat zstd libdrm, with their lib "
                  "folders in LD_LIBRARY_PATH, or a program of the distribution",
                  path, linker);
   else if (linker && strstr(linker, "ld-musl"))
      add_finding(d, LEVEL_PROBLEM, "program-musl",
                  "%s is of a system with musl (%s). sgpu needs glibc 2.31 or newer.\n"
                  "use an image with glibc (Debian, Ubuntu, Fedora)",
                  path, linker);
   else if (linker && access(linker, X_OK))
      add_finding(d, LEVEL_PROBLEM, "program-linker",
                  "%s needs the dynamic linker %s: %s.\n"
                  "install the C library of that name",
                  path, linker, strerror(errno));
   const char *conda = getenv("CONDA_PREFIX");
   if ((conda && *conda && !strncmp(path, conda, strlen(conda))) || strstr(path, "conda"))
      add_finding(d, LEVEL_NOTE, "program-conda",
                  "%s is conda's. Its library folder%s%s wins over the system's: libGL, libEGL, "
                  "libstdc++ and libgbm come from there if they are there.\n"
                  "`sgpu run` names the vendor files for conda's libglvnd, too. If a library is "
                  "too old: conda update libglvnd libstdcxx-ng",
                  path, run_path ? " " : "", run_path ? run_path : "");
   else if (run_path && strstr(run_path, "/nix/store/") && !has_finding(d, "program-nix"))
      add_finding(d, LEVEL_NOTE, "program-nix",
                  "%s looks for libraries in Nix first (%s).\n"
                  "if the renderer is not sgpu: use a program of the distribution",
                  path, run_path);
}

void
check_program(struct doctor *d)
{
   char found[PATH_MAX], path[PATH_MAX];
   struct stat st;

   if (!d->program)
      return;
   if (!find_program(d->program, found) || !realpath(found, path)) {
      add_finding(d, LEVEL_PROBLEM, "program-missing",
                  "there is no program %s.\n"
                  "see the spelling, PATH, and whether the package is installed",
                  d->program);
      return;
   }
   const int fd = open(path, O_RDONLY | O_CLOEXEC);
   if (fd < 0 || fstat(fd, &st)) {
      add_finding(d, LEVEL_NOTE, "program-other",
                  "%s cannot be read: %s.\n"
                  "chmod +r",
                  path, strerror(errno));
      if (fd >= 0)
         close(fd);
      return;
   }
   if (st.st_mode & (S_ISUID | S_ISGID))
      add_finding(d, LEVEL_PROBLEM, "program-setuid",
                  "%s is setuid or setgid: the dynamic linker ignores LD_LIBRARY_PATH there, and "
                  "the driver ignores the variables of sgpu.\n"
                  "run the program that it starts, or a copy without these bits",
                  path);
   struct elf elf = { .size = st.st_size };
   void *map = st.st_size > 0 ? mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
   close(fd);
   if (map == MAP_FAILED)
      return;
   elf.file = map;
   check_elf(d, path, &elf);
   munmap(map, st.st_size);
}
