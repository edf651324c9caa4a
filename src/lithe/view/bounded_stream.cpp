#include "lithe/view/bounded_stream.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lithe {

BoundedStream::BoundedStream(socket_t socket, size_t most_bytes, std::chrono::milliseconds to_ask,
                             std::chrono::milliseconds to_take)
    : socket_(socket), bytes_left_(most_bytes), ask_by_(Clock::now() + to_ask), to_take_(to_take) {}

bool BoundedStream::wait(short events, Clock::time_point until) const {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    pollfd end{socket_, events, 0};
    const int ready = ::poll(&end, 1, int(left));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

bool BoundedStream::is_readable() const { return first_ < last_ || wait(POLLIN, ask_by_); }
bool BoundedStream::is_writable() const {
  return wait(POLLOUT, take_by_ == Clock::time_point{} ? Clock::now() + to_take_ : take_by_);
}

ssize_t BoundedStream::read(char* to, size_t size) {
  if (first_ == last_) {
    if (bytes_left_ == 0 || !wait(POLLIN, ask_by_)) return -1;
    const ssize_t n = ::recv(socket_, buffer_, std::min(sizeof buffer_, bytes_left_), 0);
    if (n <= 0) return n;
    first_ = 0;
    last_ = size_t(n);
    bytes_left_ -= size_t(n);
  }
  const size_t n = std::min(size, last_ - first_);
  std::memcpy(to, buffer_ + first_, n);
  first_ += n;
  return ssize_t(n);
}

ssize_t BoundedStream::write(const char* from, size_t size) {
  if (take_by_ == Clock::time_point{}) take_by_ = Clock::now() + to_take_;
  if (!wait(POLLOUT, take_by_)) return -1;
  return ::send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void BoundedStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();  // the address is not used
  port = 0;
}
void BoundedStream::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

}  // namespace lithe
