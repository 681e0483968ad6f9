// function misuse, incorrect output
import (
	"math"
	"sort"
)

// JoinedSpans joins spans that overlap or touch; the result is in order.
// >>> JoinedSpans([][2]float64{{5, 6}, {1, 3}, {2, 4}})
// [][2]float64{{1, 4}, {5, 6}}
func JoinedSpans(spans [][2]float64) [][2]float64 {
	sort.Slice(spans, func(i, j int) bool { return spans[i][0] < spans[j][0] })
	joined := [][2]float64{}
	for _, span := range spans {
		last := len(joined) - 1
		if last < 0 || joined[last][1] < span[0] {
			joined = append(joined, span)
		} else {
			joined[last][1] = math.Max(joined[last][1], span[1])
			// bug: joined[last][1] = math.Min(joined[last][1], span[1])
		}
	}
	return joined
}

func TestJoinedSpans(t *testing.T) {
	assert := assert.New(t)
	assert.Equal([][2]float64{{1, 4}, {5, 6}}, JoinedSpans([][2]float64{{5, 6}, {1, 3}, {2, 4}}))
	assert.Equal([][2]float64{}, JoinedSpans(nil))
	assert.Equal([][2]float64{{1, 9}}, JoinedSpans([][2]float64{{1, 9}, {2, 3}}))
	assert.Equal([][2]float64{{1, 5}}, JoinedSpans([][2]float64{{1, 2}, {2, 5}}))
	assert.Equal([][2]float64{{0.5, 1}}, JoinedSpans([][2]float64{{0.5, 1}}))
}
