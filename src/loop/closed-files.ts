// The files that no commit carries (the list of tasks and its log): an agent in a box of bubblewrap sees them and cannot write them. So a
// change of one of them during its session is a person's: the list is restored, the agent is not blamed, and the edit is taken.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import type { Mask } from '../host/sandbox/level.ts';
import { readText } from '../host/files.ts';
import type { RunContext, RunEvents, RunHost, RunRepository, RunSettings } from './run-context.ts';
import { keepEdit } from './records/kept-edits.ts';

type Place = Pick<RunContext, 'config' | 'machine' | 'box' | 'root' | 'userRoot'>;

/** Repository-relative. In a work tree of the harness's own a person's file is not the agent's. */
export function closedFiles({ config, machine, box, root, userRoot }: Place, provider: string): readonly string[] {
  const isRehearsal = provider === 'scripted' || provider === 'replay';
  if (config.sandbox.agents === 'outside' || isRehearsal || box.level !== 'bwrap' || root !== userRoot) return [];
  return machine.files(config).own.filter((path) => isFile(join(root, path)));
}

const isFile = (path: string): boolean => statsOf(path)?.isFile() === true;

export const closedMasks = (root: string, paths: readonly string[]): readonly Mask[] =>
  paths.map((path) => ({ path: join(root, path), by: join(root, path) }));

/** What people wrote into the list during a session, with the list as the harness restored it. Repeatable. */
export function takeEdits(
  context: RunRepository & RunSettings & RunHost & RunEvents,
  session: number,
  {
    edits,
    kept,
  }: {
    readonly edits: readonly { readonly path: string; readonly copy: string }[];
    readonly kept: readonly { readonly path: string; readonly copy: string }[];
  },
): void {
  const file = context.config.paths.backlog;
  const say = (copy: string, taken: string): void =>
    context.notify({ type: 'list-edited', level: 'critical', session, data: { file, kept: copy, taken } });
  // The agent may have written it: only a person decides.
  for (const { path, copy } of kept)
    if (path === file && context.backlog.takeEdit !== undefined && existsSync(copy))
      say(keepEdit(context, path, readFileSync(copy, 'utf8')), 'nothing');
  for (const { path, copy } of edits) {
    if (path !== file || !existsSync(copy)) continue;
    const edited = readFileSync(copy, 'utf8');
    const list = join(context.userRoot, path);
    const now = readText(list);
    const taken = now.ok && now.value !== null ? (context.backlog.takeEdit?.(now.value, edited, false) ?? null) : null;
    if (taken !== null) context.io.replace(list, taken.text);
    if (taken?.isWhole === true) say('', 'all');
    else say(keepEdit(context, path, edited), taken === null ? 'nothing' : 'part');
  }
}
