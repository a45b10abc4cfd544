/*
 * SPDX-License-Identifier: MIT
 *
 * sgpu-shot: runs a program on the X server $DISPLAY, counts the frames that
 * the program shows, writes a picture of its window and terminates it.  No
 * other program may use the X server.
 *
 *    sgpu-shot [-f FRAMES] [-s SECONDS] [-w SECONDS] [-o FILE.png] [-l] [-x]
 *              PROGRAM [ARGUMENT...]
 *
 * -f, -s: terminates the program at frame FRAMES, or SECONDS after the first
 *         frame, unless it exits earlier
 * -o:     writes a picture of the last frame to FILE.png
 * -w:     starts a measurement SECONDS after the first frame, and prints the
 *         number of frames and their total time in seconds; -s then counts from
 *         the start of the measurement
 * -l:     prints the number of frames, and the longest time between two
 *         consecutive frames in seconds.  If the X server fills the window when
 *         the window appears, this counts as the first frame.
 * -x:     terminates the program by closing its connection to the X server, and
 *         uses signals only if the program is still running afterwards.  A
 *         program that exits by itself runs its exit handlers, in which apitrace
 *         writes the rest of a trace.
 *
 * Exit status: 0 if the program ran up to the end, otherwise the exit status of
 * the program, or 128 plus the number of the signal that killed it.
 */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <png.h>
#include <xcb/damage.h>
#include <xcb/xcb.h>

struct shot {
   xcb_connection_t *conn;
   xcb_window_t root;
   uint8_t damage_event;

   /* Window of the program and its size, as of window_time. */
   xcb_window_t window;
   unsigned width, height;
   double window_time;
   /* True if the pixels of each frame must be copied to `pixels`. */
   bool want_pixels;
   /* Pixels of the last frame, with three bytes (RGB) each. */
   uint8_t *pixels;
   unsigned pixels_width, pixels_height;

   /* Number of frames since the start of the program. */
   unsigned frames;
   /* Time of the last frame in seconds, according to the X server's clock. */
   double frame_time;
   /* Longest time between two consecutive frames in seconds. */
   double longest;
};

/* Interval in seconds at which the program's window is looked up again. */
#define WINDOW_SECONDS 0.1
/* Minimum number of frames in a measurement. */
#define MIN_FRAMES 3

static volatile sig_atomic_t stop_signal;

static void
note_signal(int sig)
{
   stop_signal = sig;
}

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   fputs("sgpu-shot: ", stderr);
   vfprintf(stderr, format, args);
   fputc('\n', stderr);
   va_end(args);
   exit(1);
}

static double
now(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC, &ts);
   return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static void
connect_display(struct shot *shot)
{
   int screen_number;
   shot->conn = xcb_connect(NULL, &screen_number);
   if (xcb_connection_has_error(shot->conn))
      fail("no X server at DISPLAY=%s", getenv("DISPLAY") ? getenv("DISPLAY") : "");

   xcb_screen_iterator_t it = xcb_setup_roots_iterator(xcb_get_setup(shot->conn));
   while (screen_number-- > 0)
      xcb_screen_next(&it);
   shot->root = it.data->root;

   const xcb_query_extension_reply_t *ext = xcb_get_extension_data(shot->conn, &xcb_damage_id);
   if (!ext || !ext->present)
      fail("the X server has no DAMAGE extension");
   shot->damage_event = ext->first_event + XCB_DAMAGE_NOTIFY;
   free(
      xcb_damage_query_version_reply(shot->conn, xcb_damage_query_version(shot->conn, 1, 1), NULL));

   /* Report damage of the root window, which includes all windows.  This way, a frame that is drawn
    * with PutImage causes a single event.
    */
   xcb_damage_create(shot->conn, xcb_generate_id(shot->conn), shot->root,
                     XCB_DAMAGE_REPORT_LEVEL_RAW_RECTANGLES);
   xcb_flush(shot->conn);
}

/* Finds the largest viewable top-level window.  If several have this size, chooses the topmost one.
 */
static void
find_window(struct shot *shot)
{
   if (shot->window && now() - shot->window_time < WINDOW_SECONDS)
      return;
   shot->window = XCB_NONE;
   shot->width = shot->height = 0;
   shot->window_time = now();
   xcb_query_tree_reply_t *tree = xcb_query_tree_reply(shot->conn,
                                                       xcb_query_tree(shot->conn, shot->root),
                                                       NULL);
   if (!tree)
      return;

   const xcb_window_t *windows = xcb_query_tree_children(tree);
   for (int i = 0; i < xcb_query_tree_children_length(tree); i++) {
      xcb_get_window_attributes_cookie_t attr_cookie = xcb_get_window_attributes(shot->conn,
                                                                                 windows[i]);
      xcb_get_geometry_cookie_t geom_cookie = xcb_get_geometry(shot->conn, windows[i]);
      xcb_get_window_attributes_reply_t *attr = xcb_get_window_attributes_reply(shot->conn,
                                                                                attr_cookie, NULL);
      xcb_get_geometry_reply_t *geom = xcb_get_geometry_reply(shot->conn, geom_cookie, NULL);

      if (attr && geom && attr->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT &&
          attr->map_state == XCB_MAP_STATE_VIEWABLE &&
          geom->width * geom->height >= shot->width * shot->height) {
         shot->window = windows[i];
         shot->width = geom->width;
         shot->height = geom->height;
      }
      free(attr);
      free(geom);
   }
   free(tree);
}

/* Copies the pixels of the window.  Keeps the previous pixels if the window has been destroyed. */
static void
grab(struct shot *shot)
{
   xcb_get_image_reply_t *image = xcb_get_image_reply(shot->conn,
                                                      xcb_get_image(shot->conn,
                                                                    XCB_IMAGE_FORMAT_Z_PIXMAP,
                                                                    shot->window, 0, 0, shot->width,
                                                                    shot->height, ~0u),
                                                      NULL);
   if (!image)
      return;

   size_t count = (size_t)shot->width * shot->height;
   /* Rows are padded to a multiple of 32 bits. */
   const bool narrow = image->depth == 16;
   const size_t pitch = narrow ? (shot->width * 2u + 3) & ~3u : shot->width * 4u;
   if ((size_t)xcb_get_image_data_length(image) != pitch * shot->height ||
       (!narrow && image->depth != 24 && image->depth != 32) ||
       xcb_get_setup(shot->conn)->image_byte_order != XCB_IMAGE_ORDER_LSB_FIRST)
      fail("the X server's pixels are neither 8-8-8 in 32 bits nor 5-6-5, little endian");

   const uint8_t *src = xcb_get_image_data(image);
   uint8_t *dst = realloc(shot->pixels, count * 3);
   if (!dst)
      fail("out of memory");
   shot->pixels = dst;
   shot->pixels_width = shot->width;
   shot->pixels_height = shot->height;
   for (unsigned y = 0; y < shot->height; y++) {
      const uint8_t *pixel = src + y * pitch;
      for (unsigned x = 0; x < shot->width; x++, dst += 3) {
         if (narrow) {
            const unsigned value = pixel[0] | pixel[1] << 8;
            dst[0] = ((value >> 11) * 255 + 15) / 31;
            dst[1] = ((value >> 5 & 63) * 255 + 31) / 63;
            dst[2] = ((value & 31) * 255 + 15) / 31;
            pixel += 2;
         } else {
            dst[0] = pixel[2];
            dst[1] = pixel[1];
            dst[2] = pixel[0];
            pixel += 4;
         }
      }
   }
   free(image);
}

/* Handles events up to the next frame.  Returns false if there is no new frame yet. */
static bool
next_frame(struct shot *shot)
{
   const double last_time = shot->frame_time;
   bool found = false;
   xcb_generic_event_t *event;
   while (!found && (event = xcb_poll_for_event(shot->conn))) {
      if ((event->response_type & 0x7f) == shot->damage_event) {
         const xcb_damage_notify_event_t *damage = (const void *)event;
         find_window(shot);
         /* Ignore damage that is smaller than a quarter of the window, e.g. from a cursor. */
         found = shot->window &&
                 4u * damage->area.width * damage->area.height >= shot->width * shot->height;
         if (found)
            shot->frame_time = damage->timestamp * 1e-3;
      }
      free(event);
   }
   if (found) {
      if (shot->frames && shot->frame_time - last_time > shot->longest)
         shot->longest = shot->frame_time - last_time;
      shot->frames++;
      if (shot->want_pixels)
         grab(shot);
   }
   return found;
}

static void
write_png(const struct shot *shot, const char *path)
{
   png_image image = {
      .version = PNG_IMAGE_VERSION,
      .width = shot->pixels_width,
      .height = shot->pixels_height,
      .format = PNG_FORMAT_RGB,
   };
   if (!png_image_write_to_file(&image, path, 0, shot->pixels, 0, NULL))
      fail("cannot write %s: %s", path, image.message);
}

/* Starts the program.  If `measure` is set, redirects its standard output to standard error, so
 * that standard output only contains the results.
 */
static pid_t
start(char **argv, bool measure)
{
   pid_t child = fork();
   if (child < 0)
      fail("cannot fork: %s", strerror(errno));
   if (child == 0) {
      /* Put the program into a new process group, so that end() also signals its children. */
      setpgid(0, 0);
      /* Make the kernel kill the program if sgpu-shot is killed, since it can't call end() then. */
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (measure)
         dup2(STDERR_FILENO, STDOUT_FILENO);
      execvp(argv[0], argv);
      fprintf(stderr, "sgpu-shot: cannot run %s: %s\n", argv[0], strerror(errno));
      _exit(errno == ENOENT ? 127 : 126);
   }
   setpgid(child, child);
   return child;
}

/* Disconnects all clients that own windows inside `window`, except for the owner of `window`
 * itself.  Returns true if there are such clients.  The owner of `window` is then a window manager.
 */
static bool
disconnect_guests(struct shot *shot, xcb_window_t window)
{
   const uint32_t owner_bits = ~xcb_get_setup(shot->conn)->resource_id_mask;
   xcb_query_tree_reply_t *tree = xcb_query_tree_reply(shot->conn,
                                                       xcb_query_tree(shot->conn, window), NULL);
   if (!tree)
      return false;

   const xcb_window_t *windows = xcb_query_tree_children(tree);
   bool found = false;
   for (int i = 0; i < xcb_query_tree_children_length(tree); i++) {
      if ((windows[i] ^ window) & owner_bits) {
         xcb_kill_client(shot->conn, windows[i]);
         found = true;
      } else {
         found |= disconnect_guests(shot, windows[i]);
      }
   }
   free(tree);
   return found;
}

/* Waits for at most 3 seconds.  Returns true if the program has ended. */
static bool
wait_end(pid_t child)
{
   for (int hundredths = 0; hundredths < 300; hundredths++) {
      if (waitpid(child, NULL, WNOHANG) == child)
         return true;
      usleep(10 * 1000);
   }
   return false;
}

static void
end(pid_t child)
{
   kill(-child, SIGTERM);
   const bool ended = wait_end(child);
   kill(-child, SIGKILL);
   if (!ended)
      waitpid(child, NULL, 0);
}

/* Disconnects the program from the X server.  Calls end() if the program does not exit within 3
 * seconds.
 */
static void
end_disconnected(struct shot *shot, pid_t child)
{
   if (shot->window) {
      if (!disconnect_guests(shot, shot->window))
         xcb_kill_client(shot->conn, shot->window);
      xcb_flush(shot->conn);
      if (wait_end(child)) {
         kill(-child, SIGKILL);
         return;
      }
   }
   end(child);
}

/* Limits of a run that the command line sets, and the measured times. */
struct limits {
   /* Values of options -f and -s. */
   unsigned frames;
   double seconds;
   /* measure: true if option -w is given; warm_up: delay before the measurement starts, in seconds
    */
   bool measure;
   double warm_up;

   /* first_time: time of the first frame; start_frame, start_time: number of frames and time at the
    * start of the measurement
    */
   double first_time;
   unsigned start_frame;
   double start_time;
};

/* Called for each frame.  Returns true if this is the last frame. */
static bool
is_last(struct limits *limits, const struct shot *shot)
{
   if (shot->frames == 1)
      limits->first_time = shot->frame_time;
   if (limits->measure) {
      if (!limits->start_frame) {
         if (shot->frame_time - limits->first_time >= limits->warm_up) {
            limits->start_frame = shot->frames;
            limits->start_time = shot->frame_time;
         }
         return false;
      }
      return shot->frame_time - limits->start_time >= limits->seconds &&
             shot->frames - limits->start_frame >= MIN_FRAMES;
   }
   return shot->frames >= limits->frames ||
          shot->frame_time - limits->first_time >= limits->seconds;
}

/* Waits for the last frame or for the end of the program.  Returns true if the program has ended.
 */
static bool
watch(struct shot *shot, struct limits *limits, pid_t child, int *status)
{
   /* Local time at which to give up if the program no longer draws frames. */
   double deadline = 0;
   for (;;) {
      if (stop_signal)
         return false;
      struct pollfd fd = { xcb_get_file_descriptor(shot->conn), POLLIN, 0 };
      poll(&fd, 1, 100);
      /* Check for the end of the program before reading events, so that these include its last
       * frame.
       */
      bool ended = waitpid(child, status, WNOHANG) == child;
      while (next_frame(shot)) {
         if (is_last(limits, shot))
            return ended;
      }
      if (xcb_connection_has_error(shot->conn)) {
         if (!ended)
            end(child);
         fail("lost the X server");
      }
      if (shot->frames && !deadline)
         deadline = now() + limits->seconds;
      if (ended || (deadline && now() > deadline && !limits->measure))
         return ended;
   }
}

int
main(int argc, char **argv)
{
   struct limits limits = { .frames = ~0u, .seconds = 1e9 };
   const char *path = NULL;
   bool disconnect = false, longest = false;

   for (int opt; (opt = getopt(argc, argv, "+f:s:w:o:lx")) != -1;) {
      switch (opt) {
      case 'f':
         limits.frames = strtoul(optarg, NULL, 10);
         break;
      case 's':
         limits.seconds = strtod(optarg, NULL);
         break;
      case 'w':
         limits.measure = true;
         limits.warm_up = strtod(optarg, NULL);
         break;
      case 'o':
         path = optarg;
         break;
      case 'l':
         longest = true;
         break;
      case 'x':
         disconnect = true;
         break;
      default:
         optind = argc;
      }
   }
   if (optind >= argc) {
      fprintf(stderr, "usage: sgpu-shot [-f FRAMES] [-s SECONDS] [-w SECONDS] "
                      "[-o FILE.png] [-l] [-x] PROGRAM [ARGUMENT...]\n");
      return 2;
   }

   struct shot shot = { .want_pixels = path != NULL };
   connect_display(&shot);

   struct sigaction action = { .sa_handler = note_signal };
   sigaction(SIGINT, &action, NULL);
   sigaction(SIGTERM, &action, NULL);
   sigaction(SIGHUP, &action, NULL);

   const char *program = argv[optind];
   pid_t child = start(argv + optind, limits.measure || longest);
   int status = 0;
   bool ended = watch(&shot, &limits, child, &status);
   if (ended)
      kill(-child, SIGKILL);
   else if (disconnect && !stop_signal)
      end_disconnected(&shot, child);
   else
      end(child);
   if (stop_signal)
      return 128 + stop_signal;
   if (WIFSIGNALED(status)) {
      fprintf(stderr, "sgpu-shot: %s died of signal %d (%s)\n", program, WTERMSIG(status),
              strsignal(WTERMSIG(status)));
      return 128 + WTERMSIG(status);
   }
   if (WEXITSTATUS(status)) {
      fprintf(stderr, "sgpu-shot: %s failed with status %d\n", program, WEXITSTATUS(status));
      return WEXITSTATUS(status);
   }

   if (limits.measure) {
      if (ended)
         fail("%s ended before it could be measured", program);
      printf("%u %.3f\n", shot.frames - limits.start_frame, shot.frame_time - limits.start_time);
      return 0;
   }
   if (longest)
      printf("%u %.3f\n", shot.frames, shot.longest);
   if (path) {
      if (!shot.pixels)
         fail("%s ended without showing anything", program);
      write_png(&shot, path);
   }
   fprintf(stderr, "sgpu-shot: %u frame%s", shot.frames, shot.frames == 1 ? "" : "s");
   if (path)
      fprintf(stderr, ", the last one in %s (%ux%u)", path, shot.pixels_width, shot.pixels_height);
   fputc('\n', stderr);
   return 0;
}
