// function misuse, incorrect output
/*
Join spans that overlap or touch; the result is in order.
>>> joined_spans(vec![(7, 8), (1, 4), (3, 5)])
vec![(1, 5), (7, 8)]
*/
fn joined_spans(mut spans: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    spans.sort();
    let mut joined: Vec<(u32, u32)> = vec![];
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
        assert_eq!(joined_spans(vec![(7, 8), (1, 4), (3, 5)]), vec![(1, 5), (7, 8)]);
        assert_eq!(joined_spans(vec![]), vec![]);
        assert_eq!(joined_spans(vec![(1, 9), (2, 3)]), vec![(1, 9)]);
        assert_eq!(joined_spans(vec![(1, 2), (2, 5)]), vec![(1, 5)]);
        assert_eq!(joined_spans(vec![(0, 1)]), vec![(0, 1)]);
    }
}
