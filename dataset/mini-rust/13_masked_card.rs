// value misuse, incorrect output
/*
A card number with stars in place of all digits but the last four; spaces stay.
>>> masked_card("1234 5678")
"**** 5678"
*/
fn masked_card(number: &str) -> String {
    let mut seen = 0;
    let mut masked: Vec<char> = vec![];
    for character in number.chars().rev() {
        if character != ' ' {
            seen += 1;
        }
        let is_shown = character == ' ' || seen <= 4;
        // bug: let is_shown = character == ' ' || seen <= 3;
        masked.push(if is_shown { character } else { '*' });
    }
    masked.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_masked_card() {
        assert_eq!(masked_card("1234 5678"), "**** 5678");
        assert_eq!(masked_card("123"), "123");
        assert_eq!(masked_card("12345"), "*2345");
        assert_eq!(masked_card(""), "");
        assert_eq!(masked_card("1 2 3 4 5 6"), "* * 3 4 5 6");
    }
}
