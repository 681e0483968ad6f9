// missing logic, incorrect output
/*
Write a whole number with a comma before every group of three digits.
>>> grouped_digits(1234567)
"1,234,567"
>>> grouped_digits(-1000)
"-1,000"
*/
fn grouped_digits(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    if number < 0 {
        text.push('-');
        // bug: text.clear();
    }
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_grouped_digits() {
        assert_eq!(grouped_digits(1234567), "1,234,567");
        assert_eq!(grouped_digits(-1000), "-1,000");
        assert_eq!(grouped_digits(0), "0");
        assert_eq!(grouped_digits(999), "999");
        assert_eq!(grouped_digits(-12), "-12");
        assert_eq!(grouped_digits(9_000_000_000), "9,000,000,000");
    }
}
