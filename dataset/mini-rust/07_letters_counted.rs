// excess logic, incorrect output
use std::collections::BTreeMap;

/*
How often each letter occurs, upper and lower case as one; all else does not count.
>>> letters_counted("Abba!")
BTreeMap::from([('a', 2), ('b', 2)])
*/
fn letters_counted(text: &str) -> BTreeMap<char, i32> {
    let mut counts = BTreeMap::new();
    for letter in text.to_lowercase().chars().filter(|c| c.is_alphabetic()) {
        *counts.entry(letter).or_insert(0) += 1;
    }
    // bug adds: counts.remove(&'a');
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_letters_counted() {
        assert_eq!(letters_counted("Abba!"), BTreeMap::from([('a', 2), ('b', 2)]));
        assert_eq!(letters_counted(""), BTreeMap::new());
        assert_eq!(letters_counted("x1X2"), BTreeMap::from([('x', 2)]));
        assert_eq!(letters_counted("äÄ"), BTreeMap::from([('ä', 2)]));
        assert_eq!(letters_counted("one two")[&'o'], 2);
    }
}
