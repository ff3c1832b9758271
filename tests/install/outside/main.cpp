// The least that an embedding program does: an exact amount of money.
#include <gpuplan/money.hpp>

int main() {
  const auto price = gpuplan::Money::parse("2.49");
  return price && gpuplan::to_string(*price + *price) == "4.98" ? 0 : 1;
}
