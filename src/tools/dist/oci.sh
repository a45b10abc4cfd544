# Makes an OCI image of the tarball (sgpu dist oci [--root FOLDER] [ARCH...]).  With --root, the image
# contains the files of that folder, a system from debootstrap.  Without it, the image has /opt/sgpu
# alone, for COPY --from.

root=''
if [ "${1:-}" = --root ]; then
   [ -d "${2:-}" ] || die "--root needs the folder of a system"
   root=$2
   shift 2
fi
[ $# -gt 0 ] || set -- "$(uname -m)"
for arch; do
   tarball=$(tarball_of "$arch")
   "$python" "$top/src/tools/dist/make_oci.py" --version "$version" --arch "$arch" \
      ${root:+--root "$root"} --output "$dist/sgpu-$version-oci-$arch.tar" "$tarball"
done
