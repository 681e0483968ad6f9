// excess logic, incorrect output
/*
Read a key and a whole number that are written as "key=1". Spaces around both do not matter; anything else is an error.
>>> parsed_pair("size = 12")
Ok(("size".to_string(), 12))
*/
fn parsed_pair(text: &str) -> Result<(String, i32), String> {
    let parts: Vec<&str> = text.split('=').collect();
    if parts.len() != 2 {
        return Err("not one equals sign".to_string());
    }
    match parts[1].trim().parse::<i32>() {
        Ok(number) => Ok((parts[0].trim().to_string(), number)),
        // bug: Ok(number) => Ok((parts[0].trim().to_string(), number.abs())),
        Err(_) => Err("not a number".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_parsed_pair() {
        assert_eq!(parsed_pair("size = 12"), Ok(("size".to_string(), 12)));
        assert_eq!(parsed_pair("x=-3"), Ok(("x".to_string(), -3)));
        assert_eq!(parsed_pair("x"), Err("not one equals sign".to_string()));
        assert_eq!(parsed_pair("x=y"), Err("not a number".to_string()));
        assert!(parsed_pair("a=b=1").is_err());
    }
}
