# configure PRESET: once. build PRESET [arguments of cmake --build]: configures and builds; a line of progress, on a terminal at each step, else
# every half minute.
configure() {
  local log
  [ ! -f "build/$1/build.ninja" ] || return 0
  log=$(mktemp)
  cmake --preset "$1" ${CONFIGURE:-} >"$log" 2>&1 || { cat "$log"; rm -f "$log"; return 3; }
  rm -f "$log"
}

build() {
  local preset=$1
  configure "$preset" || return
  shift
  if [ -t 1 ]; then
    cmake --build --preset "$preset" "$@"
  else
    NINJA_STATUS="[%f/%t] " cmake --build --preset "$preset" "$@" | sparse "$preset"
    return "${PIPESTATUS[0]}"
  fi
}

# Ninja's lines, those of steps every half minute only.
sparse() {
  local line last=$SECONDS
  while IFS= read -r line; do
    if [[ $line == \[*/*\]\ * ]]; then
      [ $((SECONDS - last)) -ge 30 ] || continue
      last=$SECONDS
      line="build $1: $line"
    fi
    printf '%s\n' "$line"
  done
}
