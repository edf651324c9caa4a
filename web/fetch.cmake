# Fetches what the page is made of: cmake -DNPM=… -DFOLDER=… -DOMIT=… -DSTAMP=… -P fetch.cmake
# Where npm cannot (no network), the rest of lithe is built all the same, and `lithe report` says what is missing.
# What another configuration fetched, with tools or without, is replaced.
file(REMOVE ${FOLDER}/not_fetched ${FOLDER}/fetched ${FOLDER}/fetched_with_tools)
execute_process(COMMAND ${NPM} ci ${OMIT} --ignore-scripts --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${FOLDER}
  RESULT_VARIABLE failed)
if(failed)
  message("npm could not fetch three.js, uPlot and esbuild: built without `lithe report`. To try again, remove ${FOLDER}")
  file(TOUCH ${FOLDER}/not_fetched)
endif()
file(TOUCH ${STAMP})
