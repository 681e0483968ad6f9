// missing logic, incorrect output
/*
The rank of each player by points, 1 for the most. Equal points share the better rank, and the next ranks are skipped.
>>> player_ranks(vec![10, 30, 10, 20])
vec![3, 1, 3, 2]
*/
fn player_ranks(points: Vec<i32>) -> Vec<usize> {
    let mut ranks = vec![];
    for own in &points {
        let better = points.iter().filter(|other| *other > own).count();
        // bug: let better = points.iter().count();
        ranks.push(better + 1);
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_player_ranks() {
        assert_eq!(player_ranks(vec![10, 30, 10, 20]), vec![3, 1, 3, 2]);
        assert_eq!(player_ranks(vec![]), Vec::<usize>::new());
        assert_eq!(player_ranks(vec![7, 7]), vec![1, 1]);
        assert_eq!(player_ranks(vec![1, 2, 3]), vec![3, 2, 1]);
        assert_eq!(player_ranks(vec![-5]), vec![1]);
    }
}
