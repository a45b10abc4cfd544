#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/hosts/doctor.sh ROOT TREE
#
# Follows the advice of sgpu-doctor in a bare system until a program draws on
# sgpu, and then tests sgpu-require there.
#
# ROOT is a system from debootstrap (--variant=minbase), which this changes: use
# a copy.  TREE is an installed tree: DESTDIR=TREE meson install -C build
# --skip-subprojects.  Needs root, and a mirror that ROOT's apt is configured
# for.
set -eu
case ${1:-} in
'' | -h | --help) sed -n '4,12s/^# \{0,1\}//p' "$0"; exit ;;
esac
root=$(realpath "$1") tree=$(realpath "$2")
[ "$(id -u)" -eq 0 ] || { echo "needs root" >&2; exit 2; }
# The mounts end with the namespace.
if [ -z "${SGPU_HOSTS_INSIDE:-}" ]; then
   export SGPU_HOSTS_INSIDE=1
   exec unshare --mount --propagation private "$0" "$root" "$tree"
fi
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
cp -a "$tree/." "$root/"
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || :

inside() {
   chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
      DEBIAN_FRONTEND=noninteractive "$@"
}
fail() {
   echo "FAILED: $*"
   exit 1
}

inside apt-get update -q >/dev/null
rounds=0
until inside /opt/sgpu/bin/sgpu-doctor >"$root/doctor.txt"; do
   rounds=$((rounds + 1))
   cat "$root/doctor.txt"
   [ $rounds -le 2 ] || fail "2 pieces of advice do not help"
   advice=$(sed -n '/^Problems/,/^Notes/s/^ *\(apt-get install.*\)\.$/\1/p' "$root/doctor.txt" |
      head -n 1)
   [ -n "$advice" ] || fail "no advice"
   echo "+ $advice"
   # shellcheck disable=SC2086
   inside $advice -q >"$root/apt.txt" 2>&1 || { cat "$root/apt.txt"; fail "$advice"; }
done
cat "$root/doctor.txt"
echo "draws after $rounds pieces of advice"
grep -q 'EGL surfaceless.* sgpu, OpenGL' "$root/doctor.txt" || fail "EGL surfaceless"

require=$(echo "$root"/opt/sgpu/lib/*/sgpu/bin/sgpu-require)
require=${require#"$root"}
sgpu=${require%/bin/sgpu-require}
run() {
   inside "$@" 2>&1
}
status=0
run "$require" true || status=$?
[ $status -eq 122 ] || fail "status $status of a program that draws nothing"
status=0
run env EGL_PLATFORM=surfaceless LIBGL_ALWAYS_SOFTWARE=1 LD_LIBRARY_PATH="$sgpu/glvnd" \
   __EGL_VENDOR_LIBRARY_FILENAMES="$sgpu/glvnd/50_sgpu.json" \
   "$require" /opt/sgpu/bin/sgpu-doctor --here --ways egl-surfaceless || status=$?
[ $status -eq 0 ] || fail "status $status of a program that draws"
echo "passed"
