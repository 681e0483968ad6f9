// function misuse, incorrect output
/*
Change values in place so that none is below a least or above a greatest one, and tell how many were changed.
>>> clamp_all(&mut vec![-5, 3, 12], 0, 10)
2
*/
fn clamp_all(values: &mut Vec<i32>, least: i32, greatest: i32) -> usize {
    let before = values.clone();
    for value in values.iter_mut() {
        *value = (*value).max(least).min(greatest);
        // bug: *value = (*value).max(least).max(greatest);
    }
    before.iter().zip(values.iter()).filter(|(old, new)| old != new).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_clamp_all() {
        let mut values = vec![-5, 3, 12];
        assert_eq!(clamp_all(&mut values, 0, 10), 2);
        assert_eq!(values, vec![0, 3, 10]);
        assert_eq!(clamp_all(&mut vec![], 1, 2), 0);
        let mut same = vec![1, 1, 2];
        assert_eq!(clamp_all(&mut same, 1, 2), 0);
        assert_eq!(same, vec![1, 1, 2]);
    }
}
