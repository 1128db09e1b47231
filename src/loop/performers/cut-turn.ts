// A turn that was begun: what is known of the moment before it, and how it is undone where it was cut.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { discardCutTurn } from '../../agents/host/turn-results.ts';
import type { SessionAsk } from '../../model/action.ts';
import { ok, type Result } from '../../model/result.ts';
import { keepAttempt } from '../../repos/attempts.ts';
import type { Snapshot } from '../../repos/checkpoint.ts';
import { readCommits } from '../../repos/message.ts';
import { restoreTree } from '../../repos/restore.ts';
import type { Lane } from '../lane.ts';
import type { BeforeTurn } from '../record-turn.ts';

export const begunFile = (folder: string, turn: number): string => join(folder, `turn-${turn}.begun.json`);

export type Begun = Snapshot & { readonly prompt: string; readonly tape?: BeforeTurn };
export const readBegun = (folder: string, turn: number): Begun =>
  JSON.parse(readFileSync(begunFile(folder, turn), 'utf8')) as Begun;

/** A turn that was begun and has no outcome: what it wrote is kept aside, the tree is as before it. */
export async function undoCut(lane: Lane, ask: SessionAsk, folder: string): Promise<Result<null>> {
  const begun = begunFile(folder, ask.turn);
  if (!existsSync(begun)) return ok(null);
  const before = readBegun(folder, ask.turn);
  const commits = await readCommits(lane.git, [`-n${MOST_NAMED}`, 'HEAD', `^${before.head}`]);
  if (!commits.ok) return commits;
  const kept = await keepAttempt(lane.git, {
    item: ask.item,
    session: ask.session,
    why: 'interrupted',
    base: before,
    token: `${folder}/${ask.turn}`,
  });
  if (!kept.ok) return kept;
  const back = await restoreTree(lane.git, before);
  if (!back.ok) return back;
  // A session begun anew (its procedure was another version's) also takes back the turns that came after, the last first.
  let last = ask.turn;
  while (existsSync(begunFile(folder, last + 1))) last += 1;
  for (let turn = last; turn >= ask.turn; turn -= 1) {
    discardCutTurn(lane.io, folder, turn); // first: a wrapper that dies in the turn to come would be thought to have left it
    lane.io.remove(begunFile(folder, turn));
  }
  lane.tell({
    type: 'turn-undone',
    level: 'important',
    session: ask.session,
    // Whose they are cannot be told: a person may have committed since. They must be able to find them.
    data: {
      turn: ask.turn,
      attempt: kept.value?.ref ?? null,
      item: ask.item,
      number: kept.value?.number ?? null,
      commits: commits.value.map(({ subject }) => lane.redact(subject).slice(0, 60)),
    },
  });
  return ok(null);
}

const MOST_NAMED = 3;
