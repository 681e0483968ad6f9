// operator misuse, incorrect output
/*
How many pages hold some items; there is always one page, even without items.
>>> pages_for(21, 10)
3
>>> pages_for(0, 10)
1
*/
fn pages_for(items: usize, per_page: usize) -> usize {
    if items == 0 {
        return 1;
    }
    (items + per_page - 1) / per_page
    // bug: (items + per_page + 1) / per_page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_pages_for() {
        assert_eq!(pages_for(21, 10), 3);
        assert_eq!(pages_for(0, 10), 1);
        assert_eq!(pages_for(20, 10), 2);
        assert_eq!(pages_for(1, 10), 1);
        assert_eq!(pages_for(29, 10), 3);
    }
}
