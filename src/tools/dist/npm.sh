# Makes dist/sgpu-VERSION.tgz, a package for npm, of the tarballs (sgpu dist npm).
#
#   sgpu dist npm [ARCH...]          of the tarballs of these architectures
#   sgpu dist npm --from FILE...     of tarballs, or of folders like theirs
#
# ARCH is x86_64 or aarch64; the default is that of this machine.

if [ "${1:-}" = --from ]; then
   shift
   [ $# -gt 0 ] || die "--from needs a tarball"
else
   [ $# -gt 0 ] || set -- "$(uname -m)"
   for arch; do
      set -- "$@" "$(tarball_of "$arch")"
      shift
   done
fi
"$python" "$top/src/tools/dist/npm_package.py" --version "$version" \
   --out "$dist/sgpu-$version.tgz" "$@"
