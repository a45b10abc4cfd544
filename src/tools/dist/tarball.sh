# Makes dist/sgpu-VERSION-linux-ARCH.tar.xz and .tar.gz (sgpu dist tarball).

# shellcheck source=src/tools/dist/sysroot.sh
. "$top/src/tools/dist/sysroot.sh"

# Libraries that the tarball contains for systems that lack them, and their packages.
fallback_libraries='libGL.so.1 libGLX.so.0 libGLdispatch.so.0 libEGL.so.1 libOpenGL.so.0
   libGLESv1_CM.so.1 libGLESv2.so.2 libX11.so.6 libX11-xcb.so.1 libxcb.so.1 libXau.so.6
   libXdmcp.so.6 libXext.so.6 libbsd.so.0 libmd.so.0 libexpat.so.1 libwayland-client.so.0
   libffi.so.7'
# Packages with licences: of these, and of the libraries that are linked into those of the project.
licence_packages='libx11-6 libxcb1 libxau6 libxdmcp6 libxext6 libbsd0 libmd0 libexpat1
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
   build_glvnd "$1"
}

# build_glvnd ARCH: builds libglvnd, and installs it into $glvnd.
build_glvnd() {
   glvnd=$top/build-dist/glvnd-$1
   if ! cmp -s "$glvnd/base" "$base/title"; then
      say "building libglvnd for $1"
      rm -rf "$glvnd"
      mkdir -p "$glvnd"
      {
         meson setup --native-file "$base/native.ini" --cross-file "$base/cross.ini" \
            --buildtype release --prefix /usr -Dlibdir=lib -Dheaders=false "$glvnd/build" \
            "$top/subprojects/libglvnd-1.7.0" && ninja -C "$glvnd/build" &&
            DESTDIR=$glvnd meson install -C "$glvnd/build" --no-rebuild --quiet
      } >"$glvnd/log" 2>&1 || {
         tail -n 20 "$glvnd/log" >&2
         die "libglvnd cannot be built, see $glvnd/log"
      }
      cp "$base/title" "$glvnd/base"
   fi
}

# stage ARCH FOLDER: makes the folder of the package from the build folder.
stage() {
   DESTDIR=$tmp/destination meson install -C "$built" --no-rebuild --quiet --skip-subprojects
   mv "$tmp/destination/opt/sgpu" "$2"
   rm -rf "$tmp/destination"
}

# remove_links FOLDER: makes files of symbolic links, which packages for Python and Node cannot have.
# A library has only the name by which it is searched for.
remove_links() {
   find "$1" -type l | while read -r link; do
      file=$(readlink -f "$link")
      case ${link##*/} in
      *_dri.so)
         cp --remove-destination "$file" "$link"
         ;;
      *)
         rm "$link"
         ! readelf -d "$file" 2>/dev/null | grep -q "SONAME.*\[${link##*/}\]" ||
            mv "$file" "$link"
         ;;
      esac
   done
   # For compilers (osmesa.pc): a text that names the library.
   echo 'INPUT(libOSMesa.so.8)' >"$1/libOSMesa.so"
}

# copy_links FOLDER: makes a file of each symbolic link.
copy_links() {
   find "$1" -type l | while read -r link; do
      file=$(readlink -f "$link")
      cp --remove-destination "$file" "$link"
   done
}

# finish ARCH FOLDER: strips, adds the libraries for systems that lack them, and the licences.
finish() {
   prefix=''
   [ "$1" = "$(uname -m)" ] || prefix=$1-linux-gnu-
   for program in $left_out; do
      rm -f "$2/bin/$program" "$2/share/man/man1/$program.1" \
         "$2/share/bash-completion/completions/$program"
   done
   remove_links "$2/lib/sgpu"
   copy_links "$2/share"
   for library in $fallback_libraries; do
      mkdir -p "$2/lib/sgpu/fallback/$library"
      for file in "$glvnd/usr/lib/$library" "$base/system/usr/lib/$1-linux-gnu/$library"; do
         [ ! -f "$file" ] || break
      done
      cp -L "$file" "$2/lib/sgpu/fallback/$library/"
   done
   find "$2" -type f -exec sh -c '
      for file; do
         case $(od -An -tx1 -N4 "$file" | tr -d " ") in
         7f454c46) "$0" --strip-unneeded "$file" ;;
         esac
      done' "${prefix}strip" {} +
   licences=$2/share/doc/sgpu/licences
   mkdir -p "$licences"
   for package in $licence_packages; do
      cp -L "$base/system/usr/share/doc/$package/copyright" "$licences/$package"
   done
   cp "$top/subprojects/mesa-25.0.7/docs/license.rst" "$licences/mesa"
   cp "$top/subprojects/musl-1.2.3/COPYRIGHT" "$licences/musl"
   sed -n '/^libglvnd itself/,$p' "$top/subprojects/libglvnd-1.7.0/README.md" >"$licences/libglvnd"
   sed '/^#/,$d' "$top/subprojects/libdrm-2.4.124/xf86drm.c" >"$licences/libdrm"
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
   pack "$dist/$name.tar.gz" "$tmp" "$name"
done
