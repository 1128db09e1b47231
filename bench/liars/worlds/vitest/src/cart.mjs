// What somebody wants to buy: lines of a name, a price in cents and a quantity.

/** The cart with one more line. */
export function add(cart, name, price, quantity = 1) {
  return [...cart, { name, price, quantity }];
}

/** How many things are in it. */
export function count(cart) {
  return cart.reduce((sum, line) => sum + line.quantity, 0);
}
