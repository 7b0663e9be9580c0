// What was written to a stream, for tests of logs.
#pragma once

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace tidegate::test {

class Stream {
 public:
  Stream() : file_{std::tmpfile()} {}
  ~Stream() { std::fclose(file_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  std::FILE* file() const { return file_; }

  std::string text() const {
    std::fflush(file_);
    std::rewind(file_);
    std::string all;
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) all += static_cast<char>(c);
    return all;
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::istringstream stream{text()};
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
  }

 private:
  std::FILE* file_;
};

}  // namespace tidegate::test
