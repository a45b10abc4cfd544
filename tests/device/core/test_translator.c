/* SPDX-License-Identifier: MIT */
/*
 * Translation of programs while the device works. Pictures must be those of the interpreter
 * whenever machine code is published, where it is refused, in both processes after a fork, and when
 * the device ends during a translation.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device_test.h"
#include "scene.h"
#include "sgpu_counters.h"

#define TRIANGLES 20
#define PROGRAMS 24

static struct sgpu_device *
device(enum sgpu_exec exec, unsigned threads)
{
   return scene_device_of(&(struct sgpu_device_params){
      .threads = threads,
      .dispatch = SGPU_DISPATCH_OOO_SPLIT,
      .host = SGPU_HOST_BEST,
      .exec = exec,
   });
}

static uint64_t
counter(struct sgpu_device *dev, enum sgpu_counter which)
{
   uint64_t values[SGPU_COUNTER_COUNT];
   sgpu_device_read_counters(dev, values);
   return values[which];
}

/* Returns true if the translator does not support the host level of the workers. */
static bool
no_translator(void)
{
   struct sgpu_device *dev = device(SGPU_EXEC_JIT, 1);
   const bool none = sgpu_device_get_param(dev, SGPU_PARAM_HOST_LEVEL) < SGPU_HOST_V3;
   sgpu_device_destroy(dev);
   return none;
}

/* Draws `draws` times with programs `first`, `first` + 1, ... and returns the hash of the picture.
 * Blending makes each draw visible.
 */
static uint64_t
picture(struct sgpu_device *dev, unsigned first, unsigned draws, uint32_t primitives)
{
   static struct scene s;
   scene_begin(&s, dev);
   scene_blend_over(&s);
   scene_triangles(&s, TRIANGLES, 60.0f);
   for (unsigned n = first; n < first + draws; n++) {
      char text[256];
      snprintf(text, sizeof(text),
               "!!SGFP1.0\nMUL R0, v[1], v[1].wzyx;\nMAD R0, R0, v[1].%c, v[1].%c;\n"
               "MAD R0, R0, v[1], v[1].%c;\nMOV o[COLR0], R0;\nEND\n",
               "xyzw"[n % 4], "xyzw"[n / 4 % 4], "xyzw"[n / 16 % 4]);
      s.st.ps = scene_program(&s, text);
      scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, 0, 3 * primitives);
   }
   return scene_end(&s, NULL);
}

static uint64_t
interpreted(unsigned first, unsigned draws, uint32_t primitives)
{
   struct sgpu_device *dev = device(SGPU_EXEC_INTERP, 1);
   const uint64_t hash = picture(dev, first, draws, primitives);
   assert_int_equal(counter(dev, SGPU_COUNTER_NATIVE_WARPS), 0);
   sgpu_device_destroy(dev);
   return hash;
}

static void
test_jit(void **state)
{
   const uint64_t expected = interpreted(0, 4, TRIANGLES);
   struct sgpu_device *dev = device(SGPU_EXEC_JIT, 2);

   assert_int_equal(picture(dev, 0, 4, TRIANGLES), expected);
   if (sgpu_device_get_param(dev, SGPU_PARAM_HOST_LEVEL) >= SGPU_HOST_V3) {
      assert_true(counter(dev, SGPU_COUNTER_PROGRAMS_TRANSLATED) >= 4);
      assert_true(counter(dev, SGPU_COUNTER_NATIVE_INSTRUCTIONS) > 0);
   }
   sgpu_device_destroy(dev);
}

/* Draws with a noise texture and a program of these instructions. Returns the hash of the picture.
 */
static uint64_t
textured(enum sgpu_exec exec, const char *instructions)
{
   static struct scene s;
   struct sgpu_device *dev = device(exec, 2);
   struct sgpu_layout_params params = scene_params(SGPU_FORMAT_R8G8B8A8_UNORM, 64, 32);
   char text[512];

   params.levels = 3;
   scene_begin(&s, dev);
   scene_triangles(&s, TRIANGLES, 60.0f);
   const struct scene_image image = scene_image(&s, &params);
   scene_noise(&s, &image);
   s.st.texture[0] = scene_texture(&image);
   s.st.sampler[0] = (struct SGPU_SAMPLER){
      .min_filter = SGPU_FILTER_LINEAR,
      .mag_filter = SGPU_FILTER_LINEAR,
      .mip_filter = SGPU_MIP_FILTER_LINEAR,
      .max_lod = 1000.0f,
   };
   s.st.num_textures = 1;
   snprintf(text, sizeof(text), "!!SGFP1.0\nMUL R0, v[1], v[1].wzyx;\n%sMOV o[COLR0], R1;\nEND\n",
            instructions);
   s.st.ps = scene_program(&s, text);
   scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, 0, 3 * TRIANGLES);
   const uint64_t hash = scene_end(&s, NULL);
   sgpu_device_destroy(dev);
   return hash;
}

/* Texture operations on plain registers, on negated ones, which take the general path, and on a
 * texture with an index register.
 */
static void
test_textures(void **state)
{
#define TEX(op, args) op " R1, " args ", tex[0], smp[0], 2D;\n"
   static const char *const same[][3] = {
      { TEX("TEX", "R0"), "MOV R2, -R0;\n" TEX("TEX", "-R2"),
        "XOR R2, R0, R0;\nARI A0, R2;\nTEX R1, R0, tex[A0.x + 0], smp[A0.x + 0], 2D;\n" },
      { TEX("TXD", "R0, v[1]"), "MOV R2, -v[1];\n" TEX("TXD", "R0, -R2"), NULL },
      { TEX("TXB", "R0.yxzw, v[1].x"), "MOV R2, -v[1];\n" TEX("TXB", "R0.yxzw, -R2.x"), NULL },
      /* Lanes that a guard excludes, and lanes that have ended. */
      { "MOV R1, R0;\nFSETP.GT P0.x, R0.x, R0.y;\n(P0.x) TEX R1, R0, tex[0], smp[0], 2D;\n",
        "MOV R1, R0;\nMOV R2, -R0;\nFSETP.GT P0.x, R0.x, R0.y;\n"
        "(P0.x) TEX R1, -R2, tex[0], smp[0], 2D;\n",
        NULL },
      { "FSETP.GT P0.x, R0.x, R0.y;\n(P0.x) KIL;\n" TEX("TEX", "R0"),
        "MOV R2, -R0;\nFSETP.GT P0.x, R0.x, R0.y;\n(P0.x) KIL;\n" TEX("TEX", "-R2"), NULL },
   };
#undef TEX
   uint64_t hash[sizeof(same) / sizeof(same[0])];
   for (unsigned i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
      hash[i] = textured(SGPU_EXEC_INTERP, same[i][0]);
      for (unsigned k = 0; k < i; k++)
         assert_true(hash[i] != hash[k]);
      for (unsigned k = 0; k < 3 && same[i][k]; k++) {
         assert_int_equal(textured(SGPU_EXEC_INTERP, same[i][k]), hash[i]);
         assert_int_equal(textured(SGPU_EXEC_JIT, same[i][k]), hash[i]);
      }
   }
}

/* Machine code is published while workers run the programs. */
static void
test_auto(void **state)
{
   const uint64_t expected = interpreted(0, 4, TRIANGLES);
   struct sgpu_device *dev = device(SGPU_EXEC_AUTO, 3);
   const bool native = sgpu_device_get_param(dev, SGPU_PARAM_HOST_LEVEL) >= SGPU_HOST_V3;
   const time_t end = time(NULL) + 60;

   do
      assert_int_equal(picture(dev, 0, 4, TRIANGLES), expected);
   while (native && !counter(dev, SGPU_COUNTER_NATIVE_INSTRUCTIONS) && time(NULL) < end);
   assert_int_equal(counter(dev, SGPU_COUNTER_NATIVE_INSTRUCTIONS) > 0, native);
   sgpu_device_destroy(dev);
}

/* Programs that run rarely are not translated. */
static void
test_cold(void **state)
{
   const uint64_t expected = interpreted(0, 4, 1);
   struct sgpu_device *dev = device(SGPU_EXEC_AUTO, 2);
   assert_int_equal(picture(dev, 0, 4, 1), expected);
   assert_int_equal(counter(dev, SGPU_COUNTER_PROGRAMS_TRANSLATED), 0);
   assert_int_equal(counter(dev, SGPU_COUNTER_TRANSLATE_NS), 0);
   sgpu_device_destroy(dev);
}

/* Bits of `ways`: changes of the state in which a program is drawn. */
enum known_way {
   KNOWN_BLENDS = 1,
   KNOWN_SMOOTH = 2,
   KNOWN_FLAT = 4,
   KNOWN_ALPHA_TEST = 8,
   KNOWN_TWO_TARGETS = 16,
   KNOWN_SMALL = 32,
   KNOWN_WAYS = 64,
};

/* Draws with a program, and between these draws with one that writes other colours and predicates.
 */
static uint64_t
known_picture(enum sgpu_exec exec, const char *instruction, unsigned ways, uint64_t *instructions)
{
   static struct scene s;
   struct sgpu_device *dev = device(exec, 2);
   char text[256];

   scene_begin(&s, dev);
   if (ways & KNOWN_BLENDS)
      scene_blend_over(&s);
   if (ways & KNOWN_FLAT)
      scene_varyings(&s, 2, SGPU_INTERPOLATION_FLAT);
   if (ways & KNOWN_TWO_TARGETS) {
      s.st.color[1] = scene_target(&s, SGPU_FORMAT_R8G8B8A8_UNORM, SCENE_W, SCENE_H);
      s.st.num_colors = 2;
      s.st.target[1] = s.st.target[0];
   }
   s.st.rast.poly_smooth = !!(ways & KNOWN_SMOOTH);
   s.st.dsa.alpha_test = !!(ways & KNOWN_ALPHA_TEST);
   s.st.dsa.alpha_func = SGPU_COMPARE_LESS;
   s.st.dsa.alpha_ref = 0.5f;
   for (unsigned c = 0; c < 4; c++)
      s.constants[0][c] = 0.2f * (c + 1);
   snprintf(text, sizeof(text), "!!SGFP1.0\n%s\nEND\n", instruction);
   const struct SGPU_SHADER ps = scene_program(&s, text);
   const struct SGPU_SHADER other =
      scene_program(&s, "!!SGFP1.0\nFSETP.GE P0.x, v[1].x, c[0].x; (P0.x) KIL;\n"
                        "MUL o[COLR0], v[1], v[0].yzwx;\nEND\n");
   for (unsigned i = 0; i < 5; i++) {
      const bool small = ways & KNOWN_SMALL;
      const uint32_t triangles = small ? 120 : TRIANGLES;
      const uint32_t first = scene_triangles(&s, triangles, small ? 9.0f : 60.0f);
      s.st.ps = i == 2 ? other : ps;
      s.st.ps.color_outputs = s.st.num_colors;
      scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, first, 3 * triangles);
   }
   const uint64_t hash = scene_end(&s, NULL);
   *instructions = counter(dev, SGPU_COUNTER_INSTRUCTIONS);
   sgpu_device_destroy(dev);
   return hash;
}

/* Programs whose outputs can be computed before they run: they copy an input, or constants. The
 * other programs resemble them, but do not qualify.
 */
static void
test_known(void **state)
{
   static const char *const programs[] = {
      "MOV o[COLR0], v[1];",
      "MOV o[COLR0], v[0];",
      "MOV o[COLR0], c[0];",
      "MUL o[COLR0], c[0], c[0].wzyx;",
      "MOV o[COLR0].xyz, c[0].yzwx;",
      "MOV o[COLR0], v[1].wzyx;",
      "MOV o[COLR0], -v[1];",
      "MOV_SAT o[COLR0], v[1];",
      "MOV o[COLR0].xz, v[1];",
      "MOV o[COLR1], v[1];",
      "MOV o[COLR0], s[POSITION];",
      "MUL o[COLR0], s[POSITION], c[0];",
      "MOV o[COLR0], c[0];\n(P0.x) MOV o[COLR0], c[0].wzyx;",
   };
   for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
      for (unsigned ways = i % TEST_ROUNDS_DIVISOR; ways < KNOWN_WAYS;
           ways += TEST_ROUNDS_DIVISOR) {
         uint64_t issued[2];
         const uint64_t expected = known_picture(SGPU_EXEC_INTERP, programs[i], ways, &issued[0]);
         assert_int_equal(known_picture(SGPU_EXEC_JIT, programs[i], ways, &issued[1]), expected);
         assert_int_equal(issued[1], issued[0]);
      }
   }
}

/* The device ends when the thread has translated the first of many programs. */
static void
test_destroy(void **state)
{
   const uint64_t expected = interpreted(0, PROGRAMS, TRIANGLES);
   for (unsigned i = 0; i < 4; i++) {
      struct sgpu_device *dev = device(SGPU_EXEC_AUTO, 2);
      const bool native = sgpu_device_get_param(dev, SGPU_PARAM_HOST_LEVEL) >= SGPU_HOST_V3;
      const time_t end = time(NULL) + 60;
      do
         assert_int_equal(picture(dev, 0, PROGRAMS, TRIANGLES), expected);
      while (native && !counter(dev, SGPU_COUNTER_PROGRAMS_TRANSLATED) && time(NULL) < end);
      assert_int_equal(counter(dev, SGPU_COUNTER_PROGRAMS_TRANSLATED) > 0, native);
      sgpu_device_destroy(dev);
   }
}

/* Makes mmap and mprotect refuse executable memory, as SELinux's execmem does. Returns false if
 * this is not possible.
 */
static bool
forbid_executable_memory(void)
{
#ifdef __x86_64__
   struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
   };
   const struct sock_fprog filter = { sizeof(code) / sizeof(*code), code };
   return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
          !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
#else
   return false;
#endif
}

static int
child_status(pid_t pid)
{
   int status;
   assert_int_equal(waitpid(pid, &status, 0), pid);
   assert_true(WIFEXITED(status));
   return WEXITSTATUS(status);
}

#define CANNOT_FORBID 77

static void
test_refused(void **state)
{
   if (no_translator())
      skip();
   const uint64_t expected = interpreted(0, 4, TRIANGLES);
   for (unsigned i = 0; i < 2; i++) {
      const pid_t pid = fork();
      assert_true(pid >= 0);
      if (pid == 0) {
         if (!forbid_executable_memory())
            _exit(CANNOT_FORBID);
         struct sgpu_device *dev = device(i ? SGPU_EXEC_AUTO : SGPU_EXEC_JIT, 2);
         bool ok = picture(dev, 0, 4, TRIANGLES) == expected &&
                   picture(dev, 0, 4, TRIANGLES) == expected;
         ok &= counter(dev, SGPU_COUNTER_PROGRAMS_TRANSLATED) == 0;
         sgpu_device_destroy(dev);
         _exit(!ok);
      }
      const int status = child_status(pid);
      if (status == CANNOT_FORBID)
         skip();
      assert_int_equal(status, 0);
   }
}

/* Parent and child have separate code blocks after a fork, and code of one process never appears in
 * the other. No device has threads at the fork, since ThreadSanitizer then forbids new threads in
 * the child.
 */
static void
test_fork(void **state)
{
   const uint64_t first = interpreted(0, 4, TRIANGLES), others = interpreted(4, 16, TRIANGLES),
                  more = interpreted(20, 16, TRIANGLES);
   struct sgpu_device *dev = device(SGPU_EXEC_JIT, 2);
   assert_int_equal(picture(dev, 0, 4, TRIANGLES), first);
   sgpu_device_destroy(dev);

   int pipe_of_parent[2];
   assert_int_equal(pipe(pipe_of_parent), 0);
   const pid_t pid = fork();
   assert_true(pid >= 0);
   if (pid == 0) {
      struct sgpu_device *own = device(SGPU_EXEC_JIT, 1);
      bool ok = picture(own, 20, 16, TRIANGLES) == more;
      char byte;
      close(pipe_of_parent[1]);
      ok &= read(pipe_of_parent[0], &byte, 1) == 1; /* the parent has added programs */
      ok &= picture(own, 20, 16, TRIANGLES) == more;
      sgpu_device_destroy(own);
      _exit(!ok);
   }
   dev = device(SGPU_EXEC_JIT, 2);
   assert_int_equal(picture(dev, 4, 16, TRIANGLES), others);
   assert_int_equal(write(pipe_of_parent[1], "", 1), 1);
   assert_int_equal(child_status(pid), 0);
   assert_int_equal(picture(dev, 0, 4, TRIANGLES), first);
   assert_int_equal(picture(dev, 4, 16, TRIANGLES), others);
   close(pipe_of_parent[0]);
   close(pipe_of_parent[1]);
   sgpu_device_destroy(dev);
}

/* The child inherits the programs that wait for the translator and the one in translation, but not
 * the translator's thread.
 */
static void
test_fork_hot(void **state)
{
#ifdef __SANITIZE_THREAD__
   skip(); /* ThreadSanitizer forbids new threads in the child of a process with threads */
#endif
   const uint64_t expected = interpreted(0, PROGRAMS, TRIANGLES);
   struct sgpu_device *dev = device(SGPU_EXEC_AUTO, 2);
   const bool translates = !no_translator();

   for (unsigned i = 0; i < 6; i++) {
      assert_int_equal(picture(dev, 0, PROGRAMS, TRIANGLES), expected);
      const pid_t pid = fork();
      assert_true(pid >= 0);
      if (pid == 0) {
         alarm(60);
         bool ok = true;
         /* Draw until all programs have become hot and are translated. */
         do
            ok = picture(dev, 0, PROGRAMS, TRIANGLES) == expected;
         while (ok && translates && counter(dev, SGPU_COUNTER_PROGRAMS_TRANSLATED) < PROGRAMS);
         sgpu_device_destroy(dev);
         _exit(!ok);
      }
      assert_int_equal(child_status(pid), 0);
   }
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_jit),      cmocka_unit_test(test_auto),
      cmocka_unit_test(test_cold),     cmocka_unit_test(test_destroy),
      cmocka_unit_test(test_refused),  cmocka_unit_test(test_fork),
      cmocka_unit_test(test_textures), cmocka_unit_test(test_known),
      cmocka_unit_test(test_fork_hot),
   };
   return cmocka_run_group_tests_name("translator", tests, NULL, NULL);
}
