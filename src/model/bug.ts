// The one thing that is thrown on purpose: a state that the program's own rules exclude.

/** A broken invariant of the harness itself. Reaches the person as "unexpected error" with a crash report, exit 1. */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/** Closes an exhaustive switch: the compiler refuses a forgotten case, the runtime refuses a forged one. */
export function unreachable(value: never): never {
  throw new Bug(`unreachable: ${JSON.stringify(value)}`);
}
