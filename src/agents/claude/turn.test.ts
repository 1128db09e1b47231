import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../model/event.ts';
import { failure } from '../../model/failure.ts';
import { NO_USAGE, type Usage } from '../../model/usage.ts';
import type { ContentBlock, SdkMessage } from './sdk.ts';
import { openTurn } from './turn.ts';

const start = () => {
  const events: AgentEvent[] = [];
  const turn = openTurn(
    (event) => events.push(event),
    () => 1_000_000,
  );
  return { turn, events, kinds: () => events.map((e) => e.t) };
};
const says = (id: string, ...content: ContentBlock[]): SdkMessage => ({
  type: 'assistant',
  message: { id, content, usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 } },
});
const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const uses = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'Write', input: { file_path: 'a' } });
const answers = (id: string, isError: boolean): SdkMessage => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, is_error: isError, content: 'there' }] },
  tool_use_result: { type: 'create', filePath: '/lane/a', structuredPatch: [] },
});
const share: Usage = { inputTokens: 10, outputTokens: 7, cachedTokens: 5, costUsd: 0.5, source: 'reported' };
const success: SdkMessage = { type: 'result', subtype: 'success', is_error: false, result: 'done' };

describe('a turn', () => {
  test('passes on events in order', async () => {
    const { turn, kinds } = start();
    turn.receive(says('m1', { type: 'thinking', thinking: 'hm' }));
    turn.receive(says('m1', text('I write')));
    turn.receive(says('m1', uses('t1')));
    turn.receive(answers('t1', false));
    turn.receive(says('m2', text('done')));
    turn.finish(success, share);
    expect(kinds().filter((kind) => kind !== 'context')).toEqual([
      'usage',
      'thought',
      'text',
      'tool-start',
      'tool-end',
      'file-change',
      'usage',
      'text',
      'usage',
    ]);
    expect(await turn.done).toMatchObject({ end: 'end-turn', text: 'done' });
  });

  test('consumed the sum of its usage events, a cut call included', async () => {
    const { turn, events } = start();
    turn.receive(says('m1', text('a')));
    turn.receive(says('m2', text('b')));
    turn.finish(success, share);
    const sum = (pick: (e: AgentEvent & { t: 'usage' }) => number): number =>
      events.reduce((all, e) => all + (e.t === 'usage' ? pick(e) : 0), 0);
    const { usage } = await turn.done;
    expect(usage).toEqual({ inputTokens: 20, outputTokens: 7, cachedTokens: 10, costUsd: 0.5, source: 'reported' });
    expect(sum((e) => e.inputTokens)).toBe(usage.inputTokens);
    expect(sum((e) => e.outputTokens)).toBe(usage.outputTokens);
    expect(sum((e) => e.costUsd ?? 0)).toBe(usage.costUsd);
  });

  test('a denial is reported once, after the call it denies, in whichever order the two arrived', () => {
    for (const isHeardFirst of [true, false]) {
      const { turn, events } = start();
      if (isHeardFirst) turn.denied('t1', 'Write', { why: 'no', params: { about: 'a' } });
      turn.receive(says('m1', uses('t1')));
      if (!isHeardFirst) turn.denied('t1', 'Write', { why: 'no', params: { about: 'a' } });
      turn.receive({ type: 'system', subtype: 'permission_denied', tool_name: 'Write', tool_use_id: 't1' });
      turn.receive(answers('t1', true));
      expect(events.filter((e) => e.t !== 'usage' && e.t !== 'context')).toEqual([
        { t: 'tool-start', id: 't1', name: 'Write', input: { file_path: 'a' } },
        { t: 'permission', tool: 'Write', decision: 'deny', why: 'no', about: 'a' },
        { t: 'tool-end', id: 't1', ok: false, output: 'there' },
      ]);
    }
  });

  test('a result that is both success and error is an error', async () => {
    const { turn, kinds } = start();
    turn.receive({
      type: 'assistant',
      error: 'rate_limit',
      message: { id: 'x', content: [text('API Error: 429')] },
    });
    turn.finish({ ...success, is_error: true, api_error_status: 429, result: 'API Error: 429' }, NO_USAGE);
    expect(await turn.done).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-rate-limited' }, text: '' });
    expect(kinds()).toEqual([]);
  });

  test('a result does not end it while an injected message is unread', async () => {
    const { turn } = start();
    turn.pushed('u1');
    turn.pushed('u2');
    expect(turn.finish({ ...success, user_message_uuids: ['u1'] }, share)).toBe(false);
    expect(turn.finish({ ...success, result: 'both', user_message_uuids: ['u2'] }, share)).toBe(true);
    expect(await turn.done).toMatchObject({ end: 'end-turn', text: 'both', usage: { inputTokens: 20, costUsd: 1 } });
  });

  test('for a program that names no messages the number of queued turns counts', () => {
    const { turn } = start();
    turn.pushed('u1');
    expect(turn.finish({ ...success, queued_turn_count: 1 }, share)).toBe(false);
    expect(turn.finish({ ...success, queued_turn_count: 0 }, share)).toBe(true);
  });

  test('an aborted one is aborted, whatever the program reports', async () => {
    for (const end of ['result', 'gone'] as const) {
      const { turn } = start();
      turn.receive(says('m1', text('half')));
      turn.abort();
      if (end === 'result')
        turn.finish({ type: 'result', subtype: 'error_during_execution', is_error: true }, NO_USAGE);
      else turn.lost(failure('agent-crashed'));
      expect(await turn.done).toMatchObject({ end: 'aborted', text: 'half', usage: { inputTokens: 10 } });
    }
  });

  test('a program that exits leaves the reported usage, marked as partial', async () => {
    const { turn } = start();
    turn.receive(says('m1', text('half')));
    turn.lost(failure('agent-crashed'));
    expect(await turn.done).toMatchObject({
      end: 'agent-failed',
      failure: { reason: 'agent-crashed' },
      usage: { inputTokens: 10, outputTokens: 1, cachedTokens: 5, costUsd: null, source: 'partial' },
    });
  });

  test('a subscription limit has the time when it ends', async () => {
    const { turn } = start();
    turn.receive({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_060 } });
    turn.receive({ type: 'assistant', error: 'rate_limit', message: { id: 'x', content: [text('limit')] } });
    turn.finish({ ...success, is_error: true, result: 'limit' }, NO_USAGE);
    expect(await turn.done).toMatchObject({ failure: { params: { retryAfterMs: 60_000 } } });
  });

  test('the used share of a subscription is reported with the usual names of its windows', () => {
    const { turn, events } = start();
    const info = (more: object): SdkMessage => ({
      type: 'rate_limit_event',
      rate_limit_info: { status: 'allowed', ...more },
    });
    turn.receive(info({ rateLimitType: 'five_hour', utilization: 0.42, resetsAt: 1_700_000_000 }));
    turn.receive(info({ rateLimitType: 'seven_day_opus', utilization: 0.9, status: 'allowed_warning' }));
    turn.receive(info({ rateLimitType: 'overage', status: 'rejected' }));
    turn.receive(info({ rateLimitType: 'five_hour' }));
    expect(events).toEqual([
      { t: 'quota', window: '5h', used: 0.42, resetsAt: '2023-11-14T22:13:20.000Z' },
      { t: 'quota', window: '7d opus', used: 0.9, resetsAt: null },
      { t: 'quota', window: 'overage', used: 1, resetsAt: null },
    ]);
  });

  test('it settles once', async () => {
    const { turn } = start();
    turn.finish(success, share);
    turn.lost(failure('agent-crashed'));
    expect((await turn.done).end).toBe('end-turn');
  });
});
