#pragma once

#include <cstddef>
#include <cstdint>

/// The limits of a case. They are far above any practical need and well below what overloads a machine, so that a mistake or a
/// hostile file causes a message with its place before anything is allocated. Products are formed in 64 bits.
namespace lithe::limits {

// ---------------------------------------------------------------------------------------------------- a document

/// Files read for one case, each counted every time it is named: includes can multiply.
inline constexpr int document_files = 4000;
/// All of them together. A link of a case takes about 300 bytes.
inline constexpr std::size_t document_bytes = std::size_t(64) << 20;
/// Values, lists and mappings, with aliases and includes expanded: about 300 bytes of memory each.
inline constexpr int document_nodes = 1'000'000;
/// Lists and mappings inside each other in one file, and files that include each other: both are walked by recursion.
inline constexpr int document_depth = 100, include_depth = 30;
/// Arms that one case names in `carries`.
inline constexpr int carried_arms = 100;
/// Characters of a key or a name. Both appear in messages and in the columns of the results.
inline constexpr std::size_t name_length = 200;
/// Characters of a formula, and its parentheses, signs and powers inside each other: it is read by recursion.
inline constexpr std::size_t formula_length = 1000;
inline constexpr int formula_depth = 50;
/// Operations (Expression::cost) for the integrals of all density formulas of a case, equal ones once: they take some ten seconds.
inline constexpr std::int64_t formula_operations = 3'000'000'000;
/// Separate surfaces in a mesh, and triangles of others that each may lie among, summed over all: each is a search through these.
inline constexpr int mesh_pieces = 1'000;
inline constexpr std::int64_t mesh_comparisons = 200'000'000;
/// Mistakes that are listed; the rest is only counted.
inline constexpr std::size_t problems_listed = 200;
/// Bytes of a table or an imported link, and numbers in it, which take about 20 bytes each while they are read.
inline constexpr std::size_t data_file_bytes = std::size_t(256) << 20;
inline constexpr std::size_t data_file_values = 20'000'000;
/// All tables and imported links together, each counted every time it is named.
inline constexpr std::size_t data_bytes = std::size_t(512) << 20;

/// Rows of a table: a spline goes through all of them.
inline constexpr int table_rows = 1'000'000;

// ---------------------------------------------------------------------------------------------------- an arm

/// Links of the case, and bodies when segments are counted one by one.
inline constexpr int links = 20'000, bodies = 100'000;
/// Coordinates of the whole arm. The recursion takes memory in proportion.
inline constexpr int coordinates = 100'000;
/// Elements of one beam: their matrices are sparse. Shapes of one link: their integrals are ten dense matrices.
inline constexpr int elements = 10'000, shapes = 500;
/// Terms of one strain, beyond which equations are badly conditioned; and coordinates of one exact link, whose equations are dense.
inline constexpr int strain_terms = 8, strain_coordinates = 64;
/// Nodes of an imported link.
inline constexpr int imported_nodes = 100'000;
/// Points of all loads spread along links, times the shapes that move each: 56 bytes each.
inline constexpr std::int64_t spread_numbers = 10'000'000;
/// Panels of all lifting surfaces together: their influence on each other is several dense matrices.
inline constexpr int panels = 4'000;
/// Rows of the wake, and what its rings do to the panels: panels times rows times the panels along the span, 8 bytes each.
inline constexpr int wake_rows = 20'000, wake_influences = 250'000'000;
/// Coordinates for which an implicit method may make dense matrices of the whole arm: ten of them, 200 MB each.
inline constexpr int implicit_coordinates = 5'000;
/// The same for commands that print or compare whole matrices, where every number becomes text.
inline constexpr int dense_coordinates = 2'000;

// ---------------------------------------------------------------------------------------------------- a run

/// Rows of the results, and numbers in them all: they are kept in memory until the run ends, 8 bytes each.
inline constexpr std::int64_t result_rows = 100'000'000, result_numbers = 1'000'000'000;
/// Steps of a fixed length. At a microsecond each, these take three hours.
inline constexpr std::int64_t steps = 10'000'000'000;
/// Steps between two stops of the integration; a run that needs more is stuck.
inline constexpr std::int64_t steps_between_rows = 500'000;
/// Times at which the integration stops and restarts: samples of controllers, checkpoints.
inline constexpr std::int64_t stops = 10'000'000, checkpoints = 1'000'000;
/// Steps of one stepping motor, and how often the profile that it follows may turn around: a run stops where a step begins and ends.
inline constexpr int motor_steps = 100'000;
/// Strain gauges of a case, each a column of the results.
inline constexpr int gauges = 1'000;
/// Columns of a file of measured data.
inline constexpr int measured_columns = 1'000;
/// Events of a case, each of which may need a separate arm; and how often all of them may happen in a run: beyond that they probably
/// switch each other on and off.
inline constexpr int events = 1'000, event_occurrences = 100'000;

}  // namespace lithe::limits
