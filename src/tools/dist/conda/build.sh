# Installs the unpacked tarball into the environment.
set -eu
mkdir -p "$PREFIX"
cp -R bin lib share "$PREFIX/"
