// variable misuse, incorrect output
/*
The product of two matrices, given as lists of rows; the first has as many columns as the second has rows.
>>> matrix_product(vec![vec![1, 2], vec![3, 4]], vec![vec![0, 1], vec![1, 0]])
vec![vec![2, 1], vec![4, 3]]
*/
fn matrix_product(left: Vec<Vec<i32>>, right: Vec<Vec<i32>>) -> Vec<Vec<i32>> {
    let mut product = vec![];
    for row in &left {
        let mut cells = vec![0; right[0].len()];
        for (c, cell) in cells.iter_mut().enumerate() {
            for (i, value) in row.iter().enumerate() {
                *cell += value * right[i][c];
                // bug: *cell += value * right[i][i];
            }
        }
        product.push(cells);
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_matrix_product() {
        assert_eq!(matrix_product(vec![vec![1, 2], vec![3, 4]], vec![vec![0, 1], vec![1, 0]]), vec![vec![2, 1], vec![4, 3]]);
        assert_eq!(matrix_product(vec![vec![2]], vec![vec![3]]), vec![vec![6]]);
        assert_eq!(matrix_product(vec![vec![1, 1]], vec![vec![1, 2], vec![3, 3]]), vec![vec![4, 5]]);
        assert_eq!(matrix_product(vec![vec![0], vec![0]], vec![vec![7, 8]]), vec![vec![0, 0], vec![0, 0]]);
        assert_eq!(matrix_product(vec![], vec![vec![1]]), Vec::<Vec<i32>>::new());
    }
}
