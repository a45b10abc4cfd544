#!/bin/sh
# Installs into a folder and runs from there, by the system's loaders and by
# libglvnd.  Absolute paths in the installed files want the prefix itself: it
# is put in its place in a mount namespace.
# usage: check_installed.sh BUILD PREFIX LIBDIR RENDERER
set -eu
build=$1 prefix=$2 libdir=$3 renderer=$4

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Mesa's own rules would install into the system's places.
DESTDIR=$folder meson install -C "$build" --no-rebuild --quiet \
   --skip-subprojects
unset LD_LIBRARY_PATH
sgpu=$prefix/$libdir/sgpu

run_installed() {
   unshare --mount --map-root-user sh -eu -c '
      prefix=$1 folder=$2
      shift 2
      outermost=/${prefix#/}
      while [ "$(dirname "$outermost")" != / ]; do
         outermost=$(dirname "$outermost")
      done
      mkdir -p "$folder$outermost"
      mount --bind "$folder$outermost" "$outermost"
      exec "$@"' run "$prefix" "$folder" env EGL_PLATFORM=surfaceless "$@"
}
unshare --mount --map-root-user true 2>/dev/null || {
   echo "no mount namespaces here"
   exit 77
}

expect() {
   found=$(cat)
   case $found in
   *"$renderer"*) ;;
   *)
      echo "$1: expected the renderer $renderer, found: $found"
      exit 1
      ;;
   esac
}

common="LIBGL_ALWAYS_SOFTWARE=1 SGPU_TESTED_PREFIX=$prefix"
system="$common LIBGL_DRIVERS_PATH=$sgpu/dri"
glvnd="$common LD_LIBRARY_PATH=$sgpu/glvnd __GLX_VENDOR_LIBRARY_NAME=sgpu
   __EGL_VENDOR_LIBRARY_FILENAMES=$sgpu/glvnd/50_sgpu.json"

# shellcheck disable=SC2086
for way in "$system" "$glvnd"; do
   run_installed $way "$build/tests/run/egl_draw" "$renderer" surfaceless |
      expect "EGL"
   run_installed $way glxinfo -B | grep 'OpenGL renderer' | expect "GLX"
done
