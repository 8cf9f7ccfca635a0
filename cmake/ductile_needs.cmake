# SPDX-License-Identifier: MIT
# What ductile's modules link: as which target, how it is found and what pkg-config says instead. The
# only such list: builds look by it, and so do the packages that ductile_install.cmake writes.
# TARGET | arguments of find_package, or "pkg-config" and a package | Requires | Libs
set(DUCTILE_NEEDS
    "Threads::Threads|Threads||-pthread"
    "Eigen3::Eigen|Eigen3 3.4 CONFIG|eigen3|"
    "fmt::fmt|fmt CONFIG|fmt|"
    "nlohmann_json::nlohmann_json|nlohmann_json CONFIG|nlohmann_json|"
    "TBB::tbb|TBB CONFIG|tbb|"
    "meshoptimizer::meshoptimizer|meshoptimizer CONFIG||-lmeshoptimizer"
    "ZLIB::ZLIB|ZLIB|zlib|"
    "PNG::PNG|PNG|libpng|"
    "Freetype::Freetype|Freetype|freetype2|"
    "embree|embree 3 CONFIG||-lembree3"
    "assimp::assimp|assimp CONFIG|assimp|"
    "CLI11::CLI11|CLI11 CONFIG||"
    "PkgConfig::DUCTILE_TURBOJPEG|pkg-config libturbojpeg|libturbojpeg|"
    "PkgConfig::DUCTILE_BULLET|pkg-config ${DUCTILE_BULLET_PACKAGE}|${DUCTILE_BULLET_PACKAGE}|")

# ductile_describe_need(TARGET PREFIX): sets PREFIX_FIND, PREFIX_REQUIRES and PREFIX_LIBS; stops
# where the list does not know the target.
function(ductile_describe_need target prefix)
  foreach(need IN LISTS DUCTILE_NEEDS)
    if(need MATCHES "^${target}\\|([^|]*)\\|([^|]*)\\|([^|]*)$")
      set(${prefix}_FIND "${CMAKE_MATCH_1}" PARENT_SCOPE)
      set(${prefix}_REQUIRES "${CMAKE_MATCH_2}" PARENT_SCOPE)
      set(${prefix}_LIBS "${CMAKE_MATCH_3}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "cmake/ductile_needs.cmake does not tell how to find ${target}")
endfunction()

# ductile_find_needs(): looks for all of them. What is missing is left to the modules, which
# know whether they can do without.
macro(ductile_find_needs)
  foreach(need IN LISTS DUCTILE_NEEDS)
    string(REGEX REPLACE "^([^|]*)\\|([^|]*)\\|.*" "\\1;\\2" need "${need}")
    list(GET need 0 target)
    list(GET need 1 need)
    separate_arguments(need UNIX_COMMAND "${need}")
    if(TARGET ${target})
      continue()
    elseif(need MATCHES "^pkg-config;(.*)")
      string(REPLACE "PkgConfig::" "" target ${target})
      pkg_check_modules(${target} QUIET IMPORTED_TARGET ${CMAKE_MATCH_1})
    else()
      find_package(${need} QUIET)
    endif()
  endforeach()
endmacro()

# ductile_lacks(OUT TARGET...): those of the targets that are not there.
function(ductile_lacks out)
  set(lacking "")
  foreach(target ${ARGN})
    if(NOT TARGET ${target})
      list(APPEND lacking ${target})
    endif()
  endforeach()
  set(${out} ${lacking} PARENT_SCOPE)
endfunction()

# ductile_leave_out(WHAT TARGET...): refuses to build ductile itself without them; a project that it is
# part of does without WHAT.
function(ductile_leave_out what)
  list(JOIN ARGN ", " lacking)
  if(PROJECT_IS_TOP_LEVEL)
    message(FATAL_ERROR "${what} needs what CMake does not find: ${lacking} "
            "(scripts/debian-packages.txt names Debian's packages)")
  endif()
  message(STATUS "ductile: without ${what}, which needs ${lacking}")
endfunction()
