// value misuse, incorrect output
/*
Write a number of minutes after midnight as a time of the day with two digits each. A day is over after 1440 minutes,
and the next one begins.
>>> clock_text(425)
"07:05"
>>> clock_text(1450)
"00:10"
*/
fn clock_text(minutes: u32) -> String {
    let hour = minutes / 60 % 24;
    // bug: let hour = minutes / 60 % 12;
    format!("{:02}:{:02}", hour, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_clock_text() {
        assert_eq!(clock_text(425), "07:05");
        assert_eq!(clock_text(0), "00:00");
        assert_eq!(clock_text(1439), "23:59");
        assert_eq!(clock_text(720), "12:00");
        assert_eq!(clock_text(1450), "00:10");
    }
}
