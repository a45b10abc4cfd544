# Writes a recipe for conda-build of the tarball (sgpu dist conda [ARCH]).

# shellcheck source=src/tools/dist/sysroot.sh
. "$top/src/tools/dist/sysroot.sh"

arch=${1:-$(uname -m)}
tarball=$(tarball_of "$arch")
mkdir -p "$dist/conda"
hash=$(sha256sum <"$tarball")
sed -e "s,@version@,$version,; s,@glibc@,$base_glibc,; s,@sha256@,${hash%% *}," \
   -e "s,@tarball@,../${tarball##*/}," "$top/src/tools/dist/conda/meta.yaml" >"$dist/conda/meta.yaml"
cp "$top/src/tools/dist/conda/build.sh" "$dist/conda/build.sh"
# What can be checked without conda.
"$python" - "$dist/conda/meta.yaml" "$tarball" <<'END' || die "the recipe is wrong"
import sys, tarfile, yaml
with open(sys.argv[1], encoding='utf-8') as file:
    recipe = yaml.safe_load(file)
assert recipe['package']['name'] == 'sgpu' and len(recipe['source']['sha256']) == 64
with tarfile.open(sys.argv[2]) as tarball:
    names = {name.split('/', 1)[1] for name in tarball.getnames() if '/' in name}
assert recipe['about']['license_file'] in names and 'bin/sgpu-run' in names
END
echo "$dist/conda/meta.yaml"
echo "$dist/conda/build.sh"
