#include "lithe/view/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace lithe {

void become(char* const* words, const ChildEnds& ends, int with_owner, pid_t owner) {
  ::setpgid(0, 0);  // Ctrl-C at the terminal is the owner's to handle
  ::prctl(PR_SET_PDEATHSIG, with_owner);
  if (::getppid() != owner) ::_exit(127);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(ends.in < 0 ? nothing : ends.in, 0);
  ::dup2(ends.out < 0 ? nothing : ends.out, 1);
  ::dup2(ends.err < 0 ? nothing : ends.err, 2);
  ::close_range(3, ~0U, 0);  // connections of others, which would stay open as long as this runs
  ::execv(words[0], words);
  ::_exit(127);
}

}  // namespace lithe
