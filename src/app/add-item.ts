// A feature that a person adds, judged before it is written: what it would be, whether it is too large, how to split it.
import type { Json } from '../model/json.ts';
import { err, ok, type Result } from '../model/result.ts';
import { failure } from '../model/failure.ts';
import { draftFeature, isSame, type Added, type NewFeature } from '../playbooks/features/add.ts';
import { readFeatures } from '../playbooks/features/read.ts';
import { apply, queuedFeatures, type Changed } from './changes.ts';
import type { Target } from './target.ts';

export type { NewFeature } from '../playbooks/features/add.ts';
export type AddedItem = {
  readonly id: string;
  readonly title: string;
  readonly testFile: string | null;
  /** The test file is there: an agent need not write it. */
  readonly hasTest: boolean;
  readonly flags: Added['flags'];
  readonly split: Added['split'];
  readonly changed: Changed;
};

/** `usage` with a cause for each mistake where it cannot be added; then nothing is written. */
export async function addItem(target: Target, wanted: NewFeature, command: string): Promise<Result<AddedItem>> {
  const file = target.config.paths.backlog;
  const text = await target.world.read(file);
  if (text === null) return err(failure('backlog-missing', { file }, { at: { file } }));
  const waiting = queuedFeatures(target);
  const options = { maxSteps: target.config.features.maxVerificationSteps, queued: waiting };
  const draft = draftFeature(text, file, wanted, options);
  if (!draft.ok) return draft;
  const { feature, flags, split, isThere } = draft.value;
  const draftId = String(feature.id);
  const isQueued = waiting.some((f) => isSame(f, feature));
  const changed = await change();
  if (!changed.ok) return changed;
  const testFile = feature.test_file ?? null;
  const hasTest = testFile !== null && (await target.world.stat(testFile))?.kind === 'file';
  // Somebody else may have been given the id meanwhile.
  const id = changed.value.result === 'applied' ? await idInFile() : draftId;
  return ok({ id, title: feature.description, testFile, hasTest, flags, split, changed: changed.value });

  async function idInFile(): Promise<string> {
    const read = readFeatures((await target.world.read(file)) ?? '', file);
    const found = read.ok ? read.value.features.find((f) => isSame(f, feature)) : undefined;
    return String(found?.id ?? draftId);
  }

  async function change(): Promise<Result<Changed>> {
    if (isQueued) return apply(target, null, command);
    if (isThere) return ok({ result: 'already' });
    const edit = { name: 'add', input: { backlog: file, feature } as unknown as Json };
    const subject = `chore(harness): #${draftId} added: ${feature.description}`;
    return apply(target, { item: draftId, subject, edit }, command);
  }
}
