// excess logic, incorrect output
use std::collections::HashMap;

/*
The positions of every word of a text, counted from 0.
>>> word_positions("go stop go")
HashMap::from([("go".to_string(), vec![0, 2]), ("stop".to_string(), vec![1])])
*/
fn word_positions(text: &str) -> HashMap<String, Vec<usize>> {
    let mut positions: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, word) in text.split_whitespace().enumerate() {
        // bug adds: positions.remove(word);
        positions.entry(word.to_string()).or_default().push(at);
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_word_positions() {
        assert_eq!(word_positions("go stop go"), HashMap::from([("go".to_string(), vec![0, 2]), ("stop".to_string(), vec![1])]));
        assert_eq!(word_positions("").len(), 0);
        assert_eq!(word_positions("a a a")["a"], vec![0, 1, 2]);
        assert_eq!(word_positions("x y")["y"], vec![1]);
        assert_eq!(word_positions("x y").get("z"), None);
    }
}
