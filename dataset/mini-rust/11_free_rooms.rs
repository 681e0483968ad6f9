// operator misuse, incorrect output
/*
How many of a hotel's rooms are free in a night. A booking has the first night and the day of departure, which is not
a night any more.
>>> free_rooms(3, &[(1, 4), (2, 3)], 2)
1
*/
fn free_rooms(rooms: usize, bookings: &[(i32, i32)], night: i32) -> usize {
    let mut taken = 0;
    for &(arrival, departure) in bookings {
        if arrival <= night && night < departure {
            // bug: if arrival <= night && night <= departure {
            taken += 1;
        }
    }
    rooms - taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_free_rooms() {
        assert_eq!(free_rooms(3, &[(1, 4), (2, 3)], 2), 1);
        assert_eq!(free_rooms(3, &[(1, 4), (2, 3)], 3), 2);
        assert_eq!(free_rooms(2, &[], 1), 2);
        assert_eq!(free_rooms(1, &[(5, 6)], 6), 1);
        assert_eq!(free_rooms(1, &[(5, 6)], 5), 0);
    }
}
