# Makes dist/sgpu-VERSION-linux-ARCH.tar.xz (sgpu dist tarball).

# shellcheck source=src/tools/dist/sysroot.sh
. "$top/src/tools/dist/sysroot.sh"

# Libraries that the tarball contains for systems that lack them, and their packages.
fallback_libraries='libGL.so.1 libGLX.so.0 libGLdispatch.so.0 libEGL.so.1 libOpenGL.so.0
   libGLESv1_CM.so.1 libGLESv2.so.2 libX11.so.6 libX11-xcb.so.1 libxcb.so.1 libXau.so.6
   libXdmcp.so.6 libXext.so.6 libbsd.so.0 libmd.so.0 libexpat.so.1 libwayland-client.so.0 libffi.so.7'
# Packages with licences: of these, and of the libraries that are linked into those of the project.
licence_packages='libglvnd0 libx11-6 libxcb1 libxau6 libxdmcp6 libxext6 libbsd0 libmd0 libexpat1
   libwayland-client0 libffi7 libpng16-16 libxrandr2 libxrender1 libxfixes3 libxxf86vm1
   libxshmfence1 zlib1g libzstd1 libstdc++6'
# Programs for work on the source tree.
left_out='sgpu-asm sgpu-disasm sgpu-device sgpu-sim'

drm_features='intel radeon amdgpu nouveau vmwgfx omap exynos freedreno tegra vc4 etnaviv
   cairo-tests man-pages valgrind'

# build_arch ARCH: builds in build-dist/ARCH.
build_arch() {
   built=$top/build-dist/$1
   options="--native-file $base/native.ini --cross-file $base/cross.ini -Dlibdir=lib
      -Dlibdrm:default_library=static -Dlibdrm:tests=false"
   for feature in $drm_features; do
      options="$options -Dlibdrm:$feature=disabled"
   done
   # Another compiler or folder of libraries needs another configuration.
   if [ -f "$built/base" ] && ! cmp -s "$built/base" "$base/title"; then
      rm -rf "$built"
   fi
   SGPU_BUILD=$built SGPU_MESON_OPTIONS=$options "$top/sgpu" build products
   cp "$base/title" "$built/base"
}

# stage ARCH FOLDER: makes the folder of the package from the build folder.
stage() {
   DESTDIR=$tmp/destination meson install -C "$built" --no-rebuild --quiet --skip-subprojects
   mv "$tmp/destination/opt/sgpu" "$2"
   rm -rf "$tmp/destination"
}

# finish ARCH FOLDER: strips, adds the libraries for systems that lack them, and the licences.
finish() {
   prefix=''
   [ "$1" = "$(uname -m)" ] || prefix=$1-linux-gnu-
   for program in $left_out; do
      rm -f "$2/bin/$program"
   done
   # Names for compilers: nothing is linked with these.
   find "$2/lib/sgpu/glvnd" -type l -name 'lib*.so' -exec rm {} +
   find "$2" -type f -exec sh -c '
      for file; do
         case $(od -An -tx1 -N4 "$file" | tr -d " ") in
         7f454c46) "$0" --strip-unneeded "$file" ;;
         esac
      done' "${prefix}strip" {} +
   for library in $fallback_libraries; do
      mkdir -p "$2/lib/sgpu/fallback/$library"
      find "$base/root/usr/lib/$1-linux-gnu" "$base/root/lib/$1-linux-gnu" -maxdepth 1 \
         -name "$library" -exec cp -L {} "$2/lib/sgpu/fallback/$library/" \; -quit
      [ -f "$2/lib/sgpu/fallback/$library/$library" ] ||
         die "$base has no $library"
   done
   licences=$2/share/doc/sgpu/licences
   mkdir -p "$licences"
   for package in $licence_packages; do
      cp -L "$base/root/usr/share/doc/$package/copyright" "$licences/$package"
   done
   cp "$top/subprojects/mesa-25.0.7/docs/license.rst" "$licences/mesa"
   cp "$top/subprojects/musl-1.2.3/COPYRIGHT" "$licences/musl"
   cp "$top/src/tools/dist/README" "$2/share/doc/sgpu/README"
   chmod -R u=rwX,go=rX "$2"
}

[ $# -gt 0 ] || set -- "$(uname -m)"
for arch; do
   make_base "$arch"
   build_arch "$arch"
   name=sgpu-$version-linux-$arch
   stage "$arch" "$tmp/$name"
   finish "$arch" "$tmp/$name"
   "$python" "$top/src/tools/dist/check_files.py" --glibc "$base_glibc" \
      --without "$top" "$tmp/$name" || die "the files of $name do not run everywhere"
   pack "$dist/$name.tar.xz" "$tmp" "$name"
done
