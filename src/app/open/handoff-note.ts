// Whether a person has taken the work over, and where it stood then: one file under the private folder, because it must hold
// when nothing runs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import type { ItemId } from '../../model/item.ts';
import { numberAt, plainObject, textAt } from './loose-json.ts';
import type { Target } from './target.ts';

export type Handoff = {
  readonly since: string;
  readonly by: string;
  /** Where the branch stood when it was asked for; '' before the first commit, or with no branch. */
  readonly head: string;
  readonly branch: string;
  /** It was paused before: taking back does not resume it. */
  readonly wasPaused: boolean;
  /** Nothing is under way any more; false while a session is still being ended. */
  readonly settled: boolean;
  /** What was in the middle of being worked on, and in which session; null: nothing was. */
  readonly item: ItemId | null;
  readonly session: number | null;
};

const noteFile = (privateDir: string): string => join(privateDir, 'handoff.json');

export const isHandedOff = ({ privateDir }: Pick<Target, 'privateDir'>): boolean => existsSync(noteFile(privateDir));

/** Null: it is not handed off. A note that cannot be read says only that it is. */
export function readHandoff({ privateDir }: Pick<Target, 'privateDir'>): Handoff | null {
  if (!isHandedOff({ privateDir })) return null;
  const text = readText(noteFile(privateDir));
  const note = plainObject(text.ok ? text.value : null);
  return {
    since: textAt(note, 'since') ?? '',
    by: textAt(note, 'by') ?? '',
    head: textAt(note, 'head') ?? '',
    branch: textAt(note, 'branch') ?? '',
    wasPaused: note?.['wasPaused'] === true,
    settled: note?.['settled'] === true,
    item: textAt(note, 'item'),
    session: numberAt(note, 'session'),
  };
}

export const keepHandoff = ({ io, privateDir }: Pick<Target, 'io' | 'privateDir'>, note: Handoff): void =>
  io.replace(noteFile(privateDir), `${JSON.stringify(note)}\n`);

export const dropHandoff = ({ io, privateDir }: Pick<Target, 'io' | 'privateDir'>): void =>
  io.remove(noteFile(privateDir));
