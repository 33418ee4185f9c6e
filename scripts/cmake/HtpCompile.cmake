# The language level, warnings (errors where the preset says so), sanitizers and ccache, for every target of HTP.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(HTP_CCACHE ccache)
if(HTP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${HTP_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HTP_CCACHE})
endif()

add_library(htp_warnings INTERFACE)
target_compile_options(htp_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion
  "$<IF:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>,$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>,-Wshadow>") # in a batch, names of other files are in sight
# gcc 12 sees overlaps and uninitialised values in optimised std::string and std::optional that are not there (PR105329, PR105562).
target_compile_options(htp_warnings INTERFACE
  "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-restrict;-Wno-maybe-uninitialized>")

add_library(htp_sanitize INTERFACE)
if(HTP_SANITIZE)
  string(REPLACE ";" "," flags "${HTP_SANITIZE}")
  target_compile_options(htp_sanitize INTERFACE -fsanitize=${flags} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(HTP_SANITIZE MATCHES "undefined" AND NOT HTP_FUZZ) # a third of the compiler's time, for what AddressSanitizer sees too; fuzzers keep them
    target_compile_options(htp_sanitize INTERFACE
      -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow,nonnull-attribute,returns-nonnull-attribute)
  endif()
  target_link_options(htp_sanitize INTERFACE -fsanitize=${flags})
endif()
if(HTP_FUZZ)
  target_compile_options(htp_sanitize INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(HTP_TIDY)
  set(CMAKE_CXX_CLANG_TIDY clang-tidy --quiet)
endif()
