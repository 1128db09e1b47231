// Everything malformed that a person, an agent, a test runner or a disk can hand to the harness gets one clear answer.
import { afterAll, describe, expect, test } from 'vitest';
import { AGENTS } from './bad-input/agents.ts';
import { BACKLOGS } from './bad-input/backlog.ts';
import type { BadInput } from './bad-input/case.ts';
import { CONFIGS } from './bad-input/config.ts';
import { expectAnswer } from './bad-input/expect.ts';
import { REPORTS } from './bad-input/reports.ts';
import { makeStage, type Stage } from './bad-input/stage.ts';
import { STATES } from './bad-input/state.ts';
import { USAGES } from './bad-input/usage.ts';
import { SHOP } from './bad-input/fixture-project.ts';
import { sampleOfRows } from '../support/effort.ts';

const TABLES: { readonly [what: string]: readonly BadInput[] } = {
  'a configuration': CONFIGS,
  'a backlog': BACKLOGS,
  'state of the harness': STATES,
  'a test report': REPORTS,
  'an agent': AGENTS,
  'a call': USAGES,
};

/** Of each table. */
const SAMPLE = { fast: 4, inCi: 4 };

/** Two at a time: each has a repository of its own. */
const stages = [makeStage(SHOP), makeStage(SHOP)];
const free = [...stages];
const waiting: ((stage: Stage) => void)[] = [];
afterAll(() => {
  for (const stage of stages) stage.remove();
});

async function onStage(use: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = free.pop() ?? (await new Promise<Stage>((resolve) => waiting.push(resolve)));
  try {
    await use(stage);
  } finally {
    const next = waiting.shift();
    if (next) next(stage);
    else free.push(stage);
  }
}

test('the tables hold at least sixty cases, each with a name of its own', () => {
  const names = Object.values(TABLES).flatMap((table) => table.map(({ name }) => name));
  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(Object.entries(TABLES))('%s that is wrong', (_what, table) => {
  test.concurrent.each(sampleOfRows(table, SAMPLE.fast, SAMPLE.inCi))('$name', (bad) =>
    onStage((stage) => expectAnswer(stage, bad)),
  );
});
