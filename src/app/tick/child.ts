// What the daemon starts: `harness run PLAN`, `harness run --look`, `harness fidelity`, each as a program of its own that neither needs the daemon nor
// ends with it. Its output is the log of the run, and the last line of it is its answer, also for a daemon that was started later.
import { existsSync, renameSync } from 'node:fs';
import { join, relative } from 'node:path';
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
  const since = target.clock.iso();
  const name = `${plan ?? kind}-${since.replace(/[^\dT]/g, '')}.log`;
  const log = relative(target.root, join(target.stateDir, 'logs', name));
  return { kind, plan, since, log, run: null, pid: null, tip: null };
}

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

/** Its name once it has the run lock, and its log under that name: `<plan>-<run>.log`. null: nothing has changed. */
export function named({ root, workspaceDir }: Pick<Target, 'root' | 'workspaceDir'>, child: Child): Child | null {
  if (child.run !== null) return null;
  const run = lockOwner(workspaceDir)?.run ?? null;
  return run === null ? null : renamed(root, child, run);
}

function renamed(root: string, child: Child, run: string): Child {
  const to = child.log.replace(/[^/]*$/, `${child.plan ?? child.kind}-${run}.log`);
  try {
    if (existsSync(join(root, child.log))) renameSync(join(root, child.log), join(root, to));
    return { ...child, run, log: to };
  } catch {
    return { ...child, run }; // the log has its first name
  }
}

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

/** How it ended, and its log under the name of its run. */
export function ended({ root }: Pick<Target, 'root'>, child: Child): ChildAnswer & { readonly child: Child } {
  const answer = answerIn(textOrEmpty(join(root, child.log)));
  const run = child.run ?? answer.run;
  return { ...answer, child: child.run === null && run !== null ? renamed(root, child, run) : child };
}
