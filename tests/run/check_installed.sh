#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the driver into a folder and runs programs on it, by the system's loaders and by
# libglvnd.  Installed files contain absolute paths with the prefix, so the folder is mounted at
# the prefix in a mount namespace.  If there are no namespaces, as in most containers, the paths
# are changed instead.  The part with the system's loaders is skipped if they can't load the driver
# (Mesa 23.1 and newer).
# usage: check_installed.sh BUILD PREFIX LIBDIR RENDERER
set -eu
build=$1 prefix=$2 libdir=$3 renderer=$4

top=$(dirname "$(realpath "$0")")/../..
. "$top/src/tools/front/common.sh"
unset SGPU_LOADER
folder=$(mktemp -d)
start_xvfb
trap 'stop_xvfb; rm -rf "$folder"' EXIT

# Mesa's install rules would install into the system's folders.
DESTDIR=$folder meson install -C "$build" --no-rebuild --quiet \
   --skip-subprojects
unset LD_LIBRARY_PATH
sgpu=$prefix/$libdir/sgpu

# The mount covers the nearest existing folder on the path to the prefix.
covered=$prefix
while [ ! -d "$covered" ]; do
   covered=$(dirname "$covered")
done
namespace='unshare --mount'
[ "$(id -u)" -eq 0 ] || namespace="$namespace --map-root-user"
case $covered in
/ | /usr) namespace=false ;;
esac

if $namespace true 2>/dev/null; then
   run_installed() {
      $namespace sh -eu -c '
         mount --bind "$1" "$2"
         shift 2
         exec "$@"' run "$folder$covered" "$covered" env "$@"
   }
else
   echo "no mount namespaces here: from $folder"
   sgpu=$folder$sgpu
   sed -i "s,$prefix,$folder$prefix," "$sgpu/glvnd/50_sgpu.json"
   run_installed() {
      env "$@"
   }
fi

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

# What other programs look up.
share=$folder$prefix/share
for file in man/man1/sgpu-cap.1 man/man7/sgpu.7 zsh/site-functions/_sgpu \
            bash-completion/completions/sgpu-cap bash-completion/completions/sgpu; do
   [ -e "$share/$file" ] || { echo "not installed: $share/$file"; exit 1; }
done
look_up() {
   PKG_CONFIG_PATH=$folder$prefix/$libdir/pkgconfig pkg-config "$@" sgpu
}
[ "$(look_up --modversion)" = "$(sgpu_version)" ]
# The paths are relative to the file's place.
# In a build folder from before this was so, they begin with the prefix.
for path in "$(look_up --variable=egl_vendor_file)" "$(look_up --variable=dridriverdir)/sgpu_dri.so"; do
   [ -f "$path" ] || [ -f "$folder$path" ] || { echo "sgpu.pc: no $path"; exit 1; }
done
[ "$("$folder$prefix/bin/sgpu-cap" --version)" = "sgpu-cap $(sgpu_version)" ]

common="LIBGL_ALWAYS_SOFTWARE=1 EGL_PLATFORM=surfaceless"
system="$common LIBGL_DRIVERS_PATH=$sgpu/dri"
glvnd="$common LD_LIBRARY_PATH=$sgpu/glvnd __GLX_VENDOR_LIBRARY_NAME=sgpu
   __EGL_VENDOR_LIBRARY_FILENAMES=$sgpu/glvnd/50_sgpu.json"

set -- "$glvnd"
if [ "$(loader)" = system ]; then
   set -- "$system" "$@"
else
   echo "skipped: the system's loaders (they load no driver of another build)"
fi
# shellcheck disable=SC2086
for way; do
   run_installed $way "$build/tests/run/egl_draw" "$renderer" surfaceless |
      expect "EGL"
   run_installed $way glxinfo -B | grep 'OpenGL renderer' | expect "GLX"
done
