// Several real processes append to one memory and promote to one identity at the same time: nothing is lost, nothing is there twice.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { folders } from '../../test/support/signals.ts';
import { amountOf } from '../../test/support/effort.ts';
import { realIo } from '../host/io.ts';
import { openMemory } from './layers.ts';
import { entriesOf } from './records.ts';

const folder = folders('harness-memory-races-');
const PROCESSES = 4;
const CALLS = amountOf(15, 60);

/** `memories`: the number of work trees; each process appends to all of them and promotes from its own. */
const script = (top: string): string => `
  const { openMemory } = await import(${JSON.stringify(import.meta.resolve('./layers.ts'))});
  const { realIo } = await import(${JSON.stringify(import.meta.resolve('../host/io.ts'))});
  const { systemClock } = await import(${JSON.stringify(import.meta.resolve('../host/clock.ts'))});
  const top = ${JSON.stringify(top)};
  const me = Number(process.argv[1]);
  const open = (tree) => openMemory({
    stateDir: top + '/' + tree + '/.harness', workspaceDir: top + '/' + tree + '/private', personDir: top + '/person',
    playbook: 'mission', roles: ['worker'], io: realIo(), clock: systemClock, redact: (text) => text,
  });
  const sure = (result) => { if (!result.ok) throw new Error(JSON.stringify(result.failure)); };
  const [shared, own] = [open('shared'), open('own-' + me)];
  console.log('up');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  for (let n = 0; n < ${CALLS}; n += 1) {
    // Every call twice: the second is the repetition after a crash.
    for (let again = 0; again < 2; again += 1)
      sure(shared.append([{ session: me, role: 'worker', item: null, lines: [me + '-' + n] }], me + '-' + n));
    const trick = n % 2 === 0 ? 'shared ' + n : 'of ' + me + ' ' + n;
    for (const session of [1, 2]) sure(own.append([{ session, role: 'worker', item: null, lines: ['TRICK: ' + trick] }], n + '-' + session));
    sure(own.curated('## Summary\\ns\\n## Memory\\nm\\n## Promote\\n- ' + trick, { session: 3 + n }));
  }
  process.exit(0);
`;

test('entries and promotions of processes at the same time are all there, once', async () => {
  const top = folder();
  const children = Array.from({ length: PROCESSES }, (_, me) =>
    spawn(process.execPath, ['--input-type=module', '-e', script(top), String(me)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );
  try {
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
    const ends = children.map(async (child) => {
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      return [code, said];
    });
    for (const { stdin } of children) stdin.write('go\n');
    expect(await Promise.all(ends)).toEqual(children.map(() => [0, expect.any(String)]));
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
  const memory = openMemory({
    stateDir: join(top, 'shared', '.harness'),
    workspaceDir: join(top, 'shared', 'private'),
    personDir: join(top, 'person'),
    playbook: 'mission',
    roles: ['worker'],
    io: realIo(),
    clock: { now: () => 0, iso: () => '' },
    redact: (one) => one,
  });
  const records = memory.records();
  const entries = records.ok ? entriesOf(records.value) : [];
  const numbers = Array.from({ length: CALLS }, (_, n) => n);
  const wanted = numbers.flatMap((n) => children.map((_, me) => `${me}-${n}`));
  expect(entries.flatMap(({ lines }) => lines).toSorted()).toEqual(wanted.toSorted());
  expect(entries.map(({ n }) => n)).toEqual(entries.map((_, at) => at + 1));
  const tricks = numbers.flatMap((n) => (n % 2 === 0 ? [`shared ${n}`] : children.map((_, me) => `of ${me} ${n}`)));
  const learnt = memory.identities.read('worker').text.trimEnd().split('\n');
  expect(learnt.toSorted()).toEqual(tricks.map((trick) => `- ${trick}`).toSorted());
});
