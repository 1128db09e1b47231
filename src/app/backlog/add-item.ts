// Adds an item: checks the draft, whether it is too large, and how it could be split, before anything is written.
import type { Draft, NewItem } from '../../engine/backlog.ts';
import { addEdit } from '../../engine/list-edits.ts';
import { ok, type Result } from '../../model/result.ts';
import { applyChange, type ChangeResult } from './changes.ts';
import { pendingEntries } from '../list/pending.ts';
import { listText, type Target } from '../open/target.ts';

export type { NewItem } from '../../engine/backlog.ts';
export type AddedItem = Pick<Draft, 'id' | 'testFile' | 'flags' | 'split'> & {
  readonly title: string;
  /** The test file exists already. */
  readonly hasTest: boolean;
  readonly changed: ChangeResult;
};

/** The item as it would be added. Fails with `usage` and a cause per mistake. */
export async function draftItem(target: Target, wanted: NewItem): Promise<Result<Draft & { readonly text: string }>> {
  const file = target.config.paths.backlog;
  const text = await listText(target);
  if (!text.ok) return text;
  const options = { maxSteps: target.config.features.maxVerificationSteps, queued: pendingEntries(target) };
  const draft = target.backlog.draft(text.value, file, wanted, options);
  return draft.ok ? ok({ ...draft.value, text: text.value }) : draft;
}

/** Fails as `draftItem`; then nothing is written. */
export async function addItem(target: Target, wanted: NewItem, command: string): Promise<Result<AddedItem>> {
  const file = target.config.paths.backlog;
  const { backlog } = target;
  const draft = await draftItem(target, wanted);
  if (!draft.ok) return draft;
  const { text, id: draftId, entry, testFile, flags, split, isThere } = draft.value;
  const title = wanted.title.trim();
  const changed = await change();
  if (!changed.ok) return changed;
  const hasTest = testFile !== null && (await target.view.stat(testFile))?.kind === 'file';
  // The id may have been given to another item meanwhile.
  const id = changed.value.result === 'applied' ? await idInFile() : draftId;
  return ok({ id, title, testFile, hasTest, flags, split, changed: changed.value });

  async function idInFile(): Promise<string> {
    const now = await listText(target);
    const drafted = now.ok ? backlog.draft(now.value, file, wanted) : now;
    return drafted.ok && drafted.value.isThere ? drafted.value.id : draftId;
  }

  async function change(): Promise<Result<ChangeResult>> {
    const inFile = backlog.draft(text, file, wanted);
    if (inFile.ok && inFile.value.isThere) return ok({ result: 'already' });
    // The same item is queued already.
    if (isThere) return applyChange(target, null, command);
    const edit = addEdit(file, entry);
    const subject = `chore(harness): #${draftId} added: ${title}`;
    return applyChange(target, { item: draftId, subject, edit }, command);
  }
}
