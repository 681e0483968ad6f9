// missing logic, incorrect output
/*
The mean of values, each counted with its weight; 0 if all weights are 0.
>>> weighted_mean(&vec![1.0, 3.0], &vec![1.0, 3.0])
2.5
*/
fn weighted_mean(values: &Vec<f64>, weights: &Vec<f64>) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for (value, weight) in values.iter().zip(weights) {
        sum += value * weight;
        // bug: sum += value;
        total += weight;
    }
    if total == 0.0 {
        return 0.0;
    }
    sum / total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_weighted_mean() {
        assert_eq!(weighted_mean(&vec![1.0, 3.0], &vec![1.0, 3.0]), 2.5);
        assert_eq!(weighted_mean(&vec![], &vec![]), 0.0);
        assert_eq!(weighted_mean(&vec![5.0, 7.0], &vec![0.0, 0.0]), 0.0);
        assert_eq!(weighted_mean(&vec![2.0, 4.0], &vec![0.5, 0.5]), 3.0);
        assert!((weighted_mean(&vec![2.0, 6.0], &vec![0.1, 0.9]) - 5.6).abs() < 1e-9);
    }
}
