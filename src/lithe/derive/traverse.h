#pragma once

#include <ginac/ginac.h>

#include <string>
#include <vector>

namespace lithe::derive {

/// Every symbol of an expression, once, in order of name: an order that is the same in every run.
std::vector<GiNaC::symbol> symbols_in(const GiNaC::ex& expression);

/// Terms of a sum (the expression itself if it is not a sum); likewise factors of a product.
std::vector<GiNaC::ex> terms_of(const GiNaC::ex& expression);
std::vector<GiNaC::ex> factors_of(const GiNaC::ex& expression);

/// The number in front of a product, one if there is none.
GiNaC::numeric number_of(const GiNaC::ex& term);

/// How formulas write the first letter of a name: `psi` as ψ.
std::string letter_latex(const std::string& letter);

}  // namespace lithe::derive
