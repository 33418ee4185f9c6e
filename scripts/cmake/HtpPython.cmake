# CPython, in two halves (R18). htp_python_api: the headers only, for the components that speak to an interpreter (parse, python); what
# they leave undefined is found in the process. htp_python_embed: the static libpython itself, for programs that bring their
# own interpreter (htp-host, tests); never for libhtp, which must use the interpreter of the Python that loads it.
# Debian's own Python is meant, whatever else stands on PATH.
set(HTP_PYTHON_VERSION 3.11)
find_program(HTP_PYTHON NAMES python${HTP_PYTHON_VERSION} PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
find_path(HTP_PYTHON_INCLUDE Python.h PATHS /usr/include/python${HTP_PYTHON_VERSION} NO_DEFAULT_PATH REQUIRED)
find_library(HTP_PYTHON_STATIC NAMES libpython${HTP_PYTHON_VERSION}.a REQUIRED)

add_library(htp_python_api INTERFACE)
target_include_directories(htp_python_api SYSTEM INTERFACE ${HTP_PYTHON_INCLUDE})

# The whole archive: extension modules such as NumPy's ask for symbols that nothing else here does.
add_library(htp_python_embed INTERFACE)
target_link_libraries(htp_python_embed INTERFACE "$<LINK_LIBRARY:WHOLE_ARCHIVE,${HTP_PYTHON_STATIC}>" -lexpat -lz -lm
                                                 ${CMAKE_DL_LIBS} -lpthread -lutil)
# Debian builds the archive for programs at a fixed address.
target_link_options(htp_python_embed INTERFACE -Wl,--export-dynamic -no-pie)
