// Runs something with clock and chance taken away: a machine that asks for either is caught at the first call.

const refuse = (what: string) => (): never => {
  throw new Error(`a machine asked for ${what}`);
};
const RealDate = Date;
/** Dates from a text stay: they are a function of the state. */
class NoClock extends RealDate {
  constructor(...given: [] | [number | string]) {
    if (given.length === 0) refuse('the clock')();
    super(...(given as [number]));
  }
  static override now(): number {
    return refuse('the clock')();
  }
}

/** Whose own property of this name is replaced for the time of the call. */
const FORBIDDEN: readonly (readonly [object, string, unknown])[] = [
  [globalThis, 'Date', NoClock],
  [Math, 'random', refuse('chance')],
  [performance, 'now', refuse('the clock')],
  [crypto, 'randomUUID', refuse('chance')],
  [crypto, 'getRandomValues', refuse('chance')],
];

export function withoutChance<T>(run: () => T): T {
  const before = FORBIDDEN.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name));
  for (const [owner, name, value] of FORBIDDEN)
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  try {
    return run();
  } finally {
    for (const [n, [owner, name]] of FORBIDDEN.entries()) {
      const was = before[n];
      if (was) Object.defineProperty(owner, name, was);
      else Reflect.deleteProperty(owner, name);
    }
  }
}
