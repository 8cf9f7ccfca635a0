# SPDX-License-Identifier: MIT
# Bullet in two precisions has the same names for different things: a program that links both links
# in silence and crashes. Looked for at the end of the configuration, since a project may find
# Bullet after ductile.

# Appends to the list `out` everything that a target links, by however many steps.
function(ductile_append_linked target out)
  set(all ${${out}})
  set(linked "")
  foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(items ${target} ${property})
    if(items)
      list(APPEND linked ${items})
    endif()
  endforeach()
  foreach(item ${linked})
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" item "${item}")
    if(item IN_LIST all)
      continue()
    endif()
    list(APPEND all "${item}")
    # What ductile itself links is known.
    if(TARGET "${item}" AND NOT item MATCHES "^(ductile::|ductile_)")
      ductile_append_linked("${item}" all)
    endif()
  endforeach()
  set(${out} ${all} PARENT_SCOPE)
endfunction()

# Refuses a target of the project that links ductile and Bullet in the other precision.
function(ductile_check_target target package definitions)
  set(linked "")
  ductile_append_linked(${target} linked)
  if(NOT linked MATCHES "(^|;)(ductile::|ductile_)")
    return()
  endif()
  foreach(item ${linked})
    if(NOT item MATCHES "(^|/lib|-l)(Bullet[A-Za-z]+|LinearMath)(-float64)?(\\.so|\\.a|$)")
      continue()
    endif()
    set(found "bullet${CMAKE_MATCH_3}")
    # Whoever builds Bullet themselves may give double precision the plain name.
    if(definitions MATCHES "BT_USE_DOUBLE_PRECISION")
      set(found bullet-float64)
    endif()
    if(NOT found STREQUAL package)
      set(bullet single)
      set(bullet-float64 double)
      message(FATAL_ERROR
        "'${target}' links ductile, which was built with Bullet in ${${package}} precision, and "
        "'${item}', which is Bullet in ${${found}} precision. Both in one program crash. Link "
        "ductile::engine_bullet alone, which brings Bullet along; or find Bullet by "
        "pkg_check_modules(... ${package}); or build ductile in ${${found}} precision "
        "(DUCTILE_BULLET_FLOAT).")
    endif()
  endforeach()
endfunction()

function(ductile_check_folder folder package)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  # As find_package(Bullet) left it there.
  get_directory_property(definitions DIRECTORY ${folder} DEFINITION BULLET_DEFINITIONS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY" AND NOT target MATCHES "^ductile_")
      ductile_check_target(${target} ${package} "${definitions}")
    endif()
  endforeach()
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(next ${below})
    ductile_check_folder(${next} ${package})
  endforeach()
endfunction()

# ductile_watch_bullet(PACKAGE): when the whole project is configured, its programs are checked to
# link no Bullet but that of PACKAGE, bullet or bullet-float64, beside ductile.
function(ductile_watch_bullet package)
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL
                            ductile_check_folder [[${CMAKE_SOURCE_DIR}]] ${package})")
endfunction()
