// Are two JSON values the same? Key order does not count, depth costs no stack.

export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const open: [unknown, unknown][] = [[left, right]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      open.push([(a as { [key: string]: unknown })[key], (b as { [key: string]: unknown })[key]]);
    }
  }
  return true;
}
