#pragma once

/// Names within a results file (docs/results.md).
namespace lithe::layout {

// Attributes of the root.
inline constexpr const char *format = "format", *format_1 = "lithe results 1", *version = "version",
                            *case_file = "case_file", *case_origin = "case_origin", *complete = "complete",
                            *stopped_because = "stopped_because";
// Valid rows: an attribute of the root; of the checkpoint, the rows that precede it.
inline constexpr const char* rows = "rows";
// Datasets and groups.
inline constexpr const char *case_text = "case", *columns = "columns", *time = "time", *series = "series",
                            *statistics = "statistics", *checkpoint = "checkpoint", *files = "files";
// Attribute of time and of every series.
inline constexpr const char* unit = "unit";
// In the checkpoint.
inline constexpr const char *t = "t", *memory = "memory";

}  // namespace lithe::layout
