// operator misuse, incorrect output
/*
Whether somebody may ride: from 140 cm on everybody, from 120 cm on with an adult, below that nobody.
>>> may_ride(140, false)
true
>>> may_ride(125, true)
true
*/
fn may_ride(height: i32, with_adult: bool) -> bool {
    if height >= 140 {
        return true;
    }
    height >= 120 && with_adult
    // bug: height >= 120 || with_adult
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_may_ride() {
        assert_eq!(may_ride(140, false), true);
        assert_eq!(may_ride(125, true), true);
        assert_eq!(may_ride(125, false), false);
        assert_eq!(may_ride(119, true), false);
        assert_eq!(may_ride(120, true), true);
    }
}
