// Prices in cents.

/** As people read it. */
export function shown(cents) {
  return `${(cents / 100).toFixed(2)} EUR`;
}

/** So many percent less, in whole cents. */
export function discounted(cents, percent) {
  return Math.round((cents * (100 - percent)) / 100);
}
