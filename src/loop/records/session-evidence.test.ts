// Which evidence of the private folder goes into the bundle of a landing, and which landing is refused for it.
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countReads } from '../../../test/support/count-reads.ts';
import { folders } from '../../../test/support/signals.ts';
import { sha256 } from '../../host/files.ts';
import type { BundleAsk } from '../../model/landing-action.ts';
import type { Verdict } from '../../model/verdict.ts';
import { evidenceOf } from './session-evidence.ts';

const folder = folders('harness-kept-');
const TREE = 'a'.repeat(40);

function kept(top: string, name: string, about: object, file = 'checks.json'): void {
  mkdirSync(join(top, 'evidence', name, 'deeper'), { recursive: true });
  const output = { file: 'deeper/o.txt', sha256: sha256(name) };
  const check = {
    name: 'feature',
    command: 'sh test',
    runner: null,
    weight: 'must',
    against: null,
    perTest: 'none',
    exit: { code: 0 },
    stdout: output,
    stderr: output,
    report: null,
  };
  const text = JSON.stringify({
    purpose: 'feature',
    session: 7,
    tree: TREE,
    sandbox: 'none',
    checks: [check],
    ...about,
  });
  writeFileSync(join(top, 'evidence', name, file), text);
  writeFileSync(join(top, 'evidence', name, 'deeper', 'o.txt'), name);
}
const ask = (verdict: Partial<Verdict> = {}): { readonly session: number; readonly bundle: BundleAsk } => ({
  session: 7,
  bundle: {
    startedAt: '2025-01-16T14:30:00.000Z',
    verdict: {
      holds: true,
      tree: TREE,
      sandbox: 'none',
      evidence: '.git/harness/evidence/own',
      checks: [{ name: 'feature', command: 'sh test', passed: true, exit: 0, ms: 1, tests: null, tail: '' }],
      ...verdict,
    },
  } as BundleAsk,
});
const place = (about: object = {}): string => {
  const top = folder();
  kept(top, 'own', about);
  return top;
};

test.each([
  ['empty', 'evidence-differs', (file: string) => writeFileSync(file, '')],
  ['gone', 'evidence-missing', (file: string) => rmSync(file)],
])('a summary of checks that is %s after a power loss: the landing is refused', (_, code, lose) => {
  const top = place();
  lose(join(top, 'evidence', 'own', 'checks.json'));
  expect(evidenceOf({ privateDir: top }, ask())).toMatchObject({ refused: { code } });
});

test('what other sessions left is looked at once in a run, and its names alone at later landings', async () => {
  const readsAfter = async (behind: number): Promise<number> => {
    const top = place();
    for (let n = 0; n < behind; n += 1) kept(top, `other-${n}`, { session: 100 + n });
    const landing = () => expect(evidenceOf({ privateDir: top }, ask())).toMatchObject({ deciding: 'own' });
    landing();
    return (await countReads(landing)) - behind;
  };
  const few = await readsAfter(3);
  expect(few).toBeGreaterThan(0);
  expect(await readsAfter(60)).toBe(few);
});

test.each([
  ['empty', (file: string) => writeFileSync(file, '')],
  ['gone', (file: string) => rmSync(file)],
])('an output that is %s after a power loss: the landing is refused, and the work checked again', (_, lose) => {
  const top = place();
  lose(join(top, 'evidence', 'own', 'deeper', 'o.txt'));
  expect(evidenceOf({ privateDir: top }, ask())).toEqual({
    refused: { code: 'evidence-differs', params: { folder: 'own', what: 'outputs' } },
  });
});

test('the folder of the verdict comes first, with every other one of the session, whatever made it', () => {
  const top = place();
  kept(top, 'earlier-turn', {});
  kept(top, 'strength', { proofs: [] }, 'proofs.json');
  kept(top, 'other-session', { session: 8 });
  kept(top, 'same-number-long-ago', {});
  utimesSync(join(top, 'evidence', 'same-number-long-ago'), 1, 1);
  const found = evidenceOf({ privateDir: top }, ask());
  expect('files' in found && found.files.map(({ path }) => path)).toEqual([
    'own/checks.json',
    'own/deeper/o.txt',
    'earlier-turn/checks.json',
    'earlier-turn/deeper/o.txt',
    'strength/deeper/o.txt',
    'strength/proofs.json',
  ]);
});

test.each([
  ['of another session', { session: 6 }, {}, 'evidence-differs'],
  ['of another tree', { tree: 'b'.repeat(40) }, {}, 'evidence-differs'],
  ['with another exit', {}, { checks: [] }, 'evidence-differs'],
  ['that is gone', {}, { evidence: '.git/harness/evidence/gone' }, 'evidence-missing'],
  ['that was never kept though commands ran', {}, { evidence: null }, 'evidence-missing'],
] as const)('evidence %s refuses the landing', (_, about, verdict, code) => {
  expect(evidenceOf({ privateDir: place(about) }, ask(verdict as Partial<Verdict>))).toMatchObject({
    refused: { code },
  });
});

test('where a person verified it and nothing was run, there is no folder to want', () => {
  expect(evidenceOf({ privateDir: folder() }, ask({ evidence: null, checks: [] }))).toEqual({
    deciding: '',
    files: [],
  });
});

test.each([
  ['held is kept as its end, with the hash of all of it', [], true],
  ['left a doubt that a person decided about is kept whole', [{ code: 'test-not-red', params: {} }], false],
])('the output of a proof that %s', (_, doubts, isShort) => {
  const top = place();
  kept(top, 'proof', { problems: [], doubts }, 'strength.json');
  const output = `${'a failure made on purpose\n'.repeat(1_000)}the end\n`;
  writeFileSync(join(top, 'evidence', 'proof', '1-red.stdout.txt'), output);
  writeFileSync(join(top, 'evidence', 'own', '1-feature.stdout.txt'), output);
  const found = evidenceOf({ privateDir: top }, ask());
  const file = (path: string) => ('files' in found ? found.files.find((one) => one.path === path) : undefined);
  expect(file('own/1-feature.stdout.txt')).toEqual({ path: 'own/1-feature.stdout.txt', text: output });
  const proof = file('proof/1-red.stdout.txt');
  expect(proof?.whole).toEqual(isShort ? { sha256: sha256(output), bytes: output.length } : undefined);
  expect([proof?.text.length, proof?.text.endsWith('the end\n')]).toEqual([isShort ? 2_048 : output.length, true]);
  expect(file('proof/deeper/o.txt')).toEqual({ path: 'proof/deeper/o.txt', text: 'proof' });
});
