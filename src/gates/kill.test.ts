// Death at every durable call, and processes that really race: whatever happens, one question has one answer.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realIo, type Io } from '../host/io.ts';
import type { GateAnswer, GateAsk } from '../model/gate.ts';
import type { Result } from '../model/result.ts';
import { openGates } from './store.ts';

const ask: GateAsk = {
  gate: 'question',
  subject: 'regression',
  item: null,
  params: {},
  options: [{ id: 'rollback' }, { id: 'abort' }],
  recommended: 'rollback',
  evidence: [],
};
const clock = { now: () => 0, iso: () => '2026-01-02T03:04:05.678Z' };

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gates-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = (io: Io = realIo()) => openGates({ dir, io, clock });
const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};

class Death extends Error {}
type Moment = 'before' | 'torn' | 'after';

/** Dies at the n-th durable call and stays dead. Torn leaves what a half write leaves: a temporary file. */
function mortalIo(n: number, moment: Moment): Io {
  const io = realIo();
  let calls = 0;
  const at = (tear: () => void): { die: () => void } => {
    calls += 1;
    if (calls > n) throw new Death();
    if (calls === n && moment !== 'after') {
      if (moment === 'torn') tear();
      throw new Death();
    }
    return {
      die: () => {
        if (calls === n) throw new Death();
      },
    };
  };
  const nothing = () => undefined;
  return {
    append(path, text) {
      const call = at(nothing);
      io.append(path, text);
      call.die();
    },
    replace(path, text) {
      const call = at(() => io.replace(`${path}.1.tmp`, text.slice(0, text.length >> 1)));
      io.replace(path, text);
      call.die();
    },
    replaceAll(files) {
      const call = at(nothing);
      io.replaceAll(files);
      call.die();
    },
    remove(path) {
      const call = at(nothing);
      io.remove(path);
      call.die();
    },
    async effect(name, run) {
      const call = at(nothing);
      const done = await io.effect(name, run);
      call.die();
      return done;
    },
  };
}

/** A question asked and answered, its position lost, asked again, answered again, one more withdrawn. */
async function life(io: Io, told: (answer: GateAnswer) => void): Promise<void> {
  const gates = open(io);
  const first = value(await gates.ask(ask, { key: 'k', epoch: 1 }));
  if (value(gates.answerOf('k', 1)) === null)
    told(value(await gates.answer(first.id, { option: 'abort', note: '', by: 'ada' })));
  const second = value(await gates.ask(ask, { key: 'k', epoch: 2 }));
  if (value(gates.answerOf('k', 2)) === null)
    told(value(await gates.answer(second.id, { option: 'rollback', note: '', by: 'ada' })));
  await gates.ask(ask, { key: 'm', epoch: 1 });
  const third = value(await gates.ask(ask, { key: 'm', epoch: 2 }));
  value(await gates.withdraw(third.id, 'item-skipped'));
}

describe.each<Moment>(['before', 'torn', 'after'])('a kill %s any durable call', (moment) => {
  test('leaves one gate for each question, and every answer that was acknowledged', async () => {
    let survived = false;
    let deaths = 0;
    for (let n = 1; !survived; n += 1) {
      rmSync(dir, { recursive: true, force: true });
      const told: GateAnswer[] = [];
      try {
        await life(mortalIo(n, moment), (answer) => told.push(answer));
        survived = true;
      } catch (error) {
        if (!(error instanceof Death)) throw error;
        deaths += 1;
      }
      const after = open();
      const seen = value(after.list({ open: true })).map((r) => `${r.gate.key} ${r.gate.epoch}`);
      expect(new Set(seen).size, `two gates for one question after call ${n}`).toBe(seen.length);
      const kept = [value(after.answerOf('k', 1)), value(after.answerOf('k', 2))];
      for (const answer of told) expect(kept).toContainEqual(answer);

      await life(realIo(), () => undefined);
      expect(value(after.list({ open: true })), `something still waits after call ${n}`).toEqual([]);
      expect([value(after.answerOf('k', 1))?.option, value(after.answerOf('k', 2))?.option]).toEqual([
        'abort',
        'rollback',
      ]);
      expect(value(after.answerOf('m', 1))).toBe(null);
      const all = value(after.list({ open: false })).map((r) => r.gate.id);
      expect(new Set(all).size).toBe(all.length);
    }
    expect(deaths).toBeGreaterThan(25);
  });
});

describe('processes that race', () => {
  /** Starts each program, waits until all of them stand at the line, lets them go together. */
  const race = async (programs: readonly string[]): Promise<readonly string[]> => {
    const runners = programs.map((body, i) => {
      const file = join(dir, `racer-${i}.mjs`);
      const store = JSON.stringify(new URL('./store.ts', import.meta.url).href);
      const host = JSON.stringify(new URL('../host/', import.meta.url).href);
      writeFileSync(
        file,
        `const { openGates } = await import(${store});
        const { realIo } = await import(${host} + 'io.ts');
        const { systemClock } = await import(${host} + 'clock.ts');
        const gates = openGates({ dir: ${JSON.stringify(dir)}, io: realIo(), clock: systemClock });
        const ask = ${JSON.stringify(ask)};
        process.stdout.write('ready\\n');
        await new Promise((go) => process.stdin.once('data', go));
        process.stdin.destroy();
        const result = await (async () => { ${body} })();
        process.stdout.write(JSON.stringify(result));`,
      );
      const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
      let out = '';
      const ready = new Promise<void>((resolve) => {
        child.stdout.on('data', (chunk) => {
          out += String(chunk);
          if (out.startsWith('ready\n')) resolve();
        });
      });
      const done = new Promise<string>((resolve) => child.once('close', () => resolve(out.slice('ready\n'.length))));
      return { child, ready, done };
    });
    await Promise.all(runners.map((r) => Promise.race([r.ready, r.done])));
    for (const { child } of runners) child.stdin.write('go\n');
    return Promise.all(runners.map((r) => r.done));
  };
  const parsed = (outputs: readonly string[]) => outputs.map((text) => JSON.parse(text) as Result<GateAnswer>);

  test('to answer one gate: one is first, the others get its answer', async () => {
    await open().ask(ask, { key: 'k', epoch: 1 });
    const by = ['ada', 'bob', 'eve', 'kim'];
    const results = parsed(
      await race(by.map((name) => `return gates.answer('g-1', { option: 'abort', note: '', by: '${name}' });`)),
    );
    const winners = results.filter((r) => r.ok).map((r) => r.value.by);
    expect(winners).toHaveLength(1);
    expect(value(open().answerOf('k', 1))?.by).toBe(winners[0]);
    const losers = results.flatMap((r) => (r.ok ? [] : [{ reason: r.failure.reason, first: r.failure.params['by'] }]));
    expect(losers).toEqual(Array.from({ length: 3 }, () => ({ reason: 'gate-already-answered', first: winners[0] })));
  });
  test('to ask the same question: all get the same gate, and only that one is shown', async () => {
    const program = `return (await gates.ask(ask, { key: 'k', epoch: 1 })).value.id;`;
    const ids = await race([program, program, program]);
    const shown = value(open().list({ open: true })).map((r) => JSON.stringify(r.gate.id));
    expect([...new Set(ids)]).toEqual(shown);
  });
  test('to ask different questions: no two get the same number', async () => {
    const ids = await race(
      ['a', 'b', 'c'].map((key) => `return (await gates.ask(ask, { key: '${key}', epoch: 1 })).value.id;`),
    );
    expect(new Set(ids).size).toBe(3);
  });
});
