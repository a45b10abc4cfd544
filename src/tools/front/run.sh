# usage: sgpu run [OPTION...] [--] PROGRAM [ARGUMENT...]
#
# Runs an unmodified OpenGL or OpenGL ES program on sgpu.  If there is no display,
# starts an X server for it.  The exit status is that of the program.  An installed
# driver has the same command as bin/sgpu-run.
#
#   --screenshot F.png   write a picture of the program's window, and end the
#                        program, after N frames (--frames), or after 60 frames
#                        or 10 seconds from the first one, whichever is sooner
#   --frames N           end the program after N frames
#   --demo F.png         draw a picture of gears, without a program and a display
#   --require            end with an error if the program, or a process that it
#                        starts, uses OpenGL of something else, or if nothing is
#                        drawn; the default where the variable CI is set
#   --no-require         don't; the default where SGPU_REQUIRE is 0
#
# With --screenshot or --frames, the program always gets a separate X server.

[ $# -gt 0 ] || { print_help run >&2; exit 2; }
case $1 in
-h | --help) print_help run; exit ;;
esac
need_setup build run
need_driver
exec "$build/src/tools/run/sgpu-run" "$@"
