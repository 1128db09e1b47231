// What a run leaves in the logs, by the level that is set, and what it takes away that is too old.
import { describe, expect, test } from 'vitest';
import type { Repo } from '../support/repo.ts';
import { expectExit, honest, workshop } from './workshop.ts';

const DAY = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * DAY).toISOString();
const line = (days: number, more: object): string => `${JSON.stringify({ ts: ago(days), ...more })}\n`;
const typesIn = (repo: Repo, log = 'events'): readonly string[] =>
  repo
    .read(`.harness/logs/${log}.jsonl`)
    .trimEnd()
    .split('\n')
    .map((one) => (JSON.parse(one) as { type: string }).type);

describe('level', () => {
  test('by itself everything but debug is there, and nothing is a sample', async () => {
    const repo = workshop({ sessions: honest });
    expectExit(await repo.harness('run', '--until-done'), 0);
    const types = typesIn(repo);
    expect(types.filter((type) => type === 'proving')).toHaveLength(3);
    expect(types).not.toContain('usage');
    expect(repo.read('.harness/logs/events.jsonl')).not.toContain('"sampled"');
  });

  test('important keeps one in ten of what is routine, and of everything else all', async () => {
    const [whole, few] = [
      workshop({ sessions: honest }),
      workshop({ sessions: honest, config: 'logging: { level: important }' }),
    ];
    for (const repo of [whole, few]) expectExit(await repo.harness('run', '--until-done'), 0);
    const routine = new Set(['checking', 'proving', 'sandbox', 'file-size', 'output-not-structured']);
    const rest = (repo: Repo) => typesIn(repo).filter((type) => !routine.has(type));
    expect(rest(few)).toEqual(rest(whole));
    expect(typesIn(few).filter((type) => type === 'proving')).toHaveLength(1);
    const sampled = await few.harness('log', 'query', 'sampled=10 type=proving', '--json');
    expect(sampled.json()).toMatchObject({ found: 1, lines: [{ level: 'routine', sampled: 10 }] });
  });

  test('debug also shows what was used', async () => {
    const repo = workshop({
      sessions: [{ when: {}, turns: [[{ usage: { input: 5, output: 3, cached: 1, cost_usd: 0.01 } }]] }],
      config: 'logging: { level: debug }',
    });
    await repo.harness('run');
    expect(typesIn(repo)).toContain('usage');
  });
});

test('a run takes away what is too old, once a day, and keeps what is critical', async () => {
  const repo = workshop({ sessions: honest });
  repo.write(
    '.harness/logs/events.jsonl',
    line(400, { type: 'landed', level: 'critical' }) +
      line(91, { type: 'rolled-back', level: 'important' }) +
      line(31, { type: 'checking', level: 'routine' }) +
      line(29, { type: 'young', level: 'routine' }),
  );
  repo.write('.harness/logs/decisions.jsonl', line(4_000, { decision: 'x', why: 'y' }));
  repo.write('.harness/logs/agent_actions.jsonl', line(31, { type: 'old' }));
  expectExit(await repo.harness('run'), 0);
  expect(typesIn(repo).slice(0, 2)).toEqual(['landed', 'young']);
  expect(typesIn(repo)).not.toContain('rolled-back');
  expect(typesIn(repo, 'agent_actions')).not.toContain('old');
  expect(repo.read('.harness/logs/decisions.jsonl')).toContain('"decision":"x"');
  const logs = repo.read('.harness/logs/events.jsonl');
  repo.write('.harness/logs/events.jsonl', line(200, { type: 'late', level: 'routine' }) + logs);
  expectExit(await repo.harness('run'), 0);
  expect(typesIn(repo)[0]).toBe('late');
});
