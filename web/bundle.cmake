# Makes the page's C++ source: cmake -DNODE=… -DFOLDER=… -DNO_PAGE=… -P bundle.cmake
if(EXISTS ${FOLDER}/not_fetched)
  configure_file(${NO_PAGE} ${FOLDER}/report_page.cpp COPYONLY)
  file(TOUCH ${FOLDER}/report_page.cpp)
  return()
endif()
execute_process(COMMAND ${NODE} ${FOLDER}/bundle.mjs ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
