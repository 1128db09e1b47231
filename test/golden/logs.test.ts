// What the log says to a person, and how mistakes in an expression are answered.
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

const EVENTS = [
  {
    ts: '2026-01-02T22:00:00.000Z',
    type: 'session-started',
    level: 'important',
    session: 1,
    item: '1',
    data: { role: 'coding', provider: 'claude' },
  },
  {
    ts: '2026-01-02T22:10:00.000Z',
    type: 'checked',
    level: 'routine',
    session: 1,
    data: { problems: ['regression'], ms: 1500 },
  },
  {
    ts: '2026-01-02T22:10:01.000Z',
    type: 'rolled-back',
    level: 'important',
    session: 1,
    item: '1',
    data: { why: 'regression' },
  },
  {
    ts: '2026-01-02T23:00:00.000Z',
    type: 'landed',
    level: 'important',
    session: 2,
    item: '1',
    data: { commit: 'abcdef' },
  },
];

test('lines of the log are shown, found and counted; a mistake is answered with its place', async () => {
  const repo = makeRepo();
  const none = await transcript(repo, ['logs']);
  repo.write('.harness/logs/events.jsonl', `${EVENTS.map((event) => JSON.stringify(event)).join('\n')}\n{"ts":"20`);
  const seen = await transcript(repo, [
    'logs',
    'logs -n 1',
    `logs --where level=routine`,
    'log query type=rolled-back',
    'log query session=1 and level>=important --json',
    'log query type=nothing',
    'log query why~gress or ms>=1500',
    'log query (type=landed',
    'log query level>loud',
    'log find x',
    'logs --kind words',
    '--lang de log query type=nothing',
  ]);
  expect(`${none}\n${seen}`).toBe(golden('logs', `${none}\n${seen}`));
});
