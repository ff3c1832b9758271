# `cmake --install`: the program, the library, its headers and find_package(gpuplan).
include(CMakePackageConfigHelpers)
install(TARGETS gpuplan_lib EXPORT gpuplan ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS gpuplan_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/gpuplan DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT gpuplan NAMESPACE gpuplan:: FILE gpuplanTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpuplan)
configure_package_config_file(src/cmake/gpuplanConfig.cmake.in
  "${PROJECT_BINARY_DIR}/gpuplanConfig.cmake"
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpuplan)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gpuplanConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gpuplanConfig.cmake"
              "${PROJECT_BINARY_DIR}/gpuplanConfigVersion.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpuplan)
