// One running turn: passes on its events in order, adds up what it consumed, and settles once with how it ended.
import type { AgentEvent } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { addUsage, NO_USAGE, type Usage } from '../../model/usage.ts';
import type { Denial, TurnResult } from '../port.ts';
import { addTokens, areNone, asUsage, NO_TOKENS, type Tokens } from '../tokens.ts';
import { classify, EMPTY_SYMPTOM } from './errors.ts';
import { eventsOf, isErrorMessage, retryAfterOf, symptomOf, messageText } from './messages.ts';
import type { SdkMessage } from './sdk.ts';
import { restOf, tokensOf, windowOf } from './usage.ts';

export type ClaudeTurn = {
  readonly done: Promise<TurnResult>;
  /** A message was pushed into the running turn: no result ends the turn before the program has reported that it read it. */
  pushed(uuid: string): void;
  /** Any message but a result. */
  receive(message: SdkMessage): void;
  /** One result; `share` is its own consumption. Returns whether the turn is over. */
  finish(result: SdkMessage, share: Usage): boolean;
  denied(id: string, tool: string, denial: Denial): void;
  /** From now on the turn ends as `aborted`, whatever the program reports. */
  abort(): void;
  /** From now on the turn ends with this failure. */
  fail(failure: Failure): void;
  /** The program has exited. */
  lost(failure: Failure): void;
};

export function openTurn(onEvent: (event: AgentEvent) => void, now: () => number): ClaudeTurn {
  let symptom = EMPTY_SYMPTOM;
  let text = '';
  let aborted = false;
  let failed: Failure | null = null;
  let usage: Usage = NO_USAGE;
  /** Reported through events and not yet part of `usage`. */
  let reported: Tokens = NO_TOKENS;
  let lastCall = '';
  /** Tokens in the context after the last request. */
  let used = 0;
  const unread = new Set<string>();
  const started = new Map<string, string>();
  const refused = new Map<string, { readonly tool: string; readonly denial: Denial }>();
  let settle: (result: TurnResult) => void = () => undefined;
  const done = new Promise<TurnResult>((resolve) => {
    settle = resolve;
  });

  const emit = (event: AgentEvent): void => {
    onEvent(event);
    if (event.t !== 'tool-start') return;
    started.set(event.id, event.name);
    const refusal = refused.get(event.id);
    if (refusal !== undefined) emitRefusal(refusal.tool, refusal.denial);
  };
  const emitRefusal = (tool: string, { why, params }: Denial): void =>
    onEvent({ t: 'permission', tool, decision: 'deny', why, about: String(params['about'] ?? '') });
  const emitUsage = (tokens: Tokens, costUsd: number | null): void => {
    if (areNone(tokens) && (costUsd ?? 0) === 0) return;
    const { input: inputTokens, output: outputTokens, cached: cachedTokens } = tokens;
    onEvent({ t: 'usage', inputTokens, outputTokens, cachedTokens, costUsd });
  };
  const end = (): void => {
    if (failed !== null) settle({ end: 'agent-failed', failure: failed, text, usage });
    else if (aborted) settle({ end: 'aborted', text, usage });
    else settle({ end: 'end-turn', text, usage });
  };

  return {
    done,
    pushed: (uuid) => void unread.add(uuid),
    receive(m) {
      for (const uuid of m.user_message_uuids ?? []) unread.delete(uuid);
      const retryAfterMs = retryAfterOf(m, now());
      if (retryAfterMs !== null) symptom = { ...symptom, retryAfterMs };
      if (isErrorMessage(m)) symptom = symptomOf(m, symptom);
      else if (m.type === 'assistant') {
        const output = messageText(m);
        const isNewCall = m.message?.id !== lastCall;
        lastCall = m.message?.id ?? '';
        if (output !== '') text = isNewCall ? output : text + output;
        if (isNewCall) {
          const call = tokensOf(m.message?.usage);
          reported = addTokens(reported, call);
          emitUsage(call, null);
          used = call.input + call.output + call.cached;
          if (used > 0) onEvent({ t: 'context', used, window: null, costUsd: null });
        }
      }
      if (m.type === 'system' && m.subtype === 'permission_denied' && !refused.has(m.tool_use_id ?? ''))
        onEvent({ t: 'permission', tool: m.tool_name ?? '', decision: 'deny', why: m.decision_reason ?? 'provider' });
      for (const event of eventsOf(m)) emit(event);
    },
    finish(result, share) {
      for (const uuid of result.user_message_uuids ?? []) unread.delete(uuid);
      // A call that was cut can be missing in the program's sum: what was reported is never subtracted.
      const sum: Tokens = { input: share.inputTokens, output: share.outputTokens, cached: share.cachedTokens };
      const rest = restOf(sum, reported);
      usage = addUsage(usage, asUsage(addTokens(reported, rest), share.costUsd, share.source));
      emitUsage(rest, share.costUsd);
      const window = windowOf(result);
      if (window !== null && used > 0) onEvent({ t: 'context', used, window, costUsd: null });
      reported = NO_TOKENS;
      const more = result.user_message_uuids === undefined ? (result.queued_turn_count ?? 0) > 0 : unread.size > 0;
      if (more) {
        symptom = EMPTY_SYMPTOM;
        return false;
      }
      if (result.is_error === true) {
        symptom = symptomOf(result, symptom);
        if (!aborted) failed ??= classify(symptom);
      } else if (result.result) text = result.result;
      end();
      return true;
    },
    denied(id, tool, denial) {
      refused.set(id, { tool, denial });
      if (started.has(id)) emitRefusal(tool, denial);
    },
    abort() {
      aborted = true;
    },
    fail(failure) {
      failed ??= failure;
    },
    lost(failure) {
      usage = addUsage(usage, asUsage(reported, null, 'partial'));
      if (!aborted) failed ??= failure;
      end();
    },
  };
}
