# What every target of ours gets: warnings, sanitizers, a compiler cache where there is one.
find_program(GPUPLAN_CCACHE ccache)
if(GPUPLAN_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${GPUPLAN_CCACHE}")
endif()

function(gpuplan_target name)
  target_compile_features(${name} PUBLIC cxx_std_20)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  # -ffp-contract=off: the same estimates on machines with and without fused multiply-add.
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic
    -Wconversion -Wshadow -ffp-contract=off>)
  # g++ 12 and 13 see overlapping copies in "text" + std::string where there are none (GCC bug 105651).
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
  if(GPUPLAN_WERROR)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  endif()
  if(GPUPLAN_SANITIZE)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${GPUPLAN_SANITIZE}
      -fno-sanitize-recover=all -fno-omit-frame-pointer>)
    target_link_options(${name} PRIVATE -fsanitize=${GPUPLAN_SANITIZE})
  endif()
endfunction()
