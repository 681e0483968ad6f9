// function misuse, incorrect output
/*
The first letters of all words, in upper case, each with a dot.
>>> initials_of("ada king lovelace")
"A.K.L."
*/
fn initials_of(name: &str) -> String {
    let mut initials = String::new();
    for word in name.split_whitespace() {
        initials.extend(word.chars().next());
        // bug: initials.extend(word.chars().last());
        initials.push('.');
    }
    initials.to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_initials_of() {
        assert_eq!(initials_of("ada king lovelace"), "A.K.L.");
        assert_eq!(initials_of(""), "");
        assert_eq!(initials_of("  grace   hopper "), "G.H.");
        assert_eq!(initials_of("Bo"), "B.");
        assert_eq!(initials_of("émile zola"), "É.Z.");
    }
}
