// Numbers that machines ask for themselves (roles beside the worker) never collide with those that the loop gives, in any order of events, in any
// work tree, and from several processes at the same time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueOf } from '../../../test/stage/repository.ts';
import { amountOf } from '../../../test/support/effort.ts';
import { quickIo } from '../../../test/support/quick-io.ts';
import { folders } from '../../../test/support/signals.ts';
import { openSessions } from '../sessions.ts';
import { giveSessionNumber, reserveSessionNumber } from './session-numbers.ts';

const folder = folders('harness-reserved-');
const TREES = [null, 'one', 'two'] as const;

function repository() {
  const privateDir = folder();
  return TREES.map((id) => {
    const workspaceDir = id === null ? privateDir : join(privateDir, 'worktrees', id);
    const io = quickIo();
    const sessions = openSessions(workspaceDir, io);
    const context = { privateDir, workspaceDir, io, machine: {}, sessions } as never;
    return {
      give: (wanted: number) => valueOf(giveSessionNumber(context, wanted)),
      reserve: () => valueOf(reserveSessionNumber(context)),
      begin: (session: number) => sessions.begin(session, { token: `t${session}`, startedAt: '2026-01-02T03:04:05Z' }),
    };
  });
}

/** `loop`: the loop begins a session · `role`: a role begins one · `lost`: a role's number is lost in a crash · `again`: the loop asks and does not begin. */
const event = fc.record({
  tree: fc.nat(TREES.length - 1),
  what: fc.constantFrom('loop', 'role', 'lost', 'again'),
  wanted: fc.nat(9),
});

test('no session of any work tree has the number of another, whatever comes in which order', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const trees = repository();
      const begun: number[] = [];
      for (const { tree, what, wanted } of events) {
        const at = trees[tree];
        if (at === undefined) throw new Error('there is such a tree');
        const number = what === 'loop' || what === 'again' ? at.give(wanted + 1) : at.reserve();
        expect(begun).not.toContain(number);
        if (what === 'again') continue;
        begun.push(number);
        if (what !== 'lost') at.begin(number);
      }
      expect(new Set(begun).size).toBe(begun.length);
    }),
    { numRuns: amountOf(30, 300) },
  );
});

test('a number that the loop was given and did not begin with yet is no role’s', () => {
  const [main] = repository();
  if (main === undefined) throw new Error('there is a main tree');
  expect(main.give(1)).toBe(1);
  expect([main.reserve(), main.reserve()]).toEqual([2, 3]);
  main.begin(1);
  expect(main.give(2)).toBe(4);
});

const PROCESSES = 4;
const CALLS = 12;
const script = (privateDir: string): string => `
  const { giveSessionNumber, reserveSessionNumber } = await import(${JSON.stringify(import.meta.resolve('./session-numbers.ts'))});
  const { realIo } = await import(${JSON.stringify(import.meta.resolve('../../host/io.ts'))});
  const { openSessions } = await import(${JSON.stringify(import.meta.resolve('../sessions.ts'))});
  const me = Number(process.argv[1]);
  const privateDir = ${JSON.stringify(privateDir)};
  const workspaceDir = me === 0 ? privateDir : privateDir + '/worktrees/tree-' + me;
  const io = realIo();
  const sessions = openSessions(workspaceDir, io);
  const context = { privateDir, workspaceDir, io, machine: {}, sessions };
  const sure = (result) => { if (!result.ok) throw new Error(JSON.stringify(result.failure)); return result.value; };
  console.log('up');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  const had = [];
  for (let n = 0; n < ${CALLS}; n += 1) {
    const number = sure(n % 3 === 0 ? giveSessionNumber(context, 1) : reserveSessionNumber(context));
    sessions.begin(number, { token: 't' + number, startedAt: '2026-01-02T03:04:05Z' });
    had.push(number);
  }
  console.log(JSON.stringify(had));
  process.exit(0);
`;

test('processes of several work trees at the same time never have the same', async () => {
  const privateDir = folder();
  const children = Array.from({ length: PROCESSES }, (_, me) =>
    spawn(process.execPath, ['--input-type=module', '-e', script(privateDir), String(me)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );
  try {
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
    const ends = children.map(async (child) => {
      const [said, wrong, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      expect([code, wrong.replace(/.*ExperimentalWarning.*\n|.*--trace-warnings.*\n/g, '')]).toEqual([0, '']);
      return JSON.parse(said) as readonly number[];
    });
    for (const { stdin } of children) stdin.write('go\n');
    const all = (await Promise.all(ends)).flat();
    expect(all).toHaveLength(PROCESSES * CALLS);
    expect(new Set(all).size).toBe(all.length);
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
});
