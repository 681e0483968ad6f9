// missing logic, incorrect output
// WeightedMean gives the mean of values, each counted with its weight; 0 if all weights are 0.
// >>> WeightedMean([]float64{1, 3}, []float64{1, 3})
// 2.5
func WeightedMean(values, weights []float64) float64 {
	sum, total := 0.0, 0.0
	for i, value := range values {
		sum += value * weights[i]
		// bug: sum += value
		total += weights[i]
	}
	if total == 0 {
		return 0
	}
	return sum / total
}

func TestWeightedMean(t *testing.T) {
	assert := assert.New(t)
	assert.Equal(2.5, WeightedMean([]float64{1, 3}, []float64{1, 3}))
	assert.Equal(0.0, WeightedMean(nil, nil))
	assert.Equal(0.0, WeightedMean([]float64{5, 7}, []float64{0, 0}))
	assert.Equal(3.0, WeightedMean([]float64{2, 4}, []float64{0.5, 0.5}))
	assert.InDelta(5.6, WeightedMean([]float64{2, 6}, []float64{0.1, 0.9}), 1e-9)
}
