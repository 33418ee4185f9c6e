#!/bin/sh
# Builds what the cores and the runtime of Ascend's A2 and A3 load: an image of each kernel, and the orchestration's library.
#   build.sh [CONTRACT [RUNTIME [FOLDER]]]
# CONTRACT  simpler/2026-08 (the default) or pto-runtime/2026-03
# RUNTIME   tensormap_and_ringbuffer (the default) or host_build_graph
# FOLDER    where it is put, ./a2a3 unless told: aic/NAME.o and aiv/NAME.o, whose .text is what a core runs, and orchestration.so
# CANN lies in ASCEND_HOME_PATH, the runtime in HTP_PTO_RUNTIME, PTO-ISA in HTP_PTO_ISA, at the commits that registry.json names.
set -eu

fail() {
  echo "build.sh: $1" >&2
  exit 1
}
contract=${1:-simpler/2026-08}
flavour=${2:-tensormap_and_ringbuffer}
folder=${3:-a2a3}
case $flavour in tensormap_and_ringbuffer | host_build_graph) ;; *) fail "no runtime is called $flavour: tensormap_and_ringbuffer, host_build_graph" ;; esac
cann=${ASCEND_HOME_PATH:-} runtime=${HTP_PTO_RUNTIME:-} isa=${HTP_PTO_ISA:-}
[ -n "$cann" ] || fail "ASCEND_HOME_PATH must name CANN's folder"
[ -n "$runtime" ] || fail "HTP_PTO_RUNTIME must name a checkout of the runtime, at the commit that registry.json names for $contract"
[ -n "$isa" ] || fail "HTP_PTO_ISA must name a checkout of PTO-ISA"
[ -x "$cann/bin/ccec" ] || fail "$cann/bin/ccec, which compiles kernels, is not there"
[ -d "$isa/include/pto" ] || fail "$isa is no checkout of PTO-ISA: include/pto is not there"
code=$(cd "$(dirname "$0")/../codegen/a2a3" && pwd)

# Calls $@ with an option for each folder (-I) and file of $list, of which each stands on a line.
with_list() {
  while IFS= read -r one; do
    [ -z "$one" ] || set -- "$@" "$one"
  done <<EOF
$list
EOF
  "$@"
}

case $contract in
  simpler/2026-08)
    home=$runtime/src/a2a3/runtime/$flavour
    common=$runtime/src/common
    defines=-DHTP_CONTRACT=202608
    kernel_folders="-I$runtime/simpler_setup/incore
-I$common/platform/include
-I$home/runtime
-I$home/common
-I$common/task_interface
-I$common
-I$runtime/src/a2a3/platform/include"
    graph_folders="$kernel_folders
-I$home/orchestration
-I$home/..
$common/platform/onboard/aicpu/cache_ops.cpp
$common/platform/onboard/aicpu/device_time.cpp"
    source=$code/orchestration/simpler-2026-08/orchestration.cpp
    graph_flags="-fno-gnu-unique -Wl,--build-id=sha1"
    ;;
  pto-runtime/2026-03)
    home=$runtime/src/runtime/$flavour
    defines=-DHTP_CONTRACT=202603
    [ "$flavour" = host_build_graph ] || defines="$defines -DHTP_RUNTIME_TRB"
    kernel_folders="-I$home/runtime"
    graph_folders="-I$home/runtime
-I$runtime/src/platform/include"
    [ "$flavour" = host_build_graph ] || graph_folders="$graph_folders
-I$home/orchestration"
    source=$code/orchestration/pto-runtime-2026-03/$flavour.cpp
    graph_flags=
    ;;
  *) fail "no contract is called $contract: simpler/2026-08, pto-runtime/2026-03" ;;
esac
[ -d "$home" ] || fail "$runtime is no checkout of $contract: ${home#"$runtime/"} is not there"

# The orchestration runs where the graph is made: on the host, or on the machine's own ARM cores.
compiler=${CXX:-g++}
if [ "$flavour" = tensormap_and_ringbuffer ]; then
  compiler=$cann/tools/hcc/bin/aarch64-target-linux-gnu-g++
  [ -x "$compiler" ] || fail "$compiler, which compiles what the machine's own cores run, is not there"
elif [ "$contract" = simpler/2026-08 ]; then
  graph_flags="$graph_flags -pthread"
  graph_folders="$graph_folders
-I$common/log/include
$common/log/host_log.cpp
$common/log/unified_log_host.cpp"
fi
if [ "$contract" = simpler/2026-08 ] || [ "$flavour" = tensormap_and_ringbuffer ]; then
  for more in "$home/orchestration" "$home/host_orchestration_support"; do
    for file in "$more"/*.cpp; do
      [ ! -f "$file" ] || graph_folders="$graph_folders
$file"
    done
  done
fi

mkdir -p "$folder/aic" "$folder/aiv"
for kernel in "$code"/kernels/ai[cv]/*.cpp; do
  type=$(basename "$(dirname "$kernel")")
  image=$folder/$type/$(basename "$kernel" .cpp).o
  case $type in aic) arch=cube old=__AIC__ ;; aiv) arch=vec old=__AIV__ ;; esac
  own=$defines
  [ "$contract" = simpler/2026-08 ] || own="$own -D$old"
  list="-I$isa/include
-I$isa/include/pto
$kernel_folders"
  # shellcheck disable=SC2086 # several words
  with_list "$cann/bin/ccec" -c -O3 -g -x cce -Wall -std=c++17 --cce-aicore-only "--cce-aicore-arch=dav-c220-$arch" \
    -mllvm -cce-aicore-stack-size=0x8000 -mllvm -cce-aicore-function-stack-size=0x8000 -mllvm -cce-aicore-record-overflow=false \
    -mllvm -cce-aicore-addr-transform -mllvm -cce-aicore-dcci-insert-for-scalar=false -DMEMORY_BASE $own \
    -o "$image" "$kernel"
  # This runtime copies .text and jumps to its first byte: no relocation may be left, and the entry comes first.
  if [ "$contract" = simpler/2026-08 ]; then
    "$cann/bin/ld.lld" -e kernel_entry -o "$image.linked" "$image"
    mv "$image.linked" "$image"
  fi
  echo "$image"
done
list=$graph_folders
# shellcheck disable=SC2086
with_list "$compiler" -shared -fPIC -O3 -g -std=c++17 $graph_flags -o "$folder/orchestration.so" "$source"
echo "$folder/orchestration.so"
