# SPDX-License-Identifier: MIT
# One static library per folder of src/ductile, linked only to what its row in ARCHITECTURE.md allows.
include(GNUInstallDirs)

add_library(ductile_flags INTERFACE)
# Options structs are filled by designated initialisers; what is left out has its default.
# Fused multiply-adds would make results depend on the compiler's mood: same input, same bytes.
target_compile_options(ductile_flags INTERFACE -ffp-contract=off -Wall -Wextra
                       # To clang, sources that share a unit shadow each other's private names.
                       $<$<CXX_COMPILER_ID:GNU>:-Wshadow>
                       -Wnon-virtual-dtor -Woverloaded-virtual -Wno-psabi
                       -Wno-missing-field-initializers
                       # GCC 12 sees ghosts in sums of std::string, depending on their lengths.
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-restrict
                       -Wno-stringop-overflow>)
if(DUCTILE_UNITY)
  # Units of many sources are worth the memory: GCC spends a tenth of its time on looking for some.
  target_compile_options(ductile_flags INTERFACE
                         $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1500000>)
endif()
if(DUCTILE_WARNINGS_AS_ERRORS)
  target_compile_options(ductile_flags INTERFACE -Werror)
endif()
if(DUCTILE_OTHER_CHAR)
  # char is signed on x86 and unsigned on ARM: with this, one machine tests both.
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles("static_assert(char(-1) < 0); int main() {}" DUCTILE_CHAR_IS_SIGNED)
  target_compile_options(ductile_flags INTERFACE
                         $<IF:$<BOOL:${DUCTILE_CHAR_IS_SIGNED}>,-funsigned-char,-fsigned-char>)
endif()
if(DUCTILE_SANITIZE)
  target_compile_options(ductile_flags INTERFACE -fsanitize=${DUCTILE_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ductile_flags INTERFACE -fsanitize=${DUCTILE_SANITIZE})
  if(DUCTILE_SANITIZE MATCHES "address")
    # What these would find, the address sanitizer finds too; they cost a third of the compile time.
    target_compile_options(ductile_flags INTERFACE
                           -fno-sanitize=null,alignment,vptr,object-size,pointer-overflow)
  endif()
endif()

# What most sources include, parsed once for all libraries, once for all tests and once for the
# command. scripts/check_headers.py shows that headers do not live by it.
set(DUCTILE_PRECOMPILED <Eigen/Geometry> <fmt/format.h> <nlohmann/json.hpp> <algorithm> <array>
    <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set> <span> <string>
    <string_view> <variant> <vector>)
if(DUCTILE_PRECOMPILE)
  # ccache and precompiled headers get along with these.
  target_compile_options(ductile_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
                         "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# ductile_precompile(TARGET OWNER HEADER...): TARGET begins with the precompiled headers of OWNER,
# which the first to name it makes, with HEADERs of its own beside the common ones.
function(ductile_precompile target owner)
  if(NOT DUCTILE_PRECOMPILE)
    return()
  endif()
  if(NOT TARGET ${owner})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${owner}.cpp CONTENT "")
    add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/${owner}.cpp)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      # As programs are compiled, or the compiler refuses to use it for them.
      set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${owner} PRIVATE -fPIE)
    endif()
    target_link_libraries(${owner} PRIVATE ductile_flags Eigen3::Eigen fmt::fmt
                          nlohmann_json::nlohmann_json)
    target_compile_definitions(${owner} PRIVATE $<$<BOOL:${DUCTILE_ASSERTS}>:DUCTILE_ASSERTS=1>)
    target_precompile_headers(${owner} PRIVATE ${DUCTILE_PRECOMPILED} ${ARGN})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# ductile_unity(TARGET COUNT): COUNT sources of TARGET at a time are compiled as one.
function(ductile_unity target count)
  if(NOT DUCTILE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
  # Several sources in one unit look to GCC like headers with private parts, and to clang as if a
  # name of one shadowed another's; GCC looks for those that do.
  target_compile_options(${target} PRIVATE
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
                         $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
endfunction()

# ductile_module(NAME SOURCES a.cpp b.cpp HEADERS a.h INCLUDED b.h DEPENDS core PUBLIC lib... PRIVATE lib...)
# HEADERS are the public ones, INCLUDED are what those include of ductile's besides each other: both
# are installed, and keep to each other (scripts/check_headers.py). A module without any
# is not installed, unless it is LINKED to by some that are. Where a library is not there, projects that
# ductile is part of get neither the module nor those that depend on it.
function(ductile_module name)
  cmake_parse_arguments(arg "LINKED" "" "SOURCES;HEADERS;INCLUDED;DEPENDS;PUBLIC;PRIVATE" ${ARGN})
  set(target ductile_${name})
  list(TRANSFORM arg_DEPENDS PREPEND ductile::)
  ductile_lacks(lacking ${arg_DEPENDS} ${arg_PUBLIC} ${arg_PRIVATE})
  if(lacking)
    ductile_leave_out(ductile::${name} ${lacking})
    return()
  endif()
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:ductile_flags>)
    ductile_unity(${target} 9)
    ductile_precompile(${target} ductile_library_headers)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(ductile::${name} ALIAS ${target})
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Functions in headers are compiled by users, too, and the linker keeps one of all copies: it must
  # not matter which.
  target_compile_features(${target} ${scope} cxx_std_20)
  target_compile_options(${target} ${scope} -ffp-contract=off)
  if(DUCTILE_ASSERTS)
    target_compile_definitions(${target} ${scope} DUCTILE_ASSERTS=1)
  endif()
  target_link_libraries(${target} ${scope} ${arg_DEPENDS} ${arg_PUBLIC})
  if(arg_HEADERS OR arg_INCLUDED OR arg_LINKED)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ductile-${name} EXPORT_NAME ${name})
    set_property(GLOBAL APPEND PROPERTY DUCTILE_MODULES ${name})
    set_property(GLOBAL PROPERTY DUCTILE_DEPENDS_${name} ${arg_DEPENDS})
    set_property(GLOBAL PROPERTY DUCTILE_LINKS_${name} ${arg_PUBLIC} ${arg_PRIVATE})
    ductile_install_module(${target} ${arg_HEADERS} ${arg_INCLUDED})
  endif()
endfunction()

function(ductile_install_module target)
  install(TARGETS ${target} EXPORT ductile ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          COMPONENT library)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(header ${ARGN})
    get_filename_component(below ${header} DIRECTORY)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder}/${below}
            COMPONENT library)
  endforeach()
endfunction()
