# What the commands of the front script share.  Sourced with $top set.

front=$top/src/tools/front
build=${SGPU_BUILD:-$top/build}
dri_dir=$build/src/gallium/targets/dri
glvnd_dir=$build/src/gallium/targets/glvnd

say() {
   printf 'sgpu: %s\n' "$*" >&2
}

die() {
   say "$*"
   exit 1
}

# Other commands ask for these; each is quick when there is nothing to do.

need_setup() {
   "$top/sgpu" setup --quiet "$@"
}

need_build() {
   [ -n "${SGPU_NO_BUILD:-}" ] || "$top/sgpu" build --quiet
}

# The first lines of a command's file are its help: what stands between the
# shell comment marks up to the first line that is none.
print_help() {
   sed -n '/^#/!q; s/^# \{0,1\}//p' "$front/$1.sh"
}
