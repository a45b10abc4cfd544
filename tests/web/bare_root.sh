#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/web/bare_root.sh [OPTION...] PACKAGE.tgz TARBALL PROGRAM
#
# Tries the package for npm, the GitHub Action and the GitLab template in new systems from
# debootstrap: the action and the template in one with curl and xz alone, where PROGRAM draws and
# checks a picture (build/tests/run/egl_draw); the package in one with Node.js, npm and Chromium,
# where Puppeteer and Playwright show the pages of the test `web`.  Needs root, debootstrap, npm and
# a mirror that apt is configured for.
#
#   --release NAME   the release (default: trixie, Debian 13)
#   --roots DIR      folder of the systems (default: build-hosts/web); existing ones are used again
#
# Prints seconds and sizes.  The exit status is 0 if everything draws on sgpu.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
release=trixie roots=$top/build-hosts/web
die() {
   echo "bare_root.sh: $*" >&2
   exit 2
}
while [ $# -gt 0 ]; do
   case $1 in
   --release) release=$2; shift ;;
   --roots) roots=$2; shift ;;
   -h | --help) sed -n '4,19s/^# \{0,1\}//p' "$0"; exit ;;
   -*) die "no option '$1'" ;;
   *) break ;;
   esac
   shift
done
[ $# -eq 3 ] || die 'needs PACKAGE.tgz TARBALL PROGRAM'
package=$(realpath "$1") tarball=$(realpath "$2") program=$(realpath "$3")
[ "$(id -u)" -eq 0 ] || die 'needs root'
command -v debootstrap >/dev/null || die 'needs the package debootstrap'
mkdir -p "$roots"

# make_root NAME PACKAGE...: makes the system with these packages.
make_root() {
   root=$roots/$release-$1
   [ ! -f "$root.done" ] || return 0
   shift
   # shellcheck disable=SC2016
   mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
      'Origin: Debian' 'Label: Debian' 'Component: main' | head -n 1)
   [ -n "$mirror" ] || die 'apt has no archive of Debian'
   debootstrap --variant=minbase --include=ca-certificates "$release" "$root" "$mirror" \
      >"$root.log" 2>&1 || die "debootstrap failed, see $root.log"
   for file in resolv.conf hosts; do
      cp --remove-destination -L "/etc/$file" "$root/etc/$file"
   done
   apt-config dump --format '%f "%v";%n' Acquire::http::Proxy Acquire::https::Proxy |
      grep -v '""' >"$root/etc/apt/apt.conf.d/90proxies" || :
   inside "$root" sh -c 'apt-get -q update && apt-get -q -y install --no-install-recommends "$@" &&
      apt-get clean' sh "$@" >>"$root.log" 2>&1 || die "apt-get failed, see $root.log"
   : >"$root.done"
}

# inside ROOT COMMAND...: runs a command in that system, with a clean environment.
inside() {
   # shellcheck disable=SC2016
   unshare --mount --propagation private sh -c '
      mount -t proc proc "$0/proc"
      mount --rbind /dev "$0/dev"
      exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
         DEBIAN_FRONTEND=noninteractive chroot "$0" "$@"' "$@"
}

status=0
make_root bare curl xz-utils
cp "$tarball" "$root/${tarball##*/}"
cp "$program" "$root/program"
play=$top/tests/ci/play.py
"$play" github --root "$root" --input "tarball=/${tarball##*/}" \
   --step '/program sgpu surfaceless' || status=1
"$play" gitlab --root "$root" --variable "SGPU_TARBALL=/${tarball##*/}" \
   --script '/program sgpu surfaceless' || status=1

make_root node nodejs npm chromium
app=$root/app
rm -rf "$app"
mkdir -p "$app"
cp "$package" "$app/sgpu.tgz"
cp "$top/tests/web/package.json" "$top/tests/web/package-lock.json" \
   "$top/tests/web/bare_root.cjs" "$top/tests/web/webgl1.html" "$top/tests/web/scene.js" \
   "$top/tests/web/expected.json" "$top/tests/programs/webgl2.html" "$app/"
(cd "$app" && npm ci --ignore-scripts --no-audit --no-fund)
# Without network and scripts: the package has all that it needs.
start=$(date +%s)
inside "$root" sh -c 'cd /app && npm install --offline --no-audit --no-fund --no-save ./sgpu.tgz &&
   npx --offline sgpu-run --version && du -sm node_modules/sgpu'
echo "bare_root.sh: installed in $(($(date +%s) - start)) s"
inside "$root" sh -c 'cd /app && exec node bare_root.cjs' || status=1
exit $status
