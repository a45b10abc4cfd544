# Makes the folder of a C library and libraries that packages for all distributions are built with:
# those of Debian 11, which has glibc 2.31.  The compiler is this system's.
#
# The script that sources this file sets $top, $front and $tmp.  make_base ARCH sets $base to the
# folder, which contains:
#
#   root/       Debian's packages
#   gcc/        parts of the compiler's libraries that depend on the C library
#   native/     what the build runs on this machine
#   cross.ini   cross file for Meson

# shellcheck source=src/tools/front/sysroot.sh
. "$front/sysroot.sh"

base_glibc=2.31
base_release=bullseye
base_mirrors='http://deb.debian.org/debian http://archive.debian.org/debian'
base_gcc=10
# The project builds GBM, libdrm and Mesa's libraries.  The scripts of libc6-dev are not needed.
base_without='libegl-mesa0 libgbm-dev libglx-mesa0 libxml2 libdrm-dev'
# Libraries that are linked into those of this project.  Systems may lack them, or have other
# versions of them.  Libraries whose objects programs pass to OpenGL are not among them: libX11,
# libxcb, libwayland-client.  Debian's libexpat.a and libXext.a cannot be part of a shared library.
base_static='libpng libpng16 libxcb-damage libxcb-dri3 libxcb-glx libxcb-present libxcb-randr
   libxcb-shm libxcb-sync libxcb-xfixes libXfixes libXrandr libXrender libXxf86vm libxshmfence libz
   libzstd'

# base_mirror: prints a mirror that has the release: the first of this system's archives of Debian
# that does, or one of $base_mirrors.
base_mirror() {
   # shellcheck disable=SC2016
   for mirror in $(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
      'Origin: Debian' 'Label: Debian' 'Component: main' | sort -u) $base_mirrors; do
      mirror=${mirror%/}
      if /usr/lib/apt/apt-helper -o "APT::Sandbox::User=$(id -un)" download-file \
         "$mirror/dists/$base_release/Release" "$tmp/Release" >/dev/null 2>&1; then
         echo "$mirror"
         return
      fi
   done
   die "no archive has Debian's release $base_release: check the network"
}

# base_download ARCHITECTURE WITHOUT PACKAGE...: downloads packages of the release.
base_download() {
   foreign_sources=$tmp/sources.list
   echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(base_mirror)" \
      "$base_release main" >"$foreign_sources"
   download_packages "$@" >"$tmp/base.log" 2>&1 || {
      tail -n 20 "$tmp/base.log" >&2
      die "apt-get could not fetch packages of $base_release: check the network"
   }
}

# Unpacks Wayland's scanner.  What newer scanners write calls functions that libwayland-client does
# not have on all systems.
make_scanner() {
   this=$(dpkg --print-architecture)
   rm -rf "${tmp:?}/$this"
   base_download "$this" '' libwayland-bin
   unpack_packages "$this" "$1/system"
   ld=$(find "$1/system/usr/lib64" "$1/system/usr/lib" -maxdepth 1 -name 'ld-linux*' | head -n 1)
   # The programs of the folder run with its C library.
   cat >"$1/wayland-scanner" <<END
#!/bin/sh
exec '$ld' --library-path '$(echo "$1"/system/usr/lib/*-linux-gnu)' \
   '$1/system/usr/bin/wayland-scanner' "\$@"
END
   chmod +x "$1/wayland-scanner"
   printf 'wayland_scanner=%s\nName: scanner\nDescription: scanner\nVersion: %s\n' \
      "$1/wayland-scanner" "$("$1/wayland-scanner" --version 2>&1 | sed 's/.* //')" \
      >"$1/wayland-scanner.pc"
}

# list_of WORD...: prints the words as a list for Meson.
list_of() {
   printf '['
   separator=''
   for word; do
      printf "%s'%s'" "$separator" "$word"
      separator=', '
   done
   printf ']\n'
}

# base_file FOLDER ARCH TRIPLET PREFIX: prints the cross file.  PREFIX is that of the cross tools.
base_file() {
   root=$1/system libs=$1/system/usr/lib/$3
   set -- "$@" --sysroot="$root" -B"$1/gcc" -B"$libs/" -nostdinc
   c="-isystem $("$4gcc" -print-file-name=include) -isystem $root/usr/include/$3
      -isystem $root/usr/include"
   cxx="-isystem $root/usr/include/c++/$base_gcc -isystem $root/usr/include/$3/c++/$base_gcc
      -isystem $root/usr/include/c++/$base_gcc/backward"
   # shellcheck disable=SC2086
   hidden=-Wl,--exclude-libs,$(printf '%s.a:' $base_static)libgcc_eh.a
   arch=$2 prefix=$4
   shift 4
   wrapper=''
   [ "$arch" = "$(uname -m)" ] || wrapper=$(list_of "qemu-$arch" -R 0x200000000 -L "$root")
   echo '[binaries]'
   [ -z "$wrapper" ] || echo "exe_wrapper = $wrapper"
   # shellcheck disable=SC2086
   echo "c = $(list_of ccache "${prefix}gcc" "$@" $c)"
   # shellcheck disable=SC2086
   echo "cpp = $(list_of ccache "${prefix}g++" "$@" $cxx $c)"
   cat <<END
ar = '${prefix}gcc-ar'
strip = '${prefix}strip'
objcopy = '${prefix}objcopy'
nm = '${prefix}nm'
pkgconfig = 'pkg-config'
# The same as in debian.ini, which cross builds do not read.
python3 = '/usr/bin/python3'
python = '/usr/bin/python3'

[built-in options]
# Paths of this machine do not get into the files, nor symbols of these libraries out of them.
c_args = ['-ffile-prefix-map=$top=.']
cpp_args = ['-ffile-prefix-map=$top=.']
c_link_args = ['$hidden']
cpp_link_args = ['$hidden']

[properties]
sys_root = '$root'
pkg_config_libdir = ['$libs/pkgconfig', '$root/usr/share/pkgconfig']
END
   if [ -n "$wrapper" ]; then
      echo "sgpu_wrapper = $wrapper"
   else
      echo 'needs_exe_wrapper = false'
   fi
   cat <<END
[host_machine]
system = 'linux'
cpu_family = '$arch'
cpu = '$arch'
endian = 'little'
END
}

# make_base ARCH: makes the folder for x86_64 or aarch64, if it is not there.
make_base() {
   case $1 in
   x86_64) debian=amd64 ;;
   aarch64) debian=arm64 ;;
   *) die "no packages for '$1': x86_64 or aarch64" ;;
   esac
   triplet=$1-linux-gnu prefix=''
   [ "$1" = "$(uname -m)" ] || prefix=$triplet-
   base=$top/build-dist/base-$1
   title="$base $(sed -n "s/^build //p" "$front/packages" |
      cat - "$front/sysroot.sh" "$top/src/tools/dist/sysroot.sh" |
      sha256sum) $("${prefix}gcc" --version | head -n 1)"
   [ ! -f "$base/title" ] || [ "$title" != "$(cat "$base/title")" ] || return 0

   say "fetching libraries of Debian's $base_release for $1 into $base"
   rm -rf "$base"
   mkdir -p "$base/gcc" "$base/native" "$base/licences"
   # shellcheck disable=SC2046
   base_download "$debian" "$base_without" "libstdc++-$base_gcc-dev" libc6-dev \
      $(sed -n 's/^build \(.*-dev\)$/\1/p' "$front/packages" | grep -vxF "$(printf '%s\n' \
         $base_without)")
   unpack_packages "$debian" "$base/system" || die "the packages for $1 could not be unpacked"
   for library in $base_static; do
      rm -f "$base/system/usr/lib/$triplet/$library.so"
      [ -f "$base/system/usr/lib/$triplet/$library.a" ] || die "$base_release has no $library.a"
   done
   for library in libgcc_eh.a libstdc++.a libsupc++.a; do
      cp "$base/system/usr/lib/gcc/$triplet/$base_gcc/$library" "$base/gcc"
   done
   make_scanner "$base/native"
   base_file "$base" "$1" "$triplet" "$prefix" >"$base/cross.ini"
   {
      sed 's/^\[binaries\]/&/' "$front/debian.ini"
      printf "[built-in options]\npkg_config_path = ['%s']\n" "$base/native"
   } >"$base/native.ini"
   echo "$title" >"$base/title"
}
