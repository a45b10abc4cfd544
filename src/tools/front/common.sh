# Functions that the commands of the front script share.  Sourced with $top (the
# project's folder), $front (the folder of these scripts) and $build (the build
# folder).

dri_dir=$build/dri
glvnd_dir=$build/glvnd
# Debian's modules are for Debian's Python, which may not be the first in PATH.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

say() {
   printf 'sgpu: %s\n' "$*" >&2
}

die() {
   say "$*"
   exit 1
}

# Other commands call these; each is quick when there is nothing to do, and does
# nothing if SGPU_NO_BUILD is set.

need_setup() {
   [ -n "${SGPU_NO_BUILD:-}" ] || "$top/sgpu" setup --quiet "$@"
}

need_build() {
   [ -n "${SGPU_NO_BUILD:-}" ] || "$top/sgpu" build --quiet "$@"
}

# For a program: the driver, and where the system's loaders do not look for it, loaders.
need_driver() {
   need_build driver
   [ "$(loader)" = system ] || need_build glvnd
}

# As need_build, but a build that is under way is not waited for.
need_build_unless_busy() {
   [ -n "${SGPU_NO_BUILD:-}" ] || "$top/sgpu" build --quiet --unless-busy
}

# with_progress LABEL PROGRESS LOG COMMAND...: runs a command with its output in a file and
# shows how far it is, as the function PROGRESS prints it: on a terminal in one line,
# elsewhere in a line now and then.  Of a command that takes less than a second it shows
# nothing.  The status is the command's.
with_progress() (
   label=$1 progress=$2 log=$3
   shift 3
   "$@" >"$log" 2>&1 &
   pid=$!
   trap 'kill $pid 2>/dev/null; exit 130' INT TERM HUP
   tenths=0
   while kill -0 $pid 2>/dev/null; do
      sleep 0.1
      tenths=$((tenths + 1))
      if [ -t 2 ]; then
         [ $tenths -lt 10 ] || printf '\rsgpu: %s %s\033[K' "$label" "$($progress)" >&2
      else
         [ $((tenths % 150)) -ne 10 ] || say "$label $($progress)"
      fi
   done
   [ $tenths -lt 10 ] || [ ! -t 2 ] || echo >&2
   trap - INT TERM HUP
   wait $pid
)

# A command's help is the comment at the beginning of its file, without the comment
# marks.
print_help() {
   sed -n '/^#/!q; s/^# \{0,1\}//p' "$front/$1.sh"
}

# Mesa reads LIBGL_DRIVERS_PATH up to 24.1; if the system's loaders are newer, or
# not Mesa's, libglvnd must load this project's own.  SGPU_LOADER=system or glvnd
# overrides the detection.
loader() {
   if [ -n "${SGPU_LOADER:-}" ]; then
      echo "$SGPU_LOADER"
      return
   fi
   glx=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null |
      sed -n 's/.*libGLX_mesa\.so\.0.* => //p' | head -n 1)
   if [ -n "$glx" ] && grep -q LIBGL_DRIVERS_PATH "$glx"; then
      echo system
   else
      echo glvnd
   fi
}

# $LD_LIBRARY_PATH without the vendor libraries' folder, by either name.
other_libraries() {
   printf '%s' "${LD_LIBRARY_PATH:-}" | tr ':' '\n' |
      grep -vxF -e "$glvnd_dir" -e "$build/src/gallium/targets/glvnd" |
      paste -sd : -
}

# The environment in which a program runs on sgpu, a line per variable.
print_env() {
   echo "LIBGL_ALWAYS_SOFTWARE=1"
   echo "GBM_ALWAYS_SOFTWARE=1"
   echo "LIBGL_DRIVERS_PATH=$dri_dir"
   # The environment may name a driver of another build.
   echo "GALLIUM_DRIVER=sgpu"
   # Mesa's list of programs that need something of their own; installed, the
   # driver finds it by itself.
   [ -n "${DRIRC_CONFIGDIR:-}" ] ||
      echo "DRIRC_CONFIGDIR=$(echo "$top"/subprojects/mesa-*/src/util)"
   case $(loader) in
   system)
      echo "__GLX_VENDOR_LIBRARY_NAME=mesa"
      # The system's loaders go with the system's libraries, also where the
      # other way was chosen before, or where Meson runs a test.
      [ -z "${LD_LIBRARY_PATH:-}" ] ||
         echo "LD_LIBRARY_PATH=$(other_libraries)"
      ;;
   glvnd)
      echo "__GLX_VENDOR_LIBRARY_NAME=sgpu"
      echo "__EGL_VENDOR_LIBRARY_FILENAMES=$glvnd_dir/50_sgpu.json"
      others=$(other_libraries)
      echo "LD_LIBRARY_PATH=$glvnd_dir${others:+:$others}"
      ;;
   *)
      die "SGPU_LOADER is neither 'system' nor 'glvnd'"
      ;;
   esac
}

export_env() {
   eval "$(print_env | sed "s/'/'\\\\''/g; s/=/='/; s/\$/'/; s/^/export /")"
}

# Whether the X server loads this driver.  GLX offers the configurations that both
# the program's driver and the server list; the server lists those of the driver
# that it loads.  The system's, where the loaders are newer, has none with
# samples (seen with Mesa 25.0).  A driver with a sanitizer loads only into
# programs that have the sanitizer's runtime.
xvfb_loads_sgpu() {
   [ "$(loader)" = glvnd ] && [ -e "$dri_dir/swrast_dri.so" ] &&
      ! grep -qE '__(asan|tsan)_init' "$dri_dir/swrast_dri.so"
}

# Prints a file of Xauthority with a new cookie for any host and display: xauth(1), family
# FamilyWild, no address, no number.  Without one every user of the machine may see the windows
# of an X server and type into them.
x_cookie() {
   printf '\377\377\000\000\000\000\000\022MIT-MAGIC-COOKIE-1\000\020'
   head -c 16 /dev/urandom
}

# Starts an X server on a free display and sets DISPLAY; ends with this shell.
# $SGPU_XVFB has options of its own for it, as -screen 0 640x480x16.
start_xvfb() {
   command -v Xvfb >/dev/null || need_setup run
   xvfb_dir=$(mktemp -d)
   x_cookie >"$xvfb_dir/auth"
   trap 'stop_xvfb' EXIT
   trap 'exit 129' HUP
   trap 'exit 130' INT
   trap 'exit 143' TERM
   set -- -u LIBGL_DRIVERS_PATH -u GALLIUM_DRIVER
   if xvfb_loads_sgpu; then
      set -- "LIBGL_DRIVERS_PATH=$dri_dir" GALLIUM_DRIVER=sgpu
   fi
   # shellcheck disable=SC2086
   env -u LIBGL_ALWAYS_SOFTWARE -u LD_LIBRARY_PATH -u __GLX_VENDOR_LIBRARY_NAME \
      -u SGPU_CAPTURE -u SGPU_DEBUG "$@" \
      Xvfb -displayfd 3 -screen 0 1280x1024x24 -nolisten tcp -noreset -auth "$xvfb_dir/auth" \
      ${SGPU_XVFB:-} \
      3>"$xvfb_dir/display" >"$xvfb_dir/log" 2>&1 &
   xvfb=$!
   tenths=0
   until [ -s "$xvfb_dir/display" ]; do
      if ! kill -0 "$xvfb" 2>/dev/null || [ $tenths -ge 300 ]; then
         cat "$xvfb_dir/log" >&2
         die "Xvfb does not start"
      fi
      sleep 0.1
      tenths=$((tenths + 1))
   done
   DISPLAY=:$(cat "$xvfb_dir/display")
   export DISPLAY XAUTHORITY="$xvfb_dir/auth"
}

stop_xvfb() {
   kill "$xvfb" 2>/dev/null || :
   wait "$xvfb" 2>/dev/null || :
   rm -rf "$xvfb_dir"
}
