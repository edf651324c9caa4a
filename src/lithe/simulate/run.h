#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/link_stress.h"
#include "lithe/error.h"
#include "lithe/results/results.h"
#include "lithe/simulate/simulation.h"

namespace lithe {

/// Where the results go, and how a run is watched and stopped.
struct RunOptions {
  std::string file;         // of the results
  std::string formulation;  // instead of the case's
  bool resume = false;      // continue an incomplete file; start a run if there is none, leave a complete one
  const std::atomic<bool>* stop = nullptr;  // set to end the run early
  std::function<void(double t)> progress;   // called at every row
  double save_interval =
      0.25;  // [s of real time] between checkpoints that are written, so that writing takes little of the time
  std::function<void()> before_writing = {};  // called when everything is ready: from then on there are results to keep
  bool overwrite = true;                      // false: throw OtherResults where the file is of another case
  DriveAdditions additions = {};              // laws and forces that user code adds; the file does not record them
  bool goes_on = false;                       // the start is where another run ended: contacts may be at work there
};

/// The largest magnitude of one recorded quantity and its time.
struct Peak {
  std::string name, unit;
  double value = 0, time = 0;
  bool headline = true;  // as in its Column
};

/// The largest von Mises stress of a link, over its stations and the rows of a run.
struct StressPeak {
  StressedLink link;
  double stress = 0, x = 0, time = 0;
};

/// The summary of a run.
struct RunSummary {
  double end_time = 0;
  long rows = 0, steps = 0, failed_steps = 0, evaluations = 0;
  double wall_seconds = 0;
  double energy_start = 0, energy_end = 0, put_in = 0, lost = 0;
  double residual = 0;        // largest |energy gained − input + dissipated| of all rows
  double energy_scale = 0;    // its scale: the largest energy or work that occurred
  std::string energy_reason;  // why the chosen model does not conserve energy; empty for one that does
  std::vector<Peak> peaks;
  std::vector<StressPeak> stresses;                          // of every link whose fibres are known
  std::vector<std::pair<std::string, double>> final_errors;  // of controlled joints: command minus position
  std::vector<ChosenGains> chosen_gains;                     // of servos by their structural frequency
  std::vector<std::string> warnings;                         // limits of the model or of the step that the run exceeded
  std::vector<std::pair<std::string, double>> events = {};   // that happened: their names or numbers, and when
  double energy_by_events = 0;                               // that changed payloads brought, less what they took away
  std::string method_chosen = {};                            // Simulation::method_chosen
  bool already_complete = false;  // resumed, but the run was complete: of the above only end_time and rows are set
};

/// The run stopped before its end: when and why, which coordinate moved fastest, what to try. The file has the rows up to that
/// time and is marked incomplete.
class RunError : public Error {
 public:
  using Error::Error;
};

/// Simulates the case and writes its results. Throws FieldError for a case that cannot be driven, ResultsError for a file that
/// cannot be written, RunError when the integration fails.
///
/// The integration restarts at every checkpoint, in every run, from numbers that the file stores: a resumed run ends with the same
/// bits as one that was never interrupted. Several threads may run simulations at once, each with its own file.
RunSummary run(const CaseFile& file, const Arm& arm, const RunOptions& options);

}  // namespace lithe
