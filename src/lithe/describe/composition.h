#pragma once

#include <functional>

#include "lithe/describe/document.h"

namespace lithe {

/// Reads a file with what it includes; complaints about the file itself go to the place and key that asked for it.
using ReadFile = std::function<Node(const std::string& file, const Location& asked_from, const char* asked_as)>;

/// Where a case's arm is `{carrier: FILE, carries: FILE or list}`, puts one arm in its place, every piece still knowing the file
/// it came from: the carrier's options, base and links, then the links of each carried arm with an entry in `mounts`. A part may
/// itself be composed. Names are relative to the file they stand in.
///
/// A carried arm has a fixed base, whose `origin` says where it stands on the tip, the carrier's options, and no name in common
/// with what carries it. What the parts say in `motion`, `torque` and `initial` about their joints holds unless the composing
/// case says something else about the same joint; `loads` add up; `simulate`, and of `initial` the base and the deformation, are
/// the composing case's, or else the carrier's.
void compose_arms(Node& root, const ReadFile& read, std::vector<Problem>& problems);

}  // namespace lithe
