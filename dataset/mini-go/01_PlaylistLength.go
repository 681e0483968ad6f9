// variable misuse, incorrect output
// PlaylistLength gives the seconds that a playlist takes with a pause between two tracks, but not after the last one.
// >>> PlaylistLength([]int{200, 100}, 3)
// 303
// >>> PlaylistLength([]int{}, 3)
// 0
func PlaylistLength(tracks []int, pause int) int {
	total := 0
	for i, seconds := range tracks {
		total += seconds
		if i+1 < len(tracks) {
			total += pause
			// bug: total += seconds
		}
	}
	return total
}

func TestPlaylistLength(t *testing.T) {
	assert := assert.New(t)
	assert.Equal(303, PlaylistLength([]int{200, 100}, 3))
	assert.Equal(0, PlaylistLength([]int{}, 3))
	assert.Equal(60, PlaylistLength([]int{60}, 10))
	assert.Equal(70, PlaylistLength([]int{10, 20, 30}, 5))
	assert.Equal(0, PlaylistLength(nil, 5))
}
