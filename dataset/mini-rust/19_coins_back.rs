// operator misuse, incorrect output
/*
The fewest coins of 50, 20, 10, 5, 2 and 1 cents that make an amount, the greatest first.
>>> coins_back(73)
vec![50, 20, 2, 1]
*/
fn coins_back(mut cents: i32) -> Vec<i32> {
    let mut coins = vec![];
    for coin in [50, 20, 10, 5, 2, 1] {
        while cents >= coin {
            // bug: while cents > coin {
            coins.push(coin);
            cents -= coin;
        }
    }
    coins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_coins_back() {
        assert_eq!(coins_back(73), vec![50, 20, 2, 1]);
        assert_eq!(coins_back(0), Vec::<i32>::new());
        assert_eq!(coins_back(40), vec![20, 20]);
        assert_eq!(coins_back(9), vec![5, 2, 2]);
        assert_eq!(coins_back(150), vec![50, 50, 50]);
    }
}
