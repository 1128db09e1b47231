// A rule that was broken in a simulated mission: which, and how it came to be seen.

export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
  readonly rule: string;
  constructor(rule: string, how: string) {
    super(`${rule}: ${how}`);
    this.rule = rule;
  }
}
