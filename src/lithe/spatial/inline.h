#pragma once

// Under sanitizers, which make every access a call, the inlined recursion would take many minutes to compile.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(LITHE_SANITIZE)
#define LITHE_INLINE inline
#else
#define LITHE_INLINE [[gnu::always_inline]] inline
#endif
