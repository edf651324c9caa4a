#pragma once

#include <functional>

#include "lithe/describe/document.h"

namespace lithe {

/// Reads a file with what it includes; problems with the file itself are reported at the place and key that named it.
using ReadFile = std::function<Node(const std::string& file, const Location& asked_from, const char* asked_as)>;

/// If a case's arm is `{carrier: FILE, carries: FILE or list}`, replaces it by one arm, in which every node still has its file: the
/// carrier's options, base and links, then the links of each carried arm with an entry in `mounts`. A part may itself be composed. File
/// names are relative to the file that contains them.
///
/// An item of `carries` is a file, or {file: …, onto: LINK, prefix: TEXT, origin: …}: it stands on the tip of that link of the arms before
/// (default: the last), its names get the prefix, and its base's `origin` is replaced.
///
/// A carried arm has a fixed base, whose `origin` is its pose on the tip; it has the same options as the carrier, and no name in
/// common with it. Entries of the parts in `motion`, `torque` and `initial` apply, except where the composing case has an entry
/// for the same joint. `loads` are added. `simulate`, and the base and the deformation in `initial`, come from the composing case
/// or, where it has none, from the carrier. An event may wait for the tip only in the composing case and in the last part, whose tip it is.
void compose_arms(Node& root, const ReadFile& read, std::vector<Problem>& problems);

}  // namespace lithe
