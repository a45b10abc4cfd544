#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/hosts/dist.sh [OPTION...] [RELEASE...]
#
# Unpacks the tarball of `sgpu dist tarball` in minimal systems from debootstrap, and draws there:
# with no package at all, with what a user of OpenGL has, and with an X server.  As root and as
# another user, from a folder that cannot be written.  RELEASE is one of
#
#   bullseye bookworm trixie sid    Debian 11, 12, 13 and unstable
#   focal jammy                     Ubuntu 20.04 and 22.04
#
# The default is all of them.  Prints a table: release, packages, megabytes that they add, user,
# seconds from the tarball to the first picture, seconds of the next start, and the hash of the
# pictures, which must be the same in all rows.  They are drawn through EGL, through OSMesa and, where
# there is an X server, through GLX.  Exit status: 0 if all are the same.
#
#   --arch ARCH       x86_64 or aarch64, which qemu-user runs, or qemu-user-static
#   --tarball FILE    (default: dist/sgpu-VERSION-linux-ARCH.tar.xz, made if it is not there)
#   --programs DIR    folder with the test programs `egl_draw`, `pictures`, `pictures_glx` and
#                     `pictures_osmesa` (default: built in build-dist/ARCH)
#   --roots DIR       folder of the systems (default: build-hosts), which are kept
#   --sets LIST       of: nothing loaders windows python; the last one installs the wheel of
#                     `sgpu dist wheel` by pip, and draws in 8 processes (not Ubuntu 20.04, whose pip
#                     does not take such wheels)
#
# Needs root, debootstrap and mirrors of Debian and Ubuntu.  The systems are not changed: each row
# has a layer of its own on top.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
arch=$(uname -m) tarball='' programs='' roots=$top/build-hosts sets='nothing loaders windows python'
die() {
   echo "dist.sh: $*" >&2
   exit 2
}
while [ $# -gt 0 ]; do
   case $1 in
   --arch | --tarball | --programs | --roots | --sets)
      [ $# -ge 2 ] || die "$1 needs an argument"
      case $1 in
      --arch) arch=$2 ;;
      --tarball) tarball=$(realpath "$2") ;;
      --programs) programs=$(realpath "$2") ;;
      --roots) mkdir -p "$2"; roots=$(realpath "$2") ;;
      --sets) sets=$2 ;;
      esac
      shift
      ;;
   -h | --help) sed -n '4,31s/^# \{0,1\}//p' "$0"; exit ;;
   -*) die "no option '$1'" ;;
   *) break ;;
   esac
   shift
done
[ $# -gt 0 ] || set -- bullseye bookworm trixie sid focal jammy
[ "$(id -u)" -eq 0 ] || die "needs root"
command -v debootstrap >/dev/null || die "needs the package debootstrap"
case $arch in
x86_64) debian=amd64 ;;
aarch64) debian=arm64 ;;
*) die "no architecture '$arch'" ;;
esac
# Programs of another architecture run in a namespace with its own list of interpreters (Linux 6.7),
# so that the machine's list does not change.  It has one user alone, so packages cannot be installed:
# the systems are those of the first stage of debootstrap.
emulator=''
if [ "$arch" != "$(uname -m)" ]; then
   emulator=$(command -v "qemu-$arch-static" || command -v "qemu-$arch") ||
      die "needs the package qemu-user, or qemu-user-static"
   # The kernel looks for the libraries of an emulator that is not static in the system that it emulates.
   emulator_libraries=$(ldd "$emulator" 2>/dev/null | grep -o '/[^ ]*' || :)
   sets=nothing
fi

mirror_of() {
   case $1 in
   focal | jammy | noble)
      case $arch in
      x86_64) echo http://archive.ubuntu.com/ubuntu ;;
      *) echo http://ports.ubuntu.com/ubuntu-ports ;;
      esac
      ;;
   *)
      # shellcheck disable=SC2016
      apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
         'Label: Debian' 'Component: main' | head -n 1
      ;;
   esac
}

# make_root RELEASE: makes the minimal system, if it is not there, and sets $root to its folder.
make_root() {
   root=$roots/base-$1
   [ "$arch" = x86_64 ] || root=$root-$arch
   [ ! -d "$root" ] || return 0
   set -- "$1" --variant=minbase --arch="$debian"
   case $1 in
   focal | jammy | noble)
      set -- "$@" --components=main,universe
      # Debian 12 does not have the package with Ubuntu's keys.
      key=/usr/share/keyrings/ubuntu-archive-keyring.gpg
      if [ -f $key ]; then set -- "$@" --keyring=$key; else set -- "$@" --no-check-gpg; fi
      ;;
   esac
   release=$1
   shift
   [ -z "$emulator" ] || set -- "$@" --foreign
   echo "dist.sh: debootstrap of $release" >&2
   rm -rf "$root.part"
   debootstrap "$@" "$release" "$root.part" "$(mirror_of "$release")" >"$roots/$release.log" 2>&1 ||
      die "debootstrap failed, see $roots/$release.log"
   mv "$root.part" "$root"
}

# The mounts end with the namespace.
if [ -z "${SGPU_HOSTS_INSIDE:-}" ]; then
   export SGPU_HOSTS_INSIDE=1
   for release; do
      make_root "$release"
   done
   exec unshare ${emulator:+--user --map-root-user} --mount --propagation private "$0" \
      --arch "$arch" --roots "$roots" --sets "$sets" ${tarball:+--tarball "$tarball"} \
      ${programs:+--programs "$programs"} "$@"
fi
if [ -n "$emulator" ]; then
   interpreters=/proc/sys/fs/binfmt_misc
   mount -t binfmt_misc sgpu-hosts $interpreters ||
      die "the kernel has no binfmt_misc of a namespace (Linux 6.7)"
   # ELF files of 64 bits for the machine 183, programs or libraries.
   magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
   mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
   printf '%s' ":qemu-$arch:M::$magic:$mask:$emulator:F" >$interpreters/register
fi

if [ -z "$tarball" ]; then
   version=$(sed -n "s/^ *version : '\(.*\)',\$/\1/p" "$top/meson.build" | head -n 1)
   tarball=$top/dist/sgpu-$version-linux-$arch.tar.xz
   [ -f "$tarball" ] || "$top/sgpu" dist tarball "$arch" >&2
fi
case " $sets " in
*' python '*) wheel=$("$top/sgpu" dist wheel "$arch") ;;
esac
if [ -z "$programs" ]; then
   programs=$(mktemp -d)
   for program in driver/pictures/pictures driver/pictures/pictures_glx osmesa/pictures_osmesa \
      driver/emulated/egl_draw; do
      ninja -C "$top/build-dist/$arch" "tests/$program" >&2
      cp "$top/build-dist/$arch/tests/$program" "$programs"
   done
fi

packages_of() {
   case $1 in
   nothing) ;;
   loaders) echo libgl1 libegl1 libgles2 ;;
   windows)
      case $2 in
      focal | jammy) echo mesa-utils mesa-utils-extra xvfb ;;
      bullseye) echo mesa-utils mesa-utils-extra xvfb ;;
      *) echo mesa-utils xvfb ;;
      esac
      ;;
   python) echo python3-venv ;;
   *) die "no set '$1'" ;;
   esac
}

# inside USER COMMAND...: runs a command in the system, with a clean environment.
inside() {
   user=$1
   shift
   [ -n "$emulator" ] || set -- --userspec="$user" "$layer" "$@"
   [ -z "$emulator" ] || set -- "$layer" "$@"
   env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive chroot "$@"
}

# Copies the libraries of the emulator to the places that they have on this machine.
add_emulator_libraries() {
   for folder in lib lib64; do
      mkdir -p "$layer/usr/$folder"
      [ -e "$layer/$folder" ] || ln -s "usr/$folder" "$layer/$folder"
   done
   for file in $emulator_libraries; do
      mkdir -p "$layer${file%/*}"
      cp -L "$file" "$layer$file"
   done
}

now() {
   date +%s.%N
}

# seconds START: prints the seconds since then.
seconds() {
   echo "$1 $(now)" | awk '{ printf "%.1f", $2 - $1 }'
}

layer=$(mktemp -d)
mount -t tmpfs sgpu-hosts "$layer"
hashes=''
row() {
   printf '%-10s %-9s %8s  %-6s %8s %8s  %s\n' "$@"
}
status=0

# draw USER: prints the hashes of the scenes, which do not depend on the library that draws them.
draw() {
   inside "$1" /opt/sgpu/bin/sgpu-run /opt/programs/egl_draw sgpu surfaceless >/dev/null || return
   others=pictures_osmesa
   [ "$set" != windows ] || others="$others pictures_glx"
   through_egl=$(inside "$1" /opt/sgpu/bin/sgpu-run /opt/programs/pictures --write) || return
   for program in $others; do
      through=$(inside "$1" /opt/sgpu/bin/sgpu-run "/opt/programs/$program" --write) || return
      [ "$through" = "$through_egl" ] || {
         echo "dist.sh: $program has other pictures than EGL" >&2
         return 1
      }
   done
   echo "$through_egl"
}

row release packages MB user first next hash
for release; do
   make_root "$release"
   for set in $sets; do
      [ "$set $release" != 'python focal' ] || continue
      mkdir -p "$layer/up" "$layer/work" "$layer/root"
      mount -t overlay sgpu-layer \
         -o "lowerdir=$root,upperdir=$layer/up,workdir=$layer/work" "$layer/root"
      upper=$layer
      layer=$layer/root
      mount -t proc proc "$layer/proc" 2>/dev/null || mount --rbind /proc "$layer/proc"
      mount --rbind /dev "$layer/dev"
      for file in resolv.conf hosts; do
         cp --remove-destination -L "/etc/$file" "$layer/etc/$file"
      done
      apt-config dump --format '%f "%v";%n' Acquire::http::Proxy Acquire::https::Proxy |
         grep -v '""' >"$layer/etc/apt/apt.conf.d/90proxies" || :

      [ -z "$emulator" ] || add_emulator_libraries
      packages=$(packages_of "$set" "$release") megabytes=0
      if [ -n "$packages" ]; then
         # shellcheck disable=SC2086
         {
            # Mirrors of unstable may be older than their lists allow.
            inside 0:0 apt-get -q -o Acquire::Check-Valid-Until=false update &&
               inside 0:0 apt-get -q -y --no-install-recommends install $packages
         } >"$roots/$release-$set.log" 2>&1 ||
            die "apt-get failed in $release, see $roots/$release-$set.log"
         megabytes=$(awk '/^After this operation/ { gsub(",", "", $4); sum += $4 }
            END { printf "%d", sum }' "$roots/$release-$set.log")
      fi
      mkdir -p "$layer/opt/programs"
      cp "$programs"/* "$layer/opt/programs/"
      if [ "$set" = python ]; then
         cp "$wheel" "$top/tests/hosts/egl_hash.py" "$layer/opt/programs/"
         start=$(now)
         inside 0:0 sh -c 'python3 -m venv /opt/venv &&
            /opt/venv/bin/pip --disable-pip-version-check install -q --no-index /opt/programs/*.whl &&
            /opt/venv/bin/python /opt/programs/egl_hash.py sgpu_gl' >"$upper/out" 2>&1 || {
            cat "$upper/out" >&2
            status=1
         }
         first=$(seconds "$start")
         for user in 0:0 1000:1000; do
            start=$(now)
            {
               inside $user timeout 100 /opt/venv/bin/python /opt/programs/egl_hash.py sgpu_gl workers &&
                  inside $user /opt/venv/bin/python -m sgpu_gl /opt/venv/bin/python \
                     /opt/programs/egl_hash.py &&
                  inside $user sh -c '
                     cd /tmp && export EGL_PLATFORM=surfaceless && folder=golden-$(id -u) &&
                     set -- -- /opt/venv/bin/python /opt/programs/egl_hash.py
                     /opt/venv/bin/sgpu-doctor >&2 &&
                     /opt/venv/bin/sgpu-golden record --frames all "$folder" "$@" >&2 &&
                     /opt/venv/bin/sgpu-golden check "$folder" >&2'
            } >"$upper/out" 2>"$upper/errors" || {
               cat "$upper/out" "$upper/errors" >&2
               status=1
            }
            row "$release" python "$megabytes" "${user%%:*}" "$first" "$(seconds "$start")" \
               "$(grep -v workers "$upper/out" | sort -u)"
         done
      fi
      users='0:0 1000:1000'
      [ "$set" != python ] || users=''
      [ -z "$emulator" ] || users=0:0
      for user in $users; do
         rm -rf "$layer/opt/sgpu"
         start=$(now)
         mkdir "$layer/opt/sgpu"
         tar -xJf "$tarball" -C "$layer/opt/sgpu" --strip-components=1
         inside $user /opt/sgpu/bin/sgpu-run /opt/programs/egl_draw sgpu surfaceless \
            >"$upper/out" 2>&1 || {
            cat "$upper/out" >&2
            status=1
         }
         first=$(seconds "$start")
         start=$(now)
         found=$(draw $user 2>"$upper/errors") || {
            cat "$upper/errors" >&2
            status=1
         }
         hash=$(printf '%s\n' "$found" | sha256sum | cut -c1-16)
         row "$release" "$set" "$megabytes" "${user%%:*}" "$first" "$(seconds "$start")" "$hash"
         hashes="$hashes $hash"
      done
      if [ "$set" = windows ]; then
         for program in glxgears es2gears_x11 es2gears; do
            inside 0:0 sh -c "command -v $program" >/dev/null || continue
            for user in 0:0 1000:1000; do
               start=$(now)
               inside $user /opt/sgpu/bin/sgpu-run --frames 3 --screenshot /tmp/$program-${user%:*}.png \
                  $program >"$upper/out" 2>&1 || {
                  cat "$upper/out" >&2
                  status=1
               }
               # A picture of one colour takes a few hundred bytes.
               bytes=$(wc -c <"$layer/tmp/$program-${user%:*}.png")
               [ "$bytes" -gt 2000 ] || {
                  echo "dist.sh: $program in $release drew nothing"
                  status=1
               }
               row "$release" $program - "${user%%:*}" - "$(seconds "$start")" "$bytes bytes of PNG"
            done
            [ $program != es2gears_x11 ] || break
         done
         cp "$layer"/tmp/*-0.png "$roots" 2>/dev/null || :
      fi
      layer=$upper
      umount -l "$layer/root"
      rm -rf "$layer/up" "$layer/work" "$layer/out" "$layer/errors"
   done
done
# shellcheck disable=SC2086
[ "$(printf '%s\n' $hashes | sort -u | wc -l)" -eq 1 ] || {
   echo "dist.sh: the hashes of pictures differ"
   status=1
}
exit $status
