# SPDX-License-Identifier: MIT
# What others need to find the installed library: a CMake package and a pkg-config file. Both find
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

# A static library names what it needs after itself: users first.
list(REVERSE modules)
set(DUCTILE_PC_LIBS "")
foreach(module ${modules})
  get_target_property(type ductile_${module} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    string(APPEND DUCTILE_PC_LIBS " -lductile-${module}")
  endif()
endforeach()
set(DUCTILE_PC_DEFINES "")
if(DUCTILE_ASSERTS)
  set(DUCTILE_PC_DEFINES " -DDUCTILE_ASSERTS=1")
endif()
file(RELATIVE_PATH DUCTILE_PC_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/ductile.pc.in ${PROJECT_BINARY_DIR}/ductile.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ductile.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT library)

install(TARGETS ductile_cli ductile_import RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        COMPONENT command)
install(DIRECTORY scenes/maps scenes/meshes DESTINATION ${CMAKE_INSTALL_DATADIR}/ductile/scenes
        COMPONENT command)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)

# Everything that an installation holds: `cmake --install` itself builds nothing.
add_custom_target(ductile_product DEPENDS ductile_cli ductile_import)
foreach(module ${modules})
  add_dependencies(ductile_product ductile_${module})
endforeach()
