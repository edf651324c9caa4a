#include "lithe/drive/law.h"

namespace lithe {

void LawSlopes::resize(int n_outputs, int n_reads, int n_states) {
  by_position.resize(n_outputs, n_reads);
  by_rate.resize(n_outputs, n_reads);
  by_state.resize(n_outputs, n_states);
  by_weight.resize(n_outputs);
  state_by_position.resize(n_states, n_reads);
  state_by_rate.resize(n_states, n_reads);
  state_by_state.resize(n_states, n_states);
  state_by_excess.resize(n_states, n_outputs);
  set_zero();
}

void LawSlopes::set_zero() {
  for (MatrixXd* matrix :
       {&by_position, &by_rate, &by_state, &state_by_position, &state_by_rate, &state_by_state, &state_by_excess})
    matrix->setZero();
  by_weight.setZero();
}

void Law::advance(const LawReading& now, double interval, const double* excess, double* x, double* rates) const {
  state_rates(now, x, excess, rates);
  for (int k = 0; k < n_states(); ++k) x[k] += interval * rates[k];
}

}  // namespace lithe
