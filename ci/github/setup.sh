#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Step of the GitHub Action (action.yml): unpacks the tarball $SGPU_TARBALL, a URL or a path, and
# writes its environment to the files of the runner, for all later steps.
set -eu

die() {
   # The runner shows such a line next to the step.
   echo "::error title=sgpu::$*"
   exit 1
}

: "${RUNNER_TEMP:=${TMPDIR:-/tmp}}"
[ -n "${SGPU_TARBALL:-}" ] || die "the input 'tarball' is missing: the URL of sgpu's tarball"
file=$RUNNER_TEMP/sgpu.tar
case $SGPU_TARBALL in
http://* | https://*)
   if command -v curl >/dev/null; then
      curl --fail --silent --show-error --location --retry 3 --output "$file" "$SGPU_TARBALL" ||
         die "cannot download $SGPU_TARBALL"
   elif command -v wget >/dev/null; then
      wget --quiet --tries=3 --output-document="$file" "$SGPU_TARBALL" ||
         die "cannot download $SGPU_TARBALL"
   else
      die 'there is no curl and no wget: install one, or give the path of a file'
   fi
   ;;
*)
   [ -f "$SGPU_TARBALL" ] || die "there is no file $SGPU_TARBALL"
   file=$SGPU_TARBALL
   ;;
esac
if [ -n "${SGPU_SHA256:-}" ]; then
   sum=$(sha256sum <"$file")
   [ "${sum%% *}" = "$SGPU_SHA256" ] || die "$SGPU_TARBALL has another SHA-256: ${sum%% *}"
fi
case $SGPU_TARBALL in
*.xz) command -v xz >/dev/null || die 'there is no xz: install the package xz-utils, or take the .tar.gz' ;;
esac

folder=$RUNNER_TEMP/sgpu
mkdir -p "$folder"
tar -xf "$file" -C "$folder" --strip-components=1 || die "$SGPU_TARBALL is no tarball of sgpu"
run=$folder/bin/sgpu-run
[ -x "$run" ] || die "$SGPU_TARBALL has no bin/sgpu-run"
version=$("$run" --version) || die "sgpu-run does not start: is the tarball for $(uname -m)?"

echo "$folder/bin" >>"$GITHUB_PATH"
if [ "${SGPU_ENVIRONMENT:-true}" = true ]; then
   # Lines of the form export NAME='VALUE'.
   env=$("$run" --env)
   for name in $(echo "$env" | sed -n 's/^export \([A-Za-z_]*\)=.*/\1/p'); do
      printf '%s=%s\n' "$name" "$(eval "$env"; eval "printf %s \"\$$name\"")"
   done >>"$GITHUB_ENV"
fi
{
   echo "folder=$folder"
   echo "version=$version"
} >>"$GITHUB_OUTPUT"
echo "$version in $folder"
