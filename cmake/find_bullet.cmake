# SPDX-License-Identifier: MIT
# Bullet in the precision that was asked for; for tests in the other one, too, where it is there.
include(${CMAKE_CURRENT_LIST_DIR}/ductileBullet.cmake)

# ductile_find_bullet(PREFIX PACKAGE): PkgConfig::PREFIX, if pkg-config knows the package and its
# flags are of the precision that the package is for.
function(ductile_find_bullet prefix package)
  pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${package})
  set(${prefix}_FOUND ${${prefix}_FOUND} PARENT_SCOPE)
  if(NOT ${prefix}_FOUND)
    return()
  endif()
  set(wanted single)
  if(package MATCHES "float64")
    set(wanted double)
  endif()
  set(found single)
  if("${${prefix}_CFLAGS}" MATCHES "BT_USE_DOUBLE_PRECISION")
    set(found double)
  endif()
  if(NOT wanted STREQUAL found)
    message(FATAL_ERROR "pkg-config's package '${package}' is Bullet in ${found} precision, and "
            "ductile looks there for ${wanted} precision (DUCTILE_BULLET_FLOAT chooses)")
  endif()
endfunction()

set(DUCTILE_BULLET_PACKAGE bullet-float64)
set(other_package bullet)
if(DUCTILE_BULLET_FLOAT)
  set(DUCTILE_BULLET_PACKAGE bullet)
  set(other_package bullet-float64)
endif()
ductile_find_bullet(DUCTILE_BULLET ${DUCTILE_BULLET_PACKAGE})
if(NOT DUCTILE_BULLET_FOUND AND PROJECT_IS_TOP_LEVEL)
  message(FATAL_ERROR "pkg-config does not know '${DUCTILE_BULLET_PACKAGE}' (Debian: libbullet-dev; "
          "DUCTILE_BULLET_FLOAT chooses between double and single precision)")
endif()
if(DUCTILE_BUILD_TESTS AND NOT DUCTILE_SANITIZE)
  ductile_find_bullet(DUCTILE_OTHER_BULLET ${other_package})
endif()
if(NOT PROJECT_IS_TOP_LEVEL)
  ductile_watch_bullet(${DUCTILE_BULLET_PACKAGE})
endif()
