// missing logic, incorrect output
const overlaps = (a, b) => {
  return a.from < b.until && b.from < a.until;
}

/* The names of the rooms, in their order, that have no booking in a time given by hours. A booking that ends
  when the time begins does not count.
  >>> freeRooms(['red', 'blue'], [{ room: 'red', from: 9, until: 11 }], { from: 10, until: 12 })
  ['blue']
  */
const freeRooms = (rooms, bookings, time) => {
  return rooms.filter((room) =>
    !bookings.some((booking) => booking.room === room && overlaps(booking, time))
    // bug: !bookings.some((booking) => overlaps(booking, time))
  );
}

const testFreeRooms = () => {
  const bookings = [
    { room: 'red', from: 9, until: 11 },
    { room: 'blue', from: 11, until: 13 },
    { room: 'red', from: 14, until: 15 }
  ]
  console.assert(JSON.stringify(freeRooms(['red', 'blue'], bookings, { from: 10, until: 11 })) === '["blue"]')
  console.assert(JSON.stringify(freeRooms(['red', 'blue'], bookings, { from: 11, until: 12 })) === '["red"]')
  console.assert(JSON.stringify(freeRooms(['red', 'blue'], bookings, { from: 13, until: 14 })) === '["red","blue"]')
  console.assert(JSON.stringify(freeRooms(['red', 'blue'], bookings, { from: 8, until: 16 })) === '[]')
  console.assert(JSON.stringify(freeRooms([], bookings, { from: 8, until: 16 })) === '[]')
  console.assert(JSON.stringify(freeRooms(['green'], bookings, { from: 8, until: 16 })) === '["green"]')
}
