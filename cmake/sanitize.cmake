# Address, undefined-behaviour and float-to-integer sanitizers in everything of ours (LITHE_SANITIZE, `./lithe test sanitize`).
# What they do at run time is built into the programs: tests/sanitize/options.cpp.
set(LITHE_SANITIZERS -fsanitize=address,undefined,float-cast-overflow)

# -O1 -g1: two to three times as fast as -O0 and still with lines in what they report. libstdc++ checks its own indices too.
function(lithe_sanitize_flags target)
  target_compile_options(${target} INTERFACE ${LITHE_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1)
  target_compile_definitions(${target} INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(${target} INTERFACE ${LITHE_SANITIZERS})
endfunction()

# Called for every executable.
function(lithe_sanitize_program target)
  if(LITHE_SANITIZE)
    set(options ${PROJECT_SOURCE_DIR}/tests/sanitize/options.cpp)
    target_sources(${target} PRIVATE ${options})
    set_source_files_properties(${options} PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_DEFINITIONS
      "LITHE_LEAKS=\"${PROJECT_SOURCE_DIR}/tests/sanitize/leaks.supp\"")
  endif()
endfunction()
