// missing logic, incorrect output
#include <vector>
using namespace std;
/*
The mean of values, each counted with its weight; 0 if all weights are 0.
>>> weightedMean({1.0, 3.0}, {1.0, 3.0})
2.5
*/
double weightedMean(vector<double> values, vector<double> weights) {
    double sum = 0, total = 0;
    for (size_t i = 0; i < values.size(); i++) {
        sum += values[i] * weights[i];
        // bug: sum += values[i];
        total += weights[i];
    }
    return total == 0 ? 0 : sum / total;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(weightedMean({1.0, 3.0}, {1.0, 3.0}) == 2.5);
    assert(weightedMean({}, {}) == 0);
    assert(weightedMean({5.0, 7.0}, {0.0, 0.0}) == 0);
    assert(weightedMean({2.0, 4.0}, {0.5, 0.5}) == 3);
}
