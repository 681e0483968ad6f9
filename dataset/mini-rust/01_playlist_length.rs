// variable misuse, incorrect output
/*
The seconds that a playlist takes with a pause between two tracks, but not after the last one.
>>> playlist_length(&[200, 100], 3)
303
>>> playlist_length(&[], 3)
0
*/
fn playlist_length(tracks: &[i32], pause: i32) -> i32 {
    let mut total = 0;
    for (i, seconds) in tracks.iter().enumerate() {
        total += seconds;
        if i + 1 < tracks.len() {
            total += pause;
            // bug: total += seconds;
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_playlist_length() {
        assert_eq!(playlist_length(&[200, 100], 3), 303);
        assert_eq!(playlist_length(&[], 3), 0);
        assert_eq!(playlist_length(&[60], 10), 60);
        assert_eq!(playlist_length(&[10, 20, 30], 5), 70);
        assert_eq!(playlist_length(&[1, 1], 0), 2);
    }
}
