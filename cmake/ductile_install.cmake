# SPDX-License-Identifier: MIT
# What others need to find the installed library: a CMake package and pkg-config files. All find
# their prefix from where they lie, so the tree may be moved. docs/install.md tells how to use them.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY DUCTILE_MODULES)

# All of the library under one name.
add_library(ductile_all INTERFACE)
add_library(ductile::ductile ALIAS ductile_all)
set_target_properties(ductile_all PROPERTIES EXPORT_NAME ductile)
list(TRANSFORM modules PREPEND ductile:: OUTPUT_VARIABLE module_targets)
target_link_libraries(ductile_all INTERFACE ${module_targets})
install(TARGETS ductile_all EXPORT ductile COMPONENT library)

# ductile_collect(OUT MODULE...): the modules and those that they depend on, users first, as static
# libraries are linked; OUT_NEEDS: the targets of others that these link.
function(ductile_collect out)
  set(wanted ${ARGN})
  set(found "")
  set(needs "")
  set(users_first ${modules})
  list(REVERSE users_first)
  foreach(module ${users_first})
    if(NOT module IN_LIST wanted)
      continue()
    endif()
    list(APPEND found ${module})
    get_property(depends GLOBAL PROPERTY DUCTILE_DEPENDS_${module})
    list(TRANSFORM depends REPLACE "^ductile::" "")
    list(APPEND wanted ${depends})
    get_property(links GLOBAL PROPERTY DUCTILE_LINKS_${module})
    list(APPEND needs ${links})
  endforeach()
  list(REMOVE_DUPLICATES needs)
  set(${out} ${found} PARENT_SCOPE)
  set(${out}_NEEDS ${needs} PARENT_SCOPE)
endfunction()

# ---- for CMake ---------------------------------------------------------------------------------

set(DUCTILE_COMPONENT_NEEDS "")
foreach(module ${modules})
  ductile_collect(collected ${module})
  string(APPEND DUCTILE_COMPONENT_NEEDS "set(ductile_needs_${module}")
  foreach(target ${collected_NEEDS})
    ductile_describe_need(${target} need)
    if(need_FIND MATCHES "^pkg-config ")  # Under a name of ours: the user's project may look itself.
      string(REPLACE "PkgConfig::" "" target ${target})
      string(APPEND need_FIND " ${target}")
    endif()
    string(APPEND DUCTILE_COMPONENT_NEEDS "\n    \"${need_FIND}\"")
  endforeach()
  string(APPEND DUCTILE_COMPONENT_NEEDS ")\n")
endforeach()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/ductile)
install(EXPORT ductile FILE ductileTargets.cmake NAMESPACE ductile:: DESTINATION ${package_folder}
        COMPONENT library)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ductileConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/ductileConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may change what programs see.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ductileConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/ductileBullet.cmake
              ${PROJECT_BINARY_DIR}/ductileConfig.cmake
              ${PROJECT_BINARY_DIR}/ductileConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT library)

# ---- for pkg-config ----------------------------------------------------------------------------

set(DUCTILE_PC_DEFINES "")
if(DUCTILE_ASSERTS)
  set(DUCTILE_PC_DEFINES " -DDUCTILE_ASSERTS=1")
endif()
file(RELATIVE_PATH DUCTILE_PC_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})

# ductile_write_pc(NAME MODULE...): a package of the modules and of all that they need.
function(ductile_write_pc DUCTILE_PC_NAME)
  ductile_collect(collected ${ARGN})
  set(DUCTILE_PC_REQUIRES "")
  set(DUCTILE_PC_LIBS "")
  foreach(module ${collected})
    get_target_property(type ductile_${module} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      string(APPEND DUCTILE_PC_LIBS " -lductile-${module}")
    endif()
  endforeach()
  foreach(target ${collected_NEEDS})
    ductile_describe_need(${target} need)
    if(need_REQUIRES)
      string(APPEND DUCTILE_PC_REQUIRES " ${need_REQUIRES}")
    endif()
    if(need_LIBS)
      string(APPEND DUCTILE_PC_LIBS " ${need_LIBS}")
    endif()
  endforeach()
  set(file ${PROJECT_BINARY_DIR}/pkgconfig/${DUCTILE_PC_NAME}.pc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/ductile.pc.in ${file} @ONLY)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
endfunction()

ductile_write_pc(ductile ${modules})
foreach(module ${modules})
  ductile_write_pc(ductile-${module} ${module})
endforeach()

# ---- the command -------------------------------------------------------------------------------

# Everything that an installation holds: `cmake --install` itself builds nothing.
add_custom_target(ductile_product)
foreach(module ${modules})
  add_dependencies(ductile_product ductile_${module})
endforeach()
if(TARGET ductile_cli)
  install(TARGETS ductile_cli ductile_import RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
          COMPONENT command)
  install(DIRECTORY scenes/maps scenes/meshes DESTINATION ${CMAKE_INSTALL_DATADIR}/ductile/scenes
          COMPONENT command)
  install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
  add_dependencies(ductile_product ductile_cli ductile_import)
endif()
