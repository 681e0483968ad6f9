// missing logic, incorrect output
/*
The price of a cart in cents, from prices and quantities. Orders from 5000 cents on have no shipping, others add 490;
an empty cart costs nothing.
>>> cart_total(vec![(250, 2)])
990
>>> cart_total(vec![(2500, 2)])
5000
*/
fn cart_total(items: Vec<(u32, u32)>) -> u32 {
    let total: u32 = items.iter().map(|(price, quantity)| price * quantity).sum();
    if total == 0 || total >= 5000 {
        // bug: if total >= 5000 {
        return total;
    }
    total + 490
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_cart_total() {
        assert_eq!(cart_total(vec![(250, 2)]), 990);
        assert_eq!(cart_total(vec![(2500, 2)]), 5000);
        assert_eq!(cart_total(vec![]), 0);
        assert_eq!(cart_total(vec![(100, 1), (200, 3)]), 1190);
        assert_eq!(cart_total(vec![(4999, 1)]), 5489);
    }
}
