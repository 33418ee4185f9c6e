# htp_component(NAME [SOURCES …] [USES component…] [LIBRARIES lib…]): one phase of host/ as the static library htp_NAME. A component links
# only the components it names in USES, which must come before it in host/CMakeLists.txt; data goes forward only.
function(htp_component name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;LIBRARIES" ${ARGN})
  add_library(htp_${name} STATIC ${arg_SOURCES})
  target_include_directories(htp_${name} PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/sdk/include)
  list(TRANSFORM arg_USES PREPEND htp_)
  target_link_libraries(htp_${name} PUBLIC ${arg_USES} ${arg_LIBRARIES} htp_sanitize PRIVATE htp_warnings)
  set_property(GLOBAL APPEND PROPERTY HTP_ROOMS htp_${name})
endfunction()
