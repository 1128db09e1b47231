// What it costs to prove that a test is worth what it says, over running the test commands bare: for a change of source and
// its own test, the same with an old test touched, and with small faults tried.
import { performance } from 'node:perf_hooks';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MONEY_TEST, SHOP, WORK } from '../test/adversarial/fixture-project.ts';
import { openLab, type Files } from '../test/adversarial/strength-lab.ts';
import { median } from './spans.ts';

export type StrengthCost = {
  /** Old test files beside the item's own. */
  readonly tests: number;
  /** The item's test and the whole suite, as a shell runs them. */
  readonly bareMs: number;
  readonly checksRatio: number;
  /** Checks and proofs where no old test and no runner file changed. */
  readonly plainRatio: number;
  /** The same where an old test changed, and with up to eight faults. */
  readonly frozenRatio: number;
  readonly mutationRatio: number;
  /** What each kind of proof ran, over the bare commands. */
  readonly proofs: { readonly [proof: string]: number };
};

/** Each old test file takes this long by itself, as tests that do something do. */
const TEST_MS = 150;

export async function measureStrength(tests: number, rounds: number): Promise<StrengthCost> {
  const slow = Object.fromEntries(
    Array.from({ length: tests }, (_, i) => [
      `tests/old${i}.test.mjs`,
      `import test from 'node:test';\nimport { setTimeout } from 'node:timers/promises';\ntest('old ${i}', () => setTimeout(${TEST_MS}));\n`,
    ]),
  );
  const passing = Array.from({ length: tests }, (_, i) => `node|tests/old${i}.test.mjs||old ${i}`);
  const project = { ...SHOP, files: { ...SHOP.files, ...slow }, passing: [...SHOP.passing, ...passing] };
  const lab = openLab(project);
  try {
    const touched: Files = { ...WORK, 'tests/money.test.mjs': `// money\n${MONEY_TEST}` };
    const each: { [proof: string]: number[] } = {};
    const rows: { bare: number; checks: number; plain: number; frozen: number; mutation: number }[] = [];
    for (let n = 0; n < rounds; n++) {
      const bare = bareMs(project);
      const plain = (await lab.judge(WORK)).tookMs;
      const replayed = await lab.judge(touched);
      const frozen = replayed.tookMs;
      const faulty = await lab.judge(WORK, {}, { verification: { mutation: 'warn' } });
      for (const { proof, ms } of [...(faulty.strength?.proofs ?? []), ...(replayed.strength?.proofs ?? [])])
        (each[proof] ??= []).push(ms / bare);
      const mutation = faulty.tookMs;
      const all = (took: typeof plain): number => (took.checks + took.proofs) / bare;
      rows.push({ bare, checks: plain.checks / bare, plain: all(plain), frozen: all(frozen), mutation: all(mutation) });
    }
    const of = (key: keyof (typeof rows)[number]): number => median(rows.map((row) => row[key]));
    return {
      tests,
      bareMs: of('bare'),
      checksRatio: of('checks'),
      plainRatio: of('plain'),
      frozenRatio: of('frozen'),
      mutationRatio: of('mutation'),
      proofs: Object.fromEntries(Object.entries(each).map(([proof, ratios]) => [proof, median(ratios)])),
    };
  } finally {
    lab.remove();
  }
}

function bareMs({ files }: { readonly files: { readonly [path: string]: string } }): number {
  const root = mkdtempSync(join(tmpdir(), 'harness-bench-'));
  try {
    for (const [path, text] of Object.entries({ ...files, ...WORK })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text ?? '');
    }
    const begun = performance.now();
    for (const line of ['node --test tests/discount.test.mjs', 'node --test tests/*.test.mjs'])
      execFileSync('/bin/sh', ['-c', line], { cwd: root, stdio: 'ignore' });
    return performance.now() - begun;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
