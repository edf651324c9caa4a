#pragma once

#include <httplib.h>

#include <chrono>

namespace lithe {

/// A client's connection with limits: on the bytes that are read from it, and on the time. The library by itself would wait for and
/// collect whatever a client sends, as long as something arrives from time to time.
class BoundedStream : public httplib::Stream {
 public:
  BoundedStream(socket_t socket, size_t most_bytes, std::chrono::milliseconds to_ask,
                std::chrono::milliseconds to_take);

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* to, size_t size) override;
  ssize_t write(const char* from, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool wait(short events, Clock::time_point until) const;

  socket_t socket_;
  size_t bytes_left_;
  Clock::time_point ask_by_;
  std::chrono::milliseconds to_take_;
  Clock::time_point take_by_{};
  char buffer_[4096];
  size_t first_ = 0, last_ = 0;  // of what is in the buffer
};

}  // namespace lithe
