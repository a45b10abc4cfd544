#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/hosts/debian.sh [OPTION...] [SUITE...]
#
# Runs both commands of the README on another release of Debian: in a new
# system from debootstrap that has only git, in a clone of this repository's
# HEAD.  The second command runs the SUITEs only, or all tests without SUITE.
# Needs root, debootstrap and a mirror that apt is configured for.
#
#   --release NAME   the release (default: trixie, Debian 13)
#   --root DIR       folder of the system (default: build-hosts/NAME); if it
#                    exists, it is used again and its clone is updated
#   --ccache DIR     a compiler cache to share with the system
#   --only run|test  run only this command
#
# Exit status: 0 if both commands succeed.  DIR/gears.png is the picture of
# the first one.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
release=trixie root='' ccache='' only=''
die() {
   echo "debian.sh: $*" >&2
   exit 2
}
while [ $# -gt 0 ]; do
   case $1 in
   --release | --root | --ccache | --only)
      [ $# -ge 2 ] || die "$1 needs an argument"
      case $1 in
      --release) release=$2 ;;
      --root) root=$2 ;;
      --ccache) ccache=$(realpath "$2") ;;
      --only) only=$2 ;;
      esac
      shift
      ;;
   -h | --help) sed -n '4,20s/^# \{0,1\}//p' "$0"; exit ;;
   -*) die "no option '$1'" ;;
   *) break ;;
   esac
   shift
done
[ "$(id -u)" -eq 0 ] || die "needs root"
command -v debootstrap >/dev/null || die "needs the package debootstrap"
: "${root:=$top/build-hosts/$release}"
mkdir -p "$root"
root=$(realpath "$root")

# The mounts end with the namespace.
if [ -z "${SGPU_HOSTS_INSIDE:-}" ]; then
   export SGPU_HOSTS_INSIDE=1
   exec unshare --mount --propagation private "$0" --release "$release" \
      --root "$root" ${ccache:+--ccache "$ccache"} ${only:+--only "$only"} "$@"
fi

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
   'Origin: Debian' 'Label: Debian' 'Component: main' | head -n 1)
[ -n "$mirror" ] || die "apt has no archive of Debian"
proxies=$(apt-config dump --format '%f "%v";%n' Acquire::http::Proxy \
   Acquire::https::Proxy | grep -v '""' || :)

if [ ! -f "$root/etc/debian_version" ]; then
   debootstrap --variant=minbase --include=git,ca-certificates "$release" \
      "$root" "$mirror" >"$root.log" 2>&1 || {
      tail -n 20 "$root.log" >&2
      die "debootstrap failed, see $root.log"
   }
   printf '%s\n' "$proxies" >"$root/etc/apt/apt.conf.d/90proxies"
fi
for file in resolv.conf hosts; do
   cp --remove-destination -L "/etc/$file" "$root/etc/$file"
done

mount --bind "$root" "$root"
mount -t proc proc "$root/proc" 2>/dev/null || mount --rbind /proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
if [ -n "$ccache" ]; then
   mkdir -p "$root/root/.cache/ccache"
   mount --bind "$ccache" "$root/root/.cache/ccache"
fi

mkdir -p "$root/origin"
mount --bind "$(git -C "$top" rev-parse --path-format=absolute --git-common-dir)" "$root/origin"
head=$(git -C "$top" rev-parse HEAD)

# inside COMMAND...: runs a command in that system, with a clean environment.
inside() {
   env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
      CI="${CI:-}" GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory \
      GIT_CONFIG_VALUE_0='*' chroot "$root" "$@"
}

inside sh -euc '
   [ -d /sgpu ] || git clone --quiet --no-checkout /origin /sgpu
   cd /sgpu
   git fetch --quiet origin "+refs/heads/*:refs/remotes/origin/*"
   git checkout --quiet --force --detach "$1"' sh "$head"
inside sh -c '. /etc/os-release; echo "$PRETTY_NAME"'

status=0
case $only in
'' | run)
   inside sh -c 'cd /sgpu && ./sgpu run --screenshot /gears.png -- glxgears' || status=1
   ;;
esac
case $only in
'' | test)
   inside sh -c 'cd /sgpu && ./sgpu test "$@"' sh "$@" || status=1
   ;;
esac
exit $status
