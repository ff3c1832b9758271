# `cmake --install`: the program, the library, its headers and find_package(gpuplan).
include(CMakePackageConfigHelpers)
# Two components: the program with its manual, and what a developer needs beside it.
install(TARGETS gpuplan_lib EXPORT gpuplan ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT development)
install(TARGETS gpuplan_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY include/gpuplan DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT gpuplan NAMESPACE gpuplan:: FILE gpuplanTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpuplan COMPONENT development)
configure_package_config_file(src/cmake/gpuplanConfig.cmake.in
  "${PROJECT_BINARY_DIR}/gpuplanConfig.cmake"
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpuplan)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gpuplanConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gpuplanConfig.cmake"
              "${PROJECT_BINARY_DIR}/gpuplanConfigVersion.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gpuplan COMPONENT development)

# Manual pages and completion scripts, written by the program itself from its own options.
if(PROJECT_IS_TOP_LEVEL)
  set(manual "${PROJECT_BINARY_DIR}/manual")
  add_custom_command(OUTPUT "${manual}/made"
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:gpuplan_program> -DOUT=${manual}
            -P "${PROJECT_SOURCE_DIR}/src/cmake/make_manual.cmake"
    DEPENDS gpuplan_program "${PROJECT_SOURCE_DIR}/src/cmake/make_manual.cmake" VERBATIM)
  add_custom_target(gpuplan_manual ALL DEPENDS "${manual}/made")
  install(DIRECTORY "${manual}/man1" "${manual}/man7" DESTINATION ${CMAKE_INSTALL_MANDIR}
          COMPONENT program OPTIONAL)
  install(FILES "${manual}/gpuplan.bash" RENAME gpuplan COMPONENT program OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES "${manual}/_gpuplan" COMPONENT program OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES "${manual}/gpuplan.fish" COMPONENT program OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(FILES README.md COMPONENT program DESTINATION ${CMAKE_INSTALL_DOCDIR})
  # What the README leads to.
  install(DIRECTORY examples COMPONENT program DESTINATION ${CMAKE_INSTALL_DOCDIR}
          FILES_MATCHING PATTERN "*.md" PATTERN "*.json" PATTERN "*.yml" PATTERN "*.txt")
  install(FILES LICENSE RENAME copyright COMPONENT program DESTINATION ${CMAKE_INSTALL_DOCDIR})
  include(GpuplanPackage)
endif()
