# SPDX-License-Identifier: MIT
# One static library per folder of src/ductile, linked only to what its row in ARCHITECTURE.md allows.

add_library(ductile_flags INTERFACE)
# Options structs are filled by designated initialisers; what is left out has its default.
# Fused multiply-adds would make results depend on the compiler's mood: same input, same bytes.
target_compile_options(ductile_flags INTERFACE -ffp-contract=off -Wall -Wextra -Wshadow
                       -Wnon-virtual-dtor -Woverloaded-virtual -Wno-psabi
                       -Wno-missing-field-initializers
                       # GCC 12 sees ghosts in sums of std::string, depending on their lengths.
                       -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
if(DUCTILE_WARNINGS_AS_ERRORS)
  target_compile_options(ductile_flags INTERFACE -Werror)
endif()
if(DUCTILE_ASSERTS)
  target_compile_definitions(ductile_flags INTERFACE DUCTILE_ASSERTS=1)
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

# ductile_module(NAME SOURCES a.cpp b.cpp DEPENDS core geom PUBLIC lib... PRIVATE lib...)
function(ductile_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PUBLIC;PRIVATE" ${ARGN})
  set(target ductile_${name})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE} ductile_flags)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${DUCTILE_UNITY} UNITY_BUILD_BATCH_SIZE 6)
    if(DUCTILE_UNITY)
      # Several sources in one unit look to the compiler like headers with private parts.
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(ductile::${name} ALIAS ${target})
  target_include_directories(${target} ${scope} ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM arg_DEPENDS PREPEND ductile::)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS} ${arg_PUBLIC})
endfunction()
