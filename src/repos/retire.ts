// Lets go of what its retention no longer asks for: refs of old attempts and of trees before old turns, and folders of
// repositories that agents made. Owns no rule: those are in src/model/retention.ts.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ATTEMPTS_KEPT, INNER_KEPT, outlived, type Retention, TURNS_KEPT } from '../model/retention.ts';
import type { Git } from './git.ts';
import { VERIFIED } from './verified.ts';
import { innerFolder } from './inner.ts';

type Kept = { readonly name: string; readonly atMs: number };

/** Where something cannot be read or removed, it stays. Says what went, as refs and absolute folders. */
export async function retire(git: Git, nowMs: number): Promise<readonly string[]> {
  const refs = await refsOf(git);
  const gone: string[] = [];
  for (const [group, kept] of refs)
    for (const { name } of outlived(kept, ruleOf(group), nowMs))
      if ((await git.run(['update-ref', '-d', name])).ok) gone.push(name);
  for (const { name } of outlived(foldersIn(innerFolder(git)), INNER_KEPT, nowMs)) {
    git.io.remove(name);
    gone.push(name);
  }
  return gone;
}

const TURNS = 'refs/harness/turns';
const ruleOf = (group: string): Retention => (group === TURNS || group === VERIFIED ? TURNS_KEPT : ATTEMPTS_KEPT);

/** By the folder of the ref: the attempts of one item, the turns of all sessions. */
async function refsOf(git: Git): Promise<ReadonlyMap<string, readonly Kept[]>> {
  const groups = new Map<string, Kept[]>();
  const format = '--format=%(committerdate:unix) %(refname)';
  const listed = await git.run(['for-each-ref', format, 'refs/harness/attempts', TURNS, VERIFIED]);
  for (const line of listed.ok ? listed.value.split('\n') : []) {
    // A verified tree has no date: it is as old as its number.
    const [, seconds = '', name = '', group = '', number = ''] = /^(\d*) ((.+)\/(\d+))$/.exec(line) ?? [];
    const atMs = seconds === '' ? Number(number) : Number(seconds) * 1000;
    if (name !== '') groups.set(group, [...(groups.get(group) ?? []), { name, atMs }]);
  }
  return groups;
}

function foldersIn(folder: string): readonly Kept[] {
  try {
    return readdirSync(folder).map((entry) => {
      const name = join(folder, entry);
      return { name, atMs: statSync(name).mtimeMs };
    });
  } catch {
    return []; // none was ever made
  }
}
