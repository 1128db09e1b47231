// The one error that is thrown on purpose: a state that the program's own rules exclude.

/** A broken invariant of the harness itself. The user sees it as "unexpected error" with a crash report, exit 1. */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/** Closes an exhaustive switch: the compiler refuses a forgotten case, the runtime refuses a forged one. */
export function unreachable(value: never): never {
  throw new Bug(`unreachable: ${JSON.stringify(value)}`);
}
