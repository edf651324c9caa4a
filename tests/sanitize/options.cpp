// What the sanitizers do in our programs, built into them: the same by hand, under ctest, while tests are listed and in a program
// that a test starts. Compiled into every executable of a sanitizer build (cmake/sanitize.cmake).

// Called before the sanitizers are ready, so not checked themselves.
#define LITHE_UNCHECKED \
  extern "C" __attribute__((no_sanitize("address", "undefined"), visibility("default"), used)) const char*

// 99 is no code of lithe's: a test that expects exit 1 or 2 must not take a finding for it.
LITHE_UNCHECKED __asan_default_options() {
  return "exitcode=99:detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:check_initialization_order="
         "1";
}

LITHE_UNCHECKED __ubsan_default_options() { return "exitcode=99:halt_on_error=1:print_stacktrace=1"; }

LITHE_UNCHECKED __lsan_default_options() { return "exitcode=99:print_suppressions=0:suppressions=" LITHE_LEAKS; }
