# SPDX-License-Identifier: BSD-3-Clause
# Layers that know nothing of pointers-to-shared, upcr_layer(NAME LAYOUT_FREE), are the same in builds with other
# pointer layouts. Such a build can link those of another build, UPCR_LAYOUT_FREE_FROM, and save the time to compile
# them; tests/matrix does.
#
#   - The other build must be of the same sources, by the same compiler, with the same options other than those of the
#     build type; else it is an error.
#   - Its layers are brought up to date when this build is configured, which it is again when sources have changed.
#   - <upcr/config.h>, which has the layout, is not found when a layer is compiled that is said to know none.
set(UPCR_LAYOUT_FREE_FROM "" CACHE PATH
  "a build folder of the same sources with another pointer layout: what knows no layout is linked from there")
string(JOIN ", " upcr_layout_free_options ${PROJECT_SOURCE_DIR}
  "${CMAKE_CXX_COMPILER} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_CXX_FLAGS}" "${CMAKE_BUILD_TYPE}"
  "sanitizer '${UPCR_SANITIZE}'")

# upcr_import_layout_free_layers(): those of UPCR_LAYOUT_FREE_FROM, as imported targets of the same names.
macro(upcr_import_layout_free_layers)
  include(${UPCR_LAYOUT_FREE_FROM}/layout_free/options.cmake)
  if(NOT upcr_their_options STREQUAL upcr_layout_free_options)
    message(FATAL_ERROR "UPCR_LAYOUT_FREE_FROM: ${UPCR_LAYOUT_FREE_FROM} is another kind of build\n"
                        "there: ${upcr_their_options}\nhere:  ${upcr_layout_free_options}")
  endif()
  # All that a layer may include. Objects of before a change would not fit what is compiled here.
  file(GLOB_RECURSE upcr_their_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/conduits/* ${PROJECT_SOURCE_DIR}/upcr/* ${PROJECT_SOURCE_DIR}/include/*)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${upcr_their_sources})
  # Two builds that are configured at the same time do not build there at the same time.
  file(LOCK ${UPCR_LAYOUT_FREE_FROM}/layout_free DIRECTORY)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${UPCR_LAYOUT_FREE_FROM} --target ${upcr_their_layers}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(LOCK ${UPCR_LAYOUT_FREE_FROM}/layout_free DIRECTORY RELEASE)
  include(${UPCR_LAYOUT_FREE_FROM}/layout_free/layers.cmake)
endmacro()

# upcr_export_layout_free_layers(): leaves what the macro above reads.
function(upcr_export_layout_free_layers)
  get_property(layers GLOBAL PROPERTY UPCR_LAYOUT_FREE_LAYERS)
  export(TARGETS ${layers} FILE ${PROJECT_BINARY_DIR}/layout_free/layers.cmake)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/layout_free/options.cmake @ONLY
    CONTENT "set(upcr_their_options [[@upcr_layout_free_options@]])\nset(upcr_their_layers @layers@)\n")
endfunction()
