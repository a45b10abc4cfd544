#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: sgpu-run [OPTION...] [--] PROGRAM [ARGUMENT...]
#
# Runs an unmodified OpenGL or OpenGL ES program on sgpu, a software GPU.  If there is
# no display, and Xvfb is installed, starts an X server for the program.  The exit
# status is that of the program.
#
#   --screenshot F.png   write a picture of the program's window, and end the program,
#                        after N frames (--frames), or after 60 frames or 10 seconds
#                        from the first one, whichever is sooner
#   --frames N           end the program after N frames
#   --demo F.png         draw a picture of gears, without a program and a display
#   --require            end with an error if the program, or a process that it starts,
#                        uses OpenGL of something else, or if nothing is drawn; the
#                        default where the variable CI is set
#   --no-require         don't; the default where SGPU_REQUIRE is 0
#   --env                print the environment as commands of a shell, and run nothing
#   --version            print the version
#   --help               print this text
#
# With --screenshot or --frames, the program always gets a separate X server.
set -eu

here=$(dirname -- "$(readlink -f -- "$0")")
sgpu_dir=$(readlink -f -- "$here/@sgpu_from_bin@")
drirc_dir=$(readlink -f -- "$here/@drirc_from_bin@")

@environment@

print_help() {
   sed -n '4,/^set /s/^# \{0,1\}//p' "$0"
}

picture='' frames='' demo='' require=${SGPU_REQUIRE:-${CI:-}}
# CI=false is common, too.
case $require in
false | 0 | no) require='' ;;
esac
while [ $# -gt 0 ]; do
   case $1 in
   --screenshot | --frames | --demo)
      [ $# -ge 2 ] || die "$1 needs an argument"
      case $1 in
      --screenshot) picture=$2 ;;
      --demo) demo=$2 ;;
      --frames)
         frames=$2
         case $frames in
         '' | *[!0-9]* | 0) die "--frames needs a positive number" ;;
         esac
         ;;
      esac
      shift
      ;;
   --require) require=1 ;;
   --no-require) require='' ;;
   --env) print_exports; exit ;;
   --version) echo "sgpu-run @version@"; exit ;;
   -h | --help) print_help; exit ;;
   --) shift; break ;;
   -*) die "there is no option '$1'; sgpu-run --help lists them" ;;
   *) break ;;
   esac
   shift
done
if [ -n "$demo" ]; then
   [ $# -eq 0 ] && [ -z "$picture$frames" ] || die "--demo takes no program, and no other picture"
   set -- "$(helper sgpu-demo)" "$demo"
   export EGL_PLATFORM=surfaceless
fi
[ $# -gt 0 ] || { print_help >&2; exit 2; }

if [ -n "$picture$frames" ]; then
   if [ -n "$frames" ]; then
      limit="-f $frames"
   else
      limit="-f 60 -s 10"
   fi
   # shellcheck disable=SC2086
   set -- "$(helper sgpu-shot)" $limit ${picture:+-o "$picture"} "$@"
   # A Wayland session would take the windows away from the X server.
   unset WAYLAND_DISPLAY DISPLAY EGL_PLATFORM
fi
[ -z "$require" ] || set -- "$(helper sgpu-require)" -- "$@"

export_env
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}${EGL_PLATFORM:-}" ]; then
   if command -v Xvfb >/dev/null; then
      start_xvfb
   elif [ -n "$picture$frames" ]; then
      die "--screenshot and --frames need the X server Xvfb: install the package xvfb"
   else
      say "no display, and no Xvfb: windows do not work; EGL draws without (EGL_PLATFORM=surfaceless)"
      export EGL_PLATFORM=surfaceless
   fi
fi
exec "$@"
