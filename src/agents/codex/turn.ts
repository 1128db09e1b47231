// Owns one turn while it runs: hands out its events in order, adds up what it consumed, and knows how it ended.
import type { AgentEvent } from '../../model/event.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { TurnResult } from '../port.ts';
import type { Denial } from './approvals.ts';
import { classify, symptomOf, type Symptom, type TurnError } from './errors.ts';
import { openItems, type Items } from './events.ts';
import { addTokens, asUsage, isNothing, NO_TOKENS, type Tokens } from './usage.ts';

export type Turn = {
  readonly items: Items;
  /** Resolves when nothing more will come of it. */
  readonly over: Promise<void>;
  /** The program's own id of it, once there is one. */
  readonly id: Promise<string>;
  begun(id: string): void;
  tell(events: readonly AgentEvent[]): void;
  used(share: Tokens): void;
  /** How full the context is after the newest request. */
  filled(last: Tokens, window: number | null): void;
  /** A word is said into it. One that interrupts the model ends a request whose use is never told. */
  spokenInto(): void;
  /** A request failed and the program would try again: what for, and the how many-eth time in a row. */
  stumbled(error: TurnError): { readonly attempt: number; readonly failure: Failure };
  /** Something came of it: the program is past its trouble. */
  moved(): void;
  denied(tool: string, denial: Denial): void;
  /** As the program says it ended. */
  finish(status: string, error: TurnError | null): void;
  /** From now on the end of this turn is `aborted`, whatever the program calls it. */
  abort(): void;
  readonly isAborted: () => boolean;
  /** From now on the end of this turn is this failure. */
  fail(why: Failure): void;
  /** Nobody will say any more how it ended. */
  lost(why: Failure): void;
  /** Calls without an end are told as failed; then what the turn came to. */
  result(): TurnResult;
};

/** `limitResets`: when a used-up window of the account begins anew, milliseconds; null: not known. */
export function openTurn(
  lane: string,
  onEvent: (event: AgentEvent) => void,
  at: { readonly now: () => number; readonly limitResets: () => number | null },
): Turn {
  const items = openItems(lane);
  const over = Promise.withResolvers<void>();
  const id = Promise.withResolvers<string>();
  let tokens = NO_TOKENS;
  let isWhole = false;
  let isCut = false;
  let isAborted = false;
  let failed: Failure | null = null;
  let attempts = 0;

  const explained = (symptom: Symptom): Failure => {
    const why = classify(symptom, at.now());
    const resets = at.limitResets();
    if (why.reason !== 'agent-rate-limited' || 'retryAfterMs' in why.params || resets === null) return why;
    return failure(why.reason, { ...why.params, retryAfterMs: Math.max(0, resets - at.now()) });
  };
  const tell = (events: readonly AgentEvent[]): void => events.forEach(onEvent);

  return {
    items,
    over: over.promise,
    id: id.promise,
    begun: id.resolve,
    tell,
    used(share) {
      if (isNothing(share)) return;
      tokens = addTokens(tokens, share);
      const { input: inputTokens, output: outputTokens, cached: cachedTokens } = share;
      onEvent({ t: 'usage', inputTokens, outputTokens, cachedTokens, costUsd: null });
    },
    filled({ input, cached, output }, window) {
      const used = input + cached + output;
      if (used > 0) onEvent({ t: 'context', used, window, costUsd: null });
    },
    spokenInto() {
      isCut ||= items.isSpeaking();
    },
    stumbled: (error) => ({ attempt: ++attempts, failure: explained(symptomOf(error)) }),
    moved() {
      attempts = 0;
    },
    denied(tool, { why, params }) {
      onEvent({ t: 'permission', tool, decision: 'deny', why, about: String(params['about'] ?? '') });
    },
    finish(status, error) {
      isWhole = status === 'completed' && error === null;
      if (!isWhole && !isAborted) failed ??= whyNot(status, error, explained);
      over.resolve();
    },
    abort() {
      isAborted = true;
    },
    isAborted: () => isAborted,
    fail(why) {
      if (!isAborted) failed ??= why;
    },
    lost(why) {
      if (!isAborted) failed ??= why;
      over.resolve();
    },
    result() {
      tell(items.left());
      const usage = asUsage(tokens, isNothing(tokens) ? 'none' : isWhole && !isCut ? 'reported' : 'partial');
      const text = items.words();
      if (failed !== null) return { end: 'agent-failed', failure: failed, text, usage };
      return { end: isAborted ? 'aborted' : 'end-turn', text, usage };
    },
  };
}

function whyNot(status: string, error: TurnError | null, explained: (symptom: Symptom) => Failure): Failure {
  if (error !== null) return explained(symptomOf(error));
  if (status === 'interrupted') return failure('agent-unknown', { provider: 'codex', detail: 'interrupted' });
  return failure('agent-malformed', { provider: 'codex', what: 'turn-status', found: status.slice(0, 100) });
}
