# build PRESET [arguments of cmake --build]: configures once, then builds; quiet unless something is wrong, but for one
# line of progress on a terminal.
build() {
  local preset=$1 log
  shift
  if [ ! -f "build/$preset/build.ninja" ]; then
    log=$(mktemp)
    cmake --preset "$preset" ${CONFIGURE:-} >"$log" 2>&1 || { cat "$log"; rm -f "$log"; return 3; }
    rm -f "$log"
  fi
  if [ -t 1 ]; then set -- "$@" --; else set -- "$@" -- --quiet; fi
  cmake --build --preset "$preset" "$@"
}
