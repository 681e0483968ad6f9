// function misuse, incorrect output
/*
Join spans that overlap or touch; the result is in order.
>>> joined_spans(vec![(5, 6), (1, 3), (2, 4)])
vec![(1, 4), (5, 6)]
*/
fn joined_spans(mut spans: Vec<(i32, i32)>) -> Vec<(i32, i32)> {
    spans.sort();
    let mut joined: Vec<(i32, i32)> = vec![];
    for (start, end) in spans {
        match joined.last_mut() {
            Some(last) if last.1 >= start => last.1 = last.1.max(end),
            // bug: Some(last) if last.1 >= start => last.1 = last.1.min(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_joined_spans() {
        assert_eq!(joined_spans(vec![(5, 6), (1, 3), (2, 4)]), vec![(1, 4), (5, 6)]);
        assert_eq!(joined_spans(vec![]), vec![]);
        assert_eq!(joined_spans(vec![(1, 9), (2, 3)]), vec![(1, 9)]);
        assert_eq!(joined_spans(vec![(1, 2), (2, 5)]), vec![(1, 5)]);
        assert_eq!(joined_spans(vec![(0, 1)]), vec![(0, 1)]);
    }
}
