// What the daemon starts: `harness run PLAN`, `harness run --look`, `harness fidelity`, each as a program of its own that neither needs the daemon nor
// ends with it. Its output is the log of the run, and the last line of it is its answer, also for a daemon that was started later.
import { existsSync, renameSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { startProgram } from '../../host/detached.ts';
import { textOrEmpty } from '../../host/files.ts';
import { lockOwner } from '../../host/lock.ts';
import { entryOf } from '../../model/entry.ts';
import { asPlain, plainObject, textAt } from '../open/loose-json.ts';
import type { Target } from '../open/target.ts';
import type { Child, ChildEnd } from './record.ts';

export type ChildProgram = {
  readonly pid: number | null;
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
};

const WORDS: { readonly [K in Child['kind']]: (plan: string) => readonly string[] } = {
  run: (plan) => ['run', plan, '--until-done', '--max-items', '1'],
  look: () => ['run', '--look'],
  fidelity: () => ['fidelity'],
};

/** As it is kept before the program is started. */
export function childOf(target: Target, kind: Child['kind'], plan: string | null): Child {
  const about = { kind, plan, since: target.clock.iso() };
  return { ...about, log: logIn(target, firstName(about)), run: null, pid: null, tip: null };
}

/** Of a log, until the name of its run is known. */
const firstName = ({ kind, plan, since }: Pick<Child, 'kind' | 'plan' | 'since'>): string =>
  `${plan ?? kind}-${since.replace(/[^\dT]/g, '')}.log`;
const logIn = ({ root, stateDir }: Pick<Target, 'root' | 'stateDir'>, name: string): string =>
  relative(root, join(stateDir, 'logs', name));

export function startChild(target: Target, { kind, plan, log }: Child, configFile: string | null): ChildProgram {
  const where = [
    '-C',
    target.root,
    ...(configFile === null ? [] : ['--config', configFile]),
    '--json',
    '-v',
    '--no-input',
  ];
  // Another prefix than a run's own processes have: the run ends those when it starts.
  const token = `${target.workspaceDir}@tick-${process.pid}`;
  const args = [...where, ...(entryOf(WORDS, kind) ?? WORDS.look)(plan ?? '')];
  return startProgram(args, { cwd: target.root, token, log: join(target.root, log) });
}

/** With its name, once it has the run lock. null: nothing has changed. */
export function named({ workspaceDir }: Pick<Target, 'workspaceDir'>, child: Child): Child | null {
  const run = child.run === null ? (lockOwner(workspaceDir)?.run ?? null) : null;
  return run === null ? null : withRun(child, run);
}

/** Its log has the name of the run: `<plan>-<run>.log`. The file gets it after that is recorded (`nameLog`). */
export const withRun = (child: Child, run: string): Child => ({
  ...child,
  run,
  log: child.log.replace(/[^/]*$/, `${child.plan ?? child.kind}-${run}.log`),
});

/** Repeatable. Where it does not succeed, the log has its first name. */
export function nameLog({ root }: Pick<Target, 'root'>, child: Child): void {
  try {
    if (existsSync(firstLog(root, child))) renameSync(firstLog(root, child), join(root, child.log));
  } catch {
    // The log is found by its first name.
  }
}

const firstLog = (root: string, child: Child): string => join(root, dirname(child.log), firstName(child));

const answerShape = z.looseObject({
  run: z.string(),
  result: z.string(),
  reason: z.string(),
  gates: z.array(z.string()).default([]),
  landed: z.array(z.string()).default([]),
});

export type ChildAnswer = { readonly end: ChildEnd; readonly run: string | null; readonly cost: unknown };

/** By the last line of its log that is an answer. */
export function answerIn(log: string): ChildAnswer {
  for (const line of log.trimEnd().split('\n').toReversed()) {
    const value = plainObject(line);
    if (value === null) continue;
    const found = answerShape.safeParse(value);
    if (found.success) {
      const { run, result, reason, gates, landed } = found.data;
      return { end: { how: 'verdict', result, reason, gates, landed }, run, cost: value['cost'] };
    }
    const reason = textAt(asPlain(value['error']), 'code');
    if (reason !== null) return { end: { how: 'refused', reason }, run: null, cost: null };
  }
  return { end: { how: 'died' }, run: null, cost: null };
}

/** How it ended, by its log, whichever of its names that has. */
export function answerOf({ root }: Pick<Target, 'root'>, child: Child): ChildAnswer {
  const file = join(root, child.log);
  return answerIn(textOrEmpty(existsSync(file) ? file : firstLog(root, child)));
}
