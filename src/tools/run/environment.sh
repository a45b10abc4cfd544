# What programs need to run on sgpu: the environment and an X server.  `sgpu` sources this file, and
# the build puts it into sgpu-run.  The script sets:
#
#   $sgpu_dir   folder with the subfolders dri and glvnd, and perhaps others
#   $drirc_dir  folder of Mesa's list of workarounds for programs
#
# Nothing here needs more than a POSIX shell and the programs of a minimal system.

say() {
   printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die() {
   say "$*"
   exit 1
}

# helper NAME: prints the path of a program that belongs to the driver, in an installation or in a
# build folder.
helper() {
   for file in "$sgpu_dir/bin/$1" "$sgpu_dir"/src/tools/*/"$1"; do
      if [ -x "$file" ]; then
         printf '%s\n' "$file"
         return
      fi
   done
   die "there is no $1 in $sgpu_dir/bin: the installation is not complete"
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
   # Fails where there is no list of libraries, as in a system that was not set up.
   libraries=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null) || libraries=''
   glx=$(echo "$libraries" | sed -n 's/.*libGLX_mesa\.so\.0.* => //p' | head -n 1)
   # Without the system's EGL, programs for EGL need the vendor libraries.
   if [ -n "$glx" ] && echo "$libraries" | grep -q 'libEGL_mesa\.so\.0' &&
      grep -q LIBGL_DRIVERS_PATH "$glx" &&
      ! grep -q 'driver not from this Mesa build' "$glx"; then
      echo system
   else
      echo glvnd
   fi
}

# Prints the folder of libOSMesa, in an installation or in a build folder.
osmesa_dir() {
   if [ -d "$sgpu_dir/src/gallium/targets/osmesa" ]; then
      echo "$sgpu_dir/src/gallium/targets/osmesa"
   else
      echo "$sgpu_dir"
   fi
}

# Prints $LD_LIBRARY_PATH without the folders of this project, which earlier calls have added.
other_libraries() {
   printf '%s' "${LD_LIBRARY_PATH:-}" | tr ':' '\n' |
      grep -vxF -e "$sgpu_dir/glvnd" -e "$sgpu_dir/src/gallium/targets/glvnd" -e "$(osmesa_dir)" |
      grep -v "^$(printf '%s' "$sgpu_dir" | sed 's/[].[*^$\\]/\\&/g')/fallback/" |
      paste -sd : -
}

# Prints folders with libraries that this system lacks, each with a colon before it: libglvnd, the
# client libraries of X11 and Wayland.  An installation may contain them, each in a separate folder.
missing_libraries() {
   [ ! -d "$sgpu_dir/fallback" ] || "$(helper sgpu-missing)" "$sgpu_dir/fallback"
}

# Prints the environment variables with which a program runs on sgpu, one per line.
print_env() {
   echo "LIBGL_ALWAYS_SOFTWARE=1"
   echo "GBM_ALWAYS_SOFTWARE=1"
   # Only the system's loaders and X servers read this.
   echo "LIBGL_DRIVERS_PATH=$sgpu_dir/dri"
   # The environment of the caller may select another driver.
   echo "GALLIUM_DRIVER=sgpu"
   [ -n "${DRIRC_CONFIGDIR:-}" ] || echo "DRIRC_CONFIGDIR=$drirc_dir"
   # LD_LIBRARY_PATH may contain the vendor libraries, from an earlier `sgpu env` or from Meson in
   # tests.  They must not be used with the system's loaders.
   others=$(other_libraries)
   others=$(osmesa_dir)${others:+:$others}
   case $(loader) in
   system)
      echo "__GLX_VENDOR_LIBRARY_NAME=mesa"
      echo "LD_LIBRARY_PATH=$others"
      ;;
   glvnd)
      echo "__GLX_VENDOR_LIBRARY_NAME=sgpu"
      echo "__EGL_VENDOR_LIBRARY_FILENAMES=$sgpu_dir/glvnd/50_sgpu.json"
      echo "LD_LIBRARY_PATH=$sgpu_dir/glvnd:$others$(missing_libraries)"
      ;;
   *)
      die "SGPU_LOADER is neither 'system' nor 'glvnd'"
      ;;
   esac
}

# Prints the environment as commands of a shell.
print_exports() {
   print_env | sed "s/'/'\\\\''/g; s/=/='/; s/\$/'/; s/^/export /"
}

export_env() {
   eval "$(print_exports)"
}

# Returns whether the X server must load this driver.  GLX offers only configurations that the
# drivers of both the program and the server have.  The driver of newer system Mesas (seen with
# 25.0) has none with multisampling.  A driver that is built with a sanitizer can only be loaded by
# programs that contain the sanitizer's runtime.
xvfb_loads_sgpu() {
   [ "$(loader)" = glvnd ] && [ -e "$sgpu_dir/dri/swrast_dri.so" ] &&
      ! grep -qE '__(asan|tsan)_init' "$sgpu_dir/dri/swrast_dri.so"
}

# Starts an X server on a free display, sets DISPLAY and XAUTHORITY, and $xvfb to the process that
# ends the server.  It does so when this process ends, also if that has become another program by
# exec.  $SGPU_XVFB contains more options for the server, for example -screen 0 640x480x16.
start_xvfb() {
   set -- -u LIBGL_DRIVERS_PATH -u GALLIUM_DRIVER
   if xvfb_loads_sgpu; then
      set -- "LIBGL_DRIVERS_PATH=$sgpu_dir/dri" GALLIUM_DRIVER=sgpu
   fi
   # shellcheck disable=SC2086
   server=$(env -u LIBGL_ALWAYS_SOFTWARE -u LD_LIBRARY_PATH -u __GLX_VENDOR_LIBRARY_NAME \
      -u SGPU_CAPTURE -u SGPU_DEBUG "$@" \
      "$(helper sgpu-xserver)" $$ Xvfb -screen 0 1280x1024x24 ${SGPU_XVFB:-}) ||
      die "Xvfb does not start"
   eval "$server"
   export DISPLAY XAUTHORITY
}

# Ends the X server, and returns when it has ended.
stop_xvfb() {
   kill "$xvfb" 2>/dev/null || :
   while kill -0 "$xvfb" 2>/dev/null; do
      sleep 0.05
   done
}
