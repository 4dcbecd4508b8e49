/* Stands in for the C library's list of unimplemented functions, which is
   missing where no 32-bit development files are installed. Searched last. */
