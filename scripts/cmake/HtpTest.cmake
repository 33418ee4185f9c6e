# htp_test(NAME SOURCES … [USES component…]): one GoogleTest program, registered with CTest as NAME.
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)
function(htp_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;USES;LIBRARIES;LABELS" ${ARGN})
  string(REPLACE "/" "_" target test_${name})
  string(REPLACE "-" "_" target ${target})
  add_executable(${target} ${arg_SOURCES})
  list(TRANSFORM arg_USES PREPEND htp_)
  target_link_libraries(${target} PRIVATE ${arg_USES} ${arg_LIBRARIES} GTest::gmock GTest::gtest_main Threads::Threads htp_sanitize htp_warnings)
  target_compile_definitions(${target} PRIVATE HTP_SOURCE_DIR="${CMAKE_SOURCE_DIR}" HTP_BINARY_DIR="${CMAKE_BINARY_DIR}")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 1500)
  endif()
  add_test(NAME ${name} COMMAND ${target})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()

# What a test needs whose Python loads libhtp.so: in a build with AddressSanitizer its runtime comes first, and leaks of the
# interpreter itself are not ours. The C++ library follows it: the runtime looks for what throws when it begins, and Python itself has none.
set(HTP_PYTHON_ENVIRONMENT "")
if(HTP_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libasan.so OUTPUT_VARIABLE asan OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.so.6 OUTPUT_VARIABLE cxx OUTPUT_STRIP_TRAILING_WHITESPACE)
  # Sanitizers make programs up to sixteen times as slow: laws and mutants take every fifth of theirs (HTP_EVERY).
  set(HTP_PYTHON_ENVIRONMENT "LD_PRELOAD=${asan} ${cxx};ASAN_OPTIONS=detect_leaks=0;HTP_EVERY=5")
endif()
