# Functions that the commands of the front script share.  The script that sources this file sets
# $top (the project's folder), $front (the folder of these scripts) and $build (the build folder).

dri_dir=$build/dri
glvnd_dir=$build/glvnd
# Debian's Python modules need Debian's Python, which may not be the first one in PATH.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

say() {
   printf 'sgpu: %s\n' "$*" >&2
}

die() {
   say "$*"
   exit 1
}

# Prints sgpu's version, which meson.build contains.
sgpu_version() {
   sed -n "s/^ *version : '\(.*\)',\$/\1/p" "$top/meson.build" | head -n 1
}

# Prints the version of the Debian package whose Mesa is built with sgpu.
mesa_version() {
   sed -n 's/^debian_filename *= *mesa_\(.*\)\.debian\..*/\1/p' "$top/subprojects/mesa.wrap"
}

# run_limited SECONDS COMMAND...: runs the command, and ends it after that time.
run_limited() {
   exec "$python" "$front/limited.py" "$@"
}

# Commands call these functions to install and build what they need.  They are quick if there is
# nothing to do, and do nothing if SGPU_NO_BUILD is set.

need_setup() {
   [ -n "${SGPU_NO_BUILD:-}" ] || "$top/sgpu" setup --quiet "$@"
}

need_build() {
   [ -n "${SGPU_NO_BUILD:-}" ] || "$top/sgpu" build --quiet "$@"
}

# Builds the driver, and libglvnd's vendor libraries if the system's loaders cannot load the driver.
need_driver() {
   need_build driver
   [ "$(loader)" = system ] || need_build glvnd
}

# Like need_build, but does not wait for a build that is running.
need_build_unless_busy() {
   [ -n "${SGPU_NO_BUILD:-}" ] || "$top/sgpu" build --quiet --unless-busy
}

# with_progress LABEL PROGRESS LOG COMMAND...: runs a command with its output in the file LOG, and
# shows its progress, which the function PROGRESS prints.  A terminal has one line that is updated;
# other outputs get a line every 15 seconds.  Shows nothing for a command that takes less than a
# second.  Returns the status of the command.
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

# print_help COMMAND: prints the help of a command, which is the comment at the start of its file.
print_help() {
   sed -n '/^#/!q; s/^# \{0,1\}//p' "$front/$1.sh"
}

# Prints which libraries load the driver: those of the system's Mesa ("system"), or vendor libraries
# of this project, which libglvnd loads ("glvnd").  The system's loaders work if they read
# LIBGL_DRIVERS_PATH, as Mesa up to 24.1 does, and don't refuse drivers of other builds, as Mesa from
# 23.1 on does.  SGPU_LOADER overrides the detection.
loader() {
   if [ -n "${SGPU_LOADER:-}" ]; then
      echo "$SGPU_LOADER"
      return
   fi
   glx=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null |
      sed -n 's/.*libGLX_mesa\.so\.0.* => //p' | head -n 1)
   if [ -n "$glx" ] && grep -q LIBGL_DRIVERS_PATH "$glx" &&
      ! grep -q 'driver not from this Mesa build' "$glx"; then
      echo system
   else
      echo glvnd
   fi
}

# Prints $LD_LIBRARY_PATH without both names of the folder of the vendor libraries.
other_libraries() {
   printf '%s' "${LD_LIBRARY_PATH:-}" | tr ':' '\n' |
      grep -vxF -e "$glvnd_dir" -e "$build/src/gallium/targets/glvnd" |
      paste -sd : -
}

# Prints the environment variables with which a program runs on sgpu, one per line.
print_env() {
   echo "LIBGL_ALWAYS_SOFTWARE=1"
   echo "GBM_ALWAYS_SOFTWARE=1"
   # Only the system's loaders and X servers read this.
   echo "LIBGL_DRIVERS_PATH=$dri_dir"
   # The environment of the caller may select another driver.
   echo "GALLIUM_DRIVER=sgpu"
   # Mesa's list of workarounds for programs.  An installed driver finds it without this variable.
   [ -n "${DRIRC_CONFIGDIR:-}" ] ||
      echo "DRIRC_CONFIGDIR=$(echo "$top"/subprojects/mesa-*/src/util)"
   case $(loader) in
   system)
      echo "__GLX_VENDOR_LIBRARY_NAME=mesa"
      # LD_LIBRARY_PATH may contain the vendor libraries, from an earlier `sgpu env` or from Meson
      # in tests.  They must not be used with the system's loaders.
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

# Returns whether the X server must load this driver.  GLX offers only configurations that the
# drivers of both the program and the server have.  The driver of newer system Mesas (seen with
# 25.0) has none with multisampling.  A driver that is built with a sanitizer can only be loaded by
# programs that contain the sanitizer's runtime.
xvfb_loads_sgpu() {
   [ "$(loader)" = glvnd ] && [ -e "$dri_dir/swrast_dri.so" ] &&
      ! grep -qE '__(asan|tsan)_init' "$dri_dir/swrast_dri.so"
}

# Prints an Xauthority file with a new cookie for any host and display: see xauth(1), family
# FamilyWild, no address, no number.  Without a cookie, any user of the machine may see the windows
# of an X server and type into them.
x_cookie() {
   printf '\377\377\000\000\000\000\000\022MIT-MAGIC-COOKIE-1\000\020'
   head -c 16 /dev/urandom
}

# Starts an X server on a free display, and sets DISPLAY.  The server ends when this shell ends.
# $SGPU_XVFB contains more options for it, for example -screen 0 640x480x16.
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
