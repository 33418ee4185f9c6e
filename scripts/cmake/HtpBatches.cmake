# HTP_BATCHES: a build from nothing reads headers, and instantiates what they hold, once for all files of a component (of a backend or a test: for eight),
# in half the time of file by file. The files below are compiled by themselves all the same: each has, for itself alone, a name that another file of
# its component has too.
option(HTP_BATCHES "Compile the files of a component in batches" OFF)
set(alone
  host/ast/rewrite.cpp host/ast/store.cpp
  host/cli/graph.cpp
  host/load/discover.cpp
  host/manifest/term.cpp host/manifest/term_parse.cpp
  host/pipeline/names.cpp host/pipeline/phases.cpp host/pipeline/program.cpp
  plugins/backend-a2a3/order/check.cpp
  plugins/backend-aie/analyses/blocks.cpp plugins/backend-aie/spreading/grid.cpp plugins/backend-aie/spreading/grid_read.cpp
  plugins/binding-a2a3sim/verify/orchestra.cpp plugins/binding-a2a3sim/verify/stage.cpp
  plugins/binding-aiesim/model/bodies.cpp plugins/binding-aiesim/model/model.cpp plugins/binding-aiesim/report/picture.cpp
  plugins/dialect-tile/verify/memory.cpp
  tests/diag/sarif_test.cpp
  tests/dialect-csp/data_rates_test.cpp
  tests/dialect-tile/verify_test.cpp
  tests/load/audit_test.cpp tests/load/unload_test.cpp
  tests/manifest/read_test.cpp
  tests/resolve/oracle.cpp)

# htp_batches(FOLDER…): the targets of these folders, which have been added, are compiled in batches.
function(htp_batches)
  if(NOT HTP_BATCHES)
    return()
  endif()
  foreach(folder ${ARGN})
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE where)
    cmake_path(RELATIVE_PATH where BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    foreach(file ${alone})
      cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
      set_source_files_properties(${file} DIRECTORY ${folder} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endforeach()
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target ${targets})
      get_target_property(type ${target} TYPE)
      if(type MATCHES "LIBRARY|EXECUTABLE" AND NOT type STREQUAL "INTERFACE_LIBRARY")
        set(size 8)
        if(where MATCHES "^(host|plugins/dialect-)") # what is small, or shares most of its headers: half as much again in one batch as in four
          set(size 32)
        endif()
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
      endif()
    endforeach()
    get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    htp_batches(${folders})
  endforeach()
endfunction()
