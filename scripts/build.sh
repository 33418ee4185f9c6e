# build PRESET [arguments of cmake --build]: configures once, then builds; quiet unless something is wrong.
build() {
  local preset=$1 log
  shift
  if [ ! -f "build/$preset/build.ninja" ]; then
    log=$(mktemp)
    cmake --preset "$preset" ${CONFIGURE:-} >"$log" 2>&1 || { cat "$log"; rm -f "$log"; return 3; }
    rm -f "$log"
  fi
  cmake --build --preset "$preset" "$@" -- --quiet
}
