#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the project into a folder, compiles a program with pkg-config, and runs it with nothing
# but the installed library.
# usage: check_installed.sh BUILD PREFIX LIBDIR
set -eu
build=$1 prefix=$2 libdir=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

DESTDIR=$folder/root meson install -C "$build" --no-rebuild --quiet --skip-subprojects
libraries=$folder/root$prefix/$libdir
cat >"$folder/program.c" <<'END'
#include <GL/osmesa.h>
#include <stdio.h>

int
main(void)
{
   static unsigned char pixels[64 * 64 * 4];
   OSMesaContext context = OSMesaCreateContext(OSMESA_RGBA, NULL);

   if (!context || !OSMesaMakeCurrent(context, pixels, GL_UNSIGNED_BYTE, 64, 64))
      return 1;
   glClearColor(1, 0.6f, 0.2f, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glFinish();
   printf("%s %u %u %u\n", (const char *)glGetString(GL_RENDERER), pixels[0], pixels[1], pixels[2]);
   OSMesaDestroyContext(context);
   return 0;
}
END
export PKG_CONFIG_PATH="$libraries/pkgconfig"
# pkg-config's flags are several words.
# shellcheck disable=SC2046
cc -o "$folder/program" "$folder/program.c" \
   $(pkg-config --define-variable=prefix="$folder/root$prefix" --cflags --libs osmesa)

# The library may be moved away from all other files.
mkdir "$folder/alone"
cp -L "$libraries/sgpu/libOSMesa.so.8" "$folder/alone"
rm -rf "$folder/root"
found=$(env -i LD_LIBRARY_PATH="$folder/alone" "$folder/program")
echo "$found"
case $found in
sgpu*' 255 153 51') ;;
*) exit 1 ;;
esac
