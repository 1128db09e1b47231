// One running turn: passes on its events in order, adds up what it consumed, and knows how it ended.
import type { AgentEvent } from '../../model/event.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Denial, TurnResult } from '../port.ts';
import { addTokens, areNone, asUsage, NO_TOKENS, type Tokens } from '../tokens.ts';
import { classify, symptomOf, type CodexSymptom, type TurnError } from './errors.ts';
import { openItems, type Items } from './events.ts';

export type CodexTurn = {
  readonly items: Items;
  /** Resolves when the turn has ended. */
  readonly over: Promise<void>;
  /** The program's id of the turn, once there is one. */
  readonly id: Promise<string>;
  begun(id: string): void;
  emit(events: readonly AgentEvent[]): void;
  used(share: Tokens): void;
  /** How full the context is after the last request. */
  filled(last: Tokens, window: number | null): void;
  /** A message is sent into the turn. One that interrupts the model ends a request whose usage is never reported. */
  messageSent(): void;
  /** A request failed and the program would retry: why, and the number of failures in a row. */
  requestFailed(error: TurnError): { readonly attempt: number; readonly failure: Failure };
  /** There was progress: failures are counted from scratch. */
  progressed(): void;
  denied(tool: string, denial: Denial): void;
  /** The end as the program reports it. */
  finish(status: string, error: TurnError | null): void;
  /** From now on the turn ends as `aborted`, whatever the program reports. */
  abort(): void;
  readonly isAborted: () => boolean;
  /** From now on the turn ends with this failure. */
  fail(why: Failure): void;
  /** The end will not be reported any more. */
  lost(why: Failure): void;
  /** Reports calls without an end as failed, and returns the result of the turn. */
  result(): TurnResult;
};

/** `limitResets`: when a used-up window of the account resets, in milliseconds; null: unknown. */
export function openTurn(
  root: string,
  onEvent: (event: AgentEvent) => void,
  at: { readonly now: () => number; readonly limitResets: () => number | null },
): CodexTurn {
  const items = openItems(root);
  const over = Promise.withResolvers<void>();
  const id = Promise.withResolvers<string>();
  let tokens = NO_TOKENS;
  let isWhole = false;
  let isCut = false;
  let isAborted = false;
  let failed: Failure | null = null;
  let attempts = 0;

  const explained = (symptom: CodexSymptom): Failure => {
    const why = classify(symptom, at.now());
    const resets = at.limitResets();
    if (why.reason !== 'agent-rate-limited' || 'retryAfterMs' in why.params || resets === null) return why;
    return failure(why.reason, { ...why.params, retryAfterMs: Math.max(0, resets - at.now()) });
  };
  const emit = (events: readonly AgentEvent[]): void => events.forEach(onEvent);

  return {
    items,
    over: over.promise,
    id: id.promise,
    begun: id.resolve,
    emit,
    used(share) {
      if (areNone(share)) return;
      tokens = addTokens(tokens, share);
      const { input: inputTokens, output: outputTokens, cached: cachedTokens } = share;
      onEvent({ t: 'usage', inputTokens, outputTokens, cachedTokens, costUsd: null });
    },
    filled({ input, cached, output }, window) {
      const used = input + cached + output;
      if (used > 0) onEvent({ t: 'context', used, window, costUsd: null });
    },
    messageSent() {
      isCut ||= items.isSpeaking();
    },
    requestFailed: (error) => ({ attempt: ++attempts, failure: explained(symptomOf(error)) }),
    progressed() {
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
      emit(items.closeOpen());
      const usage = asUsage(tokens, null, areNone(tokens) ? 'none' : isWhole && !isCut ? 'reported' : 'partial');
      const text = items.lastMessage();
      if (failed !== null) return { end: 'agent-failed', failure: failed, text, usage };
      return { end: isAborted ? 'aborted' : 'end-turn', text, usage };
    },
  };
}

function whyNot(status: string, error: TurnError | null, explained: (symptom: CodexSymptom) => Failure): Failure {
  if (error !== null) return explained(symptomOf(error));
  if (status === 'interrupted') return failure('agent-unknown', { provider: 'codex', detail: 'interrupted' });
  return failure('agent-malformed', { provider: 'codex', what: 'turn-status', found: status.slice(0, 100) });
}
