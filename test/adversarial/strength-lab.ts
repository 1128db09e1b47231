// A small project and the real pieces that judge a change of it: git, node:test, the checks, the proofs of strength.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openBox } from '../../src/host/box.ts';
import { systemClock } from '../../src/host/clock.ts';
import { checks } from '../../src/loop/performers/check.ts';
import { strengths } from '../../src/loop/performers/strength.ts';
import type { RunContext } from '../../src/loop/run-context.ts';
import { openSessions } from '../../src/loop/sessions.ts';
import { baselineFiles } from '../../src/loop/records/baseline.ts';
import type { StrengthOutcome } from '../../src/model/action.ts';
import type { Config } from '../../src/model/config.ts';
import type { Problem, Verdict } from '../../src/model/verdict.ts';
import { strengthAction } from '../../src/playbooks/session/checks.ts';
import { featureChecks } from '../../src/playbooks/session/checks.ts';
import { createGit } from '../../src/repos/git.ts';
import { treeOf } from '../../src/repos/tree.ts';
import { configOf } from '../support/config.ts';
import { checkpoint, facts } from '../support/outcomes.ts';
import { quickIo } from '../support/quick-io.ts';

export type Files = { readonly [path: string]: string | null };
export type Project = {
  readonly files: { readonly [path: string]: string };
  readonly testFile: string;
  readonly testing: Partial<Config['testing']>;
  /** Ids of tests that pass before. */
  readonly passing: readonly string[];
};
export type Judgement = {
  /** What the harness makes of it: a person is asked, it goes back, or it lands. */
  readonly is: 'lands' | 'asks' | 'rejected';
  readonly problems: readonly Problem[];
  readonly doubts: readonly Problem[];
  readonly verdict: Verdict;
  readonly strength: StrengthOutcome | null;
  /** Wall time of the checks, and of the proofs after them. */
  readonly tookMs: { readonly checks: number; readonly proofs: number };
};
export type Lab = {
  judge(
    change: Files,
    about?: Parameters<typeof facts>[0],
    config?: Parameters<typeof configOf>[0],
  ): Promise<Judgement>;
  remove(): void;
};

/** Opens a laboratory over a project: its files are committed once, each change is judged on a fresh copy. */
export function openLab(project: Project): Lab {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'harness-lab-')));
  const template = join(top, 'template');
  const env = { PATH: process.env['PATH'] ?? '', HOME: top };
  mkdirSync(template);
  write(template, project.files);
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'start'],
  ])
    execFileSync('git', args, { cwd: template, env });
  let count = 0;
  return {
    async judge(change, about = {}, more = {}) {
      const root = join(top, `r${++count}`);
      cpSync(template, root, { recursive: true });
      const git = createGit({ root, env, token: 'lab', io: quickIo() });
      const before = await treeOf(git);
      if (!before.ok) throw new Error(before.failure.reason);
      const config = configOf({
        // Faults are tried where a proof needs one; how many a test notices is measured elsewhere.
        verification: { mutation: 'off' },
        // The packages of its lock file do not exist.
        environment: { install: 'true' },
        ...more,
        testing: { sanity: { health: null, lint: null, typeCheck: null, quick: null }, ...project.testing },
      });
      const box = await openBox({ root, level: 'none' });
      const lane = {
        root,
        git,
        box,
        config,
        io: quickIo(),
        clock: systemClock,
        privateDir: join(root, '.git', 'harness'),
        workspaceDir: join(root, '.git', 'harness'),
        sessions: openSessions(join(root, '.git', 'harness'), quickIo()),
        stateDir: join(root, '.harness'),
        redact: (text: string) => text,
        notify: () => undefined,
        proofDir: join(top, 'proof'),
        openBoxAt: (at: string) => openBox({ root: at, level: 'none' }),
        machine: {},
      } as unknown as RunContext;
      const kept = baselineFiles(lane).kept;
      mkdirSync(dirname(kept), { recursive: true });
      const baseline = {
        session: 1,
        timestamp: '2026-01-01T00:00:00.000Z',
        passing_tests: project.passing,
        total_passing: project.passing.length,
        total_tests: project.passing.length,
      };
      writeFileSync(kept, JSON.stringify(baseline));
      write(root, change);
      const feature = facts({ testFile: project.testFile, category: 'shop', ...about });
      const context = { token: `lab/${count}`, epoch: 1, signal: new AbortController().signal } as never;
      const begun = performance.now();
      try {
        const verdict = (await checks(lane).perform(
          { kind: 'check', key: 'c', purpose: 'feature', session: 1, checks: featureChecks(feature, config) },
          context,
        )) as Verdict;
        if (!('holds' in verdict)) throw new Error(JSON.stringify(verdict));
        const checked = performance.now();
        const tookMs = (): Judgement['tookMs'] => ({ checks: checked - begun, proofs: performance.now() - checked });
        if (!verdict.holds)
          return { is: 'rejected', problems: verdict.problems, doubts: [], verdict, strength: null, tookMs: tookMs() };
        const ask = strengthAction(
          { facts: feature, checkpoint: { ...checkpoint, tree: before.value }, session: 1 },
          config,
          verdict,
        );
        const strength = (await strengths(lane).perform({ ...ask, key: 's' }, context)) as StrengthOutcome;
        if (!('proofs' in strength)) throw new Error(JSON.stringify(strength));
        const { problems, doubts } = strength;
        return {
          is: problems.length > 0 ? 'rejected' : doubts.length > 0 ? 'asks' : 'lands',
          problems,
          doubts,
          verdict,
          strength,
          tookMs: tookMs(),
        };
      } finally {
        await box.close();
        rmSync(root, { recursive: true, force: true });
      }
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

function write(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    if (text === null) rmSync(file, { force: true });
    else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
    }
  }
}

export const told = ({ is, problems, doubts, strength }: Judgement): string =>
  `${is}${[...problems, ...doubts].map((p) => `\n    ${p.code} ${(p.ids ?? []).join(' · ')}`).join('')}${strength === null ? '' : `\n    ${strength.proofs.map((p) => `${p.proof}:${p.came}${JSON.stringify(p.params)}`).join(' ')}`}`;
