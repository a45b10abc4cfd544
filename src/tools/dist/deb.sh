# Makes Debian source and binary packages (sgpu dist deb [--source]).  The source package contains the
# files of the last commit and the archives of Mesa and others, so that it is built without a network.

source_only=''
case ${1:-} in
--source) source_only=1 ;;
?*) die "deb has no option '$1'" ;;
esac
command -v dpkg-buildpackage >/dev/null || die "install dpkg-dev and debhelper"
"$top/sgpu" setup --quiet build

name=sgpu-$version
mkdir "$tmp/$name"
git -C "$top" archive --format=tar HEAD | tar -x -C "$tmp/$name"
mkdir -p "$tmp/$name/subprojects/packagecache"
for wrap in "$top"/subprojects/*.wrap; do
   cp "$top/subprojects/packagecache/$(sed -n 's/^source_filename *= *//p' "$wrap")" \
      "$tmp/$name/subprojects/packagecache/"
done
cp "$top"/subprojects/packagefiles/*-debian.patch "$tmp/$name/subprojects/packagefiles/"
# Most of it is packed already.
pack "$dist/sgpu_$version.orig.tar.xz" "$tmp" "$name" 6

# Not in the archive of upstream's files: the folder debian.
cp -r "$top/src/tools/dist/debian" "$tmp/$name/debian"
depends=$(sed -n 's/^build \(ccache\|libc6-dev\|gcc\|g++\|util-linux\)$//; s/^build \(.*\)$/ \1,/p' \
   "$front/packages")
sed "/^@build_depends@\$/{
   r /dev/stdin
   d
}" "$tmp/$name/debian/control" >"$tmp/control" <<END
$depends
END
mv "$tmp/control" "$tmp/$name/debian/control"
cat >"$tmp/$name/debian/changelog" <<END
sgpu ($version-1) unstable; urgency=medium

  * See the release notes of sgpu $version.

 -- $(sed -n 's/^Maintainer: //p' "$tmp/$name/debian/control")  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
cp "$dist/sgpu_$version.orig.tar.xz" "$tmp/"
(
   cd "$tmp/$name"
   if [ -n "$source_only" ]; then
      dpkg-buildpackage --build=source --no-sign -d
   else
      dpkg-buildpackage --no-sign
   fi
) >"$dist/deb.log" 2>&1 || {
   tail -n 20 "$dist/deb.log" >&2
   die "dpkg-buildpackage failed, see $dist/deb.log"
}
for file in "$tmp"/sgpu*_"$version"-1*; do
   cp "$file" "$dist/"
   echo "$dist/${file##*/}"
done
