# Configures build/sanitize, builds the quick part and runs it; what the sanitizers find ends it with code 99.
function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed (${code}): ${ARGV}\n${out}")
  endif()
endfunction()
run(${CMAKE_COMMAND} --preset sanitize)
run(${CMAKE_COMMAND} --build --preset sanitize --target lithe_quick_tests)
# Half the trials of property tests: sanitized code is ten times slower. Not the run that is killed after some milliseconds, which
# needs the speed of optimised code to have written anything by then, and not those that run the program, which is not built.
run(${CMAKE_COMMAND} -E env "RC_PARAMS=seed=20261115 max_success=50" ${SOURCE}/build/sanitize/bin/lithe_quick_tests --gtest_brief=1
  "--gtest_filter=-Results.KilledRunLeavesAReadableFile:MeshSolids.OfBinaryFilesComeBackFromResults:MeasuredOverRuns.*")
