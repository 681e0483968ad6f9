// value misuse, incorrect output
/*
How many moves of a lift it takes until it is below floor 0 for the first time, starting there; None if it never is.
>>> steps_to_basement(vec![1, -2, 5])
Some(2)
>>> steps_to_basement(vec![1, 1])
None
*/
fn steps_to_basement(moves: Vec<i32>) -> Option<usize> {
    let mut floor = 0;
    for (i, step) in moves.iter().enumerate() {
        floor += step;
        if floor < 0 {
            // bug: if floor < 1 {
            return Some(i + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_steps_to_basement() {
        assert_eq!(steps_to_basement(vec![1, -2, 5]), Some(2));
        assert_eq!(steps_to_basement(vec![1, 1]), None);
        assert_eq!(steps_to_basement(vec![-1]), Some(1));
        assert_eq!(steps_to_basement(vec![2, -2, -1]), Some(3));
        assert_eq!(steps_to_basement(vec![]), None);
    }
}
