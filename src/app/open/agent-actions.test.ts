// What agents did, as log lines: observed tool calls, and claims in their text, kept apart.
import { expect, test } from 'vitest';
import type { Logs } from '../../host/log.ts';
import type { AgentEvent } from '../../model/event.ts';
import { agentActions, claimedAction } from './agent-actions.ts';

const ALL = { structured: true, fallback: true, warn: true };
function linesOf(events: readonly AgentEvent[], how = ALL) {
  const lines: { type: string; said?: unknown }[] = [];
  const notes: string[] = [];
  const logs = {
    agentAction: (line: { type: string }) => void lines.push(line),
    event: ({ type }: { type: string }) => void notes.push(type),
    decision: () => undefined,
  } as unknown as Logs;
  const actions = agentActions(logs, how);
  for (const event of events) actions.record(7, event);
  actions.end(7);
  return { lines: lines.map(({ type, said }) => (said === true ? `${type} said` : type)), notes };
}
const tool: AgentEvent = { t: 'tool-start', id: '1', name: 'Bash', input: { command: 'ls' } };

test('prefixes are read across text events, in addition to tool calls', () => {
  const text = ['Next.\n[CMD:R', 'UN] ls\n[DEC', 'ISION] later\n'].map((one): AgentEvent => ({
    t: 'text',
    text: one,
  }));
  expect(linesOf([...text, tool])).toEqual({ lines: ['cmd_run said', 'decision said', 'tool'], notes: [] });
});

test('an agent without prefixes is reported once', () => {
  expect(linesOf([{ t: 'text', text: 'Done.\n' }, tool])).toEqual({
    lines: ['tool'],
    notes: ['output-not-structured'],
  });
  expect(linesOf([tool], { ...ALL, warn: false }).notes).toEqual([]);
});

test('prefixes and observed tool calls can be switched off', () => {
  const text: AgentEvent = { t: 'text', text: '[CMD:RUN] ls\n' };
  expect(linesOf([text, tool], { ...ALL, structured: false })).toEqual({ lines: ['tool'], notes: [] });
  expect(linesOf([text, tool], { ...ALL, fallback: false }).lines).toEqual(['cmd_run said']);
});

test.each([
  ['[FILE:READ] src/api/routes.py', { type: 'file_read', path: 'src/api/routes.py' }],
  ['  [FILE:WRITE] src/api/profile.py', { type: 'file_write', path: 'src/api/profile.py' }],
  ['[CMD:RUN] poetry run pytest -v', { type: 'cmd_run', cmd: 'poetry run pytest -v' }],
  ['[CMD:EXIT] 0', { type: 'cmd_exit', code: 0 }],
  ['[VERIFY:PASS] Feature #12', { type: 'verify_pass', feature: '12' }],
  ['[VERIFY:FAIL] #12', { type: 'verify_fail', feature: '12' }],
  ['[DECISION] Using PATCH', { type: 'decision', text: 'Using PATCH' }],
])('%s is parsed and marked as said', (line, action) => {
  expect(claimedAction(line)).toEqual({ ...action, said: true });
});

test.each(['FILE:READ x', '[FILE:EAT] x', '[constructor] x', '[CMD:OUTPUT]', '[DECISION]', 'see [DECISION] here'])(
  '%s says nothing',
  (line) => {
    expect(claimedAction(line)).toBeNull();
  },
);
