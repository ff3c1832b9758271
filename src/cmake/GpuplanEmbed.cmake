# gpuplan_embed(target file...): puts data files into the program as read-only bytes, unparsed, so
# that a start costs nothing until a table is asked for.
function(gpuplan_embed target)
  set(assembly "")
  foreach(file IN LISTS ARGN)
    get_filename_component(name "${file}" NAME_WE)
    # data/catalog.json and data/schema/catalog.json are two.
    get_filename_component(folder "${file}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    if(folder STREQUAL "schema")
      string(PREPEND name "${folder}_")
    endif()
    string(MAKE_C_IDENTIFIER "${name}" name)
    string(APPEND assembly "  .global gpuplan_data_${name}\n  .global gpuplan_data_${name}_end\n"
      "gpuplan_data_${name}:\n  .incbin \"${file}\"\ngpuplan_data_${name}_end:\n  .byte 0\n")
    set_property(SOURCE "${CMAKE_CURRENT_BINARY_DIR}/embedded_${target}.S" APPEND PROPERTY OBJECT_DEPENDS "${file}")
  endforeach()
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/embedded_${target}.S" CONTENT
"  .section .rodata
${assembly}
#if defined(__linux__)
  .section .note.GNU-stack,\"\",%progbits
#endif
" @ONLY)
  target_sources(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/embedded_${target}.S")
endfunction()
