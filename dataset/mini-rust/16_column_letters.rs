// missing logic, incorrect output
/*
The letters of a spreadsheet's column, counted from 1.
>>> column_letters(28)
"AB"
*/
fn column_letters(mut number: u32) -> String {
    let mut letters: Vec<char> = vec![];
    while number > 0 {
        number -= 1;
        // bug drops 1 line
        letters.insert(0, (b'A' + (number % 26) as u8) as char);
        number /= 26;
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_column_letters() {
        assert_eq!(column_letters(28), "AB");
        assert_eq!(column_letters(1), "A");
        assert_eq!(column_letters(26), "Z");
        assert_eq!(column_letters(703), "AAA");
        assert_eq!(column_letters(0), "");
    }
}
