import { expect, test } from 'vitest';
import { OPERATIONS, type OperationName } from '../../src/app/operations/all.ts';
import { served } from '../support/served.ts';
import { expectExit, honest, workshop } from './workshop.ts';

/** Fails if a member is missing, has another type, or is not in the schema: it would be left out. */
function expectFits(name: OperationName, answer: { readonly [key: string]: unknown }): void {
  const { schema: _, ...rest } = answer;
  expect(OPERATIONS[name].output.parse(rest), name).toEqual(rest);
}

const READS: readonly (readonly [OperationName, words: readonly string[], query: string])[] = [
  ['status', ['status'], ''],
  ['items', ['items'], ''],
  ['item', ['items', 'show', '1'], '?item=1'],
  ['gates', ['gates', '--all'], '?all=true'],
  ['runs', ['runs'], ''],
  ['run', ['runs', 'show', 'last'], '?run=last'],
  ['costs', ['costs'], ''],
  ['report', ['report'], ''],
  ['evidence', ['evidence', 'show', '1'], '?item=%231'],
];
const MORE = ['lanes', 'sessions', 'session?session=1', 'diff?session=1'] as const;
const WRITES = ['pause', 'resume', 'stop', 'freeze', 'unfreeze'] as const;
/** The others' answers are made in the same way. */
const TYPED: readonly string[] = ['pause', 'resume'];

test('the command line and HTTP give the same answers, and they fit their schemas', async () => {
  const shop = workshop({ sessions: honest });
  expectExit(await shop.harness('run', '1'), 0);
  const s = await served(shop);
  for (const [name, words, query] of READS) {
    const printed = (await shop.harness(...words, '--json')).json();
    const got = (await s.get(`/api/v1/${name}${query}`)) as { readonly [key: string]: unknown };
    expectFits(name, printed);
    expect({ ...got, schema: '' }, name).toEqual({ ...printed, schema: '' });
  }
  for (const path of MORE) {
    const got = (await s.get(`/api/v1/${path}`)) as { readonly [key: string]: unknown };
    expectFits(path.split('?')[0] as OperationName, got);
  }
  for (const name of WRITES) {
    if (TYPED.includes(name)) expectFits(name, (await shop.harness(name, '--json')).json());
    const { status, json } = await s.post(`/${name}`);
    expect(status, name).toBe(200);
    expectFits(name, json as { readonly [key: string]: unknown });
  }
  const [session] = ((await s.get('/api/v1/sessions')) as { sessions: { evidence: string; role: string }[] }).sessions;
  expect(session).toMatchObject({ session: 1, item: '1', result: 'landed', role: 'coding', provider: 'scripted' });
  const folder = session?.evidence.split('/').at(-1) ?? '';
  const checks = (await s.get(`/api/v1/checks?folder=${folder}`)) as { readonly [key: string]: unknown };
  expectFits('checks', checks);
  expect(checks).toMatchObject({ session: 1, checks: [{ name: 'feature', exit: 0, problems: [] }, { name: 'full' }] });
  expect(await s.get('/api/v1/diff?session=1')).toMatchObject({ patch: expect.stringContaining('+bench') });
});

test('while it is frozen no run starts, over any surface; unfreeze lifts it', async () => {
  const shop = workshop();
  expect((await shop.harness('freeze')).stdout).toContain('harness unfreeze');
  const refused = await shop.harness('run', '--json');
  expect([refused.code, refused.json()]).toMatchObject([10, { error: { code: 'frozen' } }]);
  const s = await served(shop);
  expect(await s.post('/api/v1/start')).toMatchObject({ status: 409, json: { error: { code: 'frozen' } } });
  await shop.harness('resume');
  expect((await shop.harness('status', '--json')).json()).toMatchObject({ frozen: true });
  await shop.harness('daemon', 'unfreeze');
  expect((await shop.harness('status', '--json')).json()).toMatchObject({ frozen: false });
});

test('each event of a run has its number, and a reader that comes back gets the rest, once and in order', async () => {
  const shop = workshop();
  const s = await served(shop);
  const { json } = await s.post('/api/v1/start', { item: '1', until_done: false });
  expect(json).toMatchObject({ started: true });
  const { run } = json as { readonly run: string };
  const first = await s.events(`${run}:0`, ({ type }) => type === 'session-started');
  const last = first.at(-1);
  const rest = await s.events(last?.id ?? null, ({ type }) => type === 'run-ended');
  const numbers = [...first, ...rest].map(({ seq }) => seq);
  expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i));
  expect(rest.map(({ type }) => type)).toEqual(expect.arrayContaining(['tool', 'checked', 'landed', 'item-ended']));
  const again = await s.events(first[0]?.id ?? null, ({ type }) => type === 'run-ended');
  expect(again.map(({ id }) => id)).toEqual([...first.slice(1), ...rest].map(({ id }) => id));
  expect((await shop.harness('status', '--json')).json()).toMatchObject({ items: { landed: 1 } });
});
