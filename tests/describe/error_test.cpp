// Every exception of the library is a lithe::Error, with its place where one is known.
#include "lithe/error.h"

#include <gtest/gtest.h>

#include "lithe/lithe.h"

namespace lithe {
namespace {

template <class Call>
Error thrown_by(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error("");
}

TEST(Error, OfACaseSaysWhereTheFirstMistakeIs) {
  const Error error = thrown_by([] { read_case_text("arm:\n  links: 3\n", "odd.yaml"); });
  EXPECT_TRUE(error.where().starts_with("odd.yaml:2:")) << error.where();
  EXPECT_TRUE(std::string(error.what()).starts_with(error.where() + ": ")) << error.what();
}

TEST(Error, OfAFieldNamesIt) {
  const FieldError error("arm.links[0].joint", "no such joint");
  EXPECT_EQ(error.where(), "arm.links[0].joint");
  EXPECT_EQ(error.path(), error.where());
  EXPECT_STREQ(error.what(), "no such joint");
  EXPECT_EQ(error.advice(), "");
}

TEST(Error, OfResultsNamesTheFile) {
  const Error error = thrown_by([] { Results::read("/nowhere/results.h5"); });
  EXPECT_EQ(error.where(), "/nowhere/results.h5");
}

TEST(Error, IsTheBaseOfThemAll) {
  static_assert(std::is_base_of_v<Error, CaseError> && std::is_base_of_v<Error, FieldError> &&
                std::is_base_of_v<FieldError, UnsupportedError>);
  static_assert(std::is_base_of_v<Error, StepError> && std::is_base_of_v<Error, RunError> &&
                std::is_base_of_v<Error, SingularError> && std::is_base_of_v<Error, EquilibriumError>);
  static_assert(std::is_base_of_v<Error, ResultsError> && std::is_base_of_v<ResultsError, OtherResults> &&
                std::is_base_of_v<Error, aero::LatticeError>);
}

}  // namespace
}  // namespace lithe
