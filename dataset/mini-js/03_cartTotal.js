// variable misuse, incorrect output
/* The price in cents of everything in a cart, whose lines have a price and a count.
  >>> cartTotal([{ price: 250, count: 2 }, { price: 99, count: 1 }])
  599
  */
const cartTotal = (lines) => {
  let total = 0;
  for (const { price, count } of lines) {
    total += price * count;
    // bug: total += price * price;
  }
  return total;
}

const testCartTotal = () => {
  console.assert(cartTotal([{ price: 250, count: 2 }, { price: 99, count: 1 }]) === 599)
  console.assert(cartTotal([]) === 0)
  console.assert(cartTotal([{ price: 5, count: 0 }]) === 0)
  console.assert(cartTotal([{ price: 0, count: 7 }]) === 0)
  console.assert(cartTotal([{ price: 3, count: 4 }]) === 12)
  console.assert(cartTotal([{ price: 1, count: 1 }, { price: 10, count: 3 }]) === 31)
}
