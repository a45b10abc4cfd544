/* SPDX-License-Identifier: MIT */
/* A program for check_require.py: draws through EGL without a surface, or does something else.
 *
 * usage: require_program WORD...
 *   screen   makes a context
 *   draw     clears and reads a pixel
 *   close    closes all file descriptors but the first three
 *   sandbox  allows only system calls that need no file, by seccomp
 *   fork     continues in a child process and waits for it
 *   daemon   continues in a grandchild, and ends at once
 *   wait     waits half a second
 *   crash    accesses address 0
 *   open=F   loads a library
 */
#define EGL_EGLEXT_PROTOTYPES
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

#define CHECK(condition)                            \
   do {                                             \
      if (!(condition)) {                           \
         fprintf(stderr, "%s fails\n", #condition); \
         exit(9);                                   \
      }                                             \
   } while (0)

static void
make_screen(void)
{
   static const EGLint attributes[] = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
                                        EGL_OPENGL_ES2_BIT, EGL_NONE };
   static const EGLint version[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
   EGLConfig config;
   EGLint count;

   EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
   CHECK(eglInitialize(display, NULL, NULL));
   CHECK(eglBindAPI(EGL_OPENGL_ES_API));
   CHECK(eglChooseConfig(display, attributes, &config, 1, &count) && count);
   EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
   CHECK(context);
   CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
}

static void
draw(void)
{
   unsigned char pixel[4] = { 0 };
   GLuint framebuffer, buffer;

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glGenRenderbuffers(1, &buffer);
   glBindRenderbuffer(GL_RENDERBUFFER, buffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 16, 16);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
   glClearColor(1, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   CHECK(pixel[0] == 255 && pixel[1] == 0 && pixel[2] == 255);
}

/* Files cannot be opened and sockets cannot be made any more, as in a browser's process. */
static void
enter_sandbox(void)
{
   struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef SYS_open
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 4, 0),
#else
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 4, 0),
#endif
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
   };
   struct sock_fprog program = { sizeof code / sizeof code[0], code };

   CHECK(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
   CHECK(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}

static void
continue_in_child(int wait_for_it)
{
   const pid_t child = fork();

   CHECK(child >= 0);
   if (child) {
      int status = 0;
      if (wait_for_it)
         CHECK(waitpid(child, &status, 0) == child);
      _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 8);
   }
}

int
main(int argc, char **argv)
{
   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], "screen")) {
         make_screen();
      } else if (!strcmp(argv[i], "draw")) {
         draw();
      } else if (!strcmp(argv[i], "close")) {
         for (int fd = 3; fd < 1024; fd++)
            close(fd);
      } else if (!strcmp(argv[i], "sandbox")) {
         enter_sandbox();
      } else if (!strcmp(argv[i], "fork")) {
         continue_in_child(1);
      } else if (!strcmp(argv[i], "daemon")) {
         continue_in_child(0);
         setsid();
         continue_in_child(0);
      } else if (!strcmp(argv[i], "wait")) {
         usleep(500000);
      } else if (!strcmp(argv[i], "crash")) {
         *(volatile int *)NULL = 0;
      } else if (!strncmp(argv[i], "open=", 5)) {
         CHECK(dlopen(argv[i] + 5, RTLD_NOW));
      } else {
         return 7;
      }
   }
   return 0;
}
