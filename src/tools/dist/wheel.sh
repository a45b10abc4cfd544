# Makes a Python wheel of the tarball (sgpu dist wheel [ARCH...]).  It contains the tarball and the
# module sgpu_gl.

# shellcheck source=src/tools/dist/sysroot.sh
. "$top/src/tools/dist/sysroot.sh"

[ $# -gt 0 ] || set -- "$(uname -m)"
for arch; do
   tarball=$(tarball_of "$arch")
   "$python" "$top/src/tools/dist/make_wheel.py" --version "$version" --arch "$arch" \
      --glibc "$base_glibc" --module "$top/src/tools/dist/python/sgpu_gl" --output "$dist" "$tarball"
done
