// operator misuse, incorrect output
// FreeRooms tells how many of a hotel's rooms are free in a night. A booking has the first night and the day of
// departure, which is not a night any more.
// >>> FreeRooms(3, [][2]int{{1, 4}, {2, 3}}, 2)
// 1
func FreeRooms(rooms int, bookings [][2]int, night int) int {
	taken := 0
	for _, booking := range bookings {
		if booking[0] <= night && night < booking[1] {
			// bug: if booking[0] <= night && night <= booking[1] {
			taken++
		}
	}
	return rooms - taken
}

func TestFreeRooms(t *testing.T) {
	assert := assert.New(t)
	assert.Equal(1, FreeRooms(3, [][2]int{{1, 4}, {2, 3}}, 2))
	assert.Equal(2, FreeRooms(3, [][2]int{{1, 4}, {2, 3}}, 3))
	assert.Equal(2, FreeRooms(2, nil, 1))
	assert.Equal(1, FreeRooms(1, [][2]int{{5, 6}}, 6))
	assert.Equal(0, FreeRooms(1, [][2]int{{5, 6}}, 5))
}
