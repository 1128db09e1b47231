// One item as a person names it, with what they decided about it so far.
import type { Failure } from '../model/failure.ts';
import { failure } from '../model/failure.ts';
import type { Json } from '../model/json.ts';
import { err, ok, type Result } from '../model/result.ts';
import { readFeatures } from '../playbooks/features/read.ts';
import type { Feature } from '../playbooks/features/schema.ts';
import { toItems } from '../playbooks/features/select.ts';
import { nameItem } from './name-item.ts';
import type { Target } from './target.ts';

export type Subject = {
  readonly id: string;
  readonly title: string;
  readonly testFile: string | null;
  readonly steps: readonly string[];
  readonly verification: string;
  readonly manualChecks: readonly string[];
  readonly passes: boolean;
  readonly skipped: NonNullable<Feature['skipped']> | null;
  readonly override: NonNullable<Feature['override']> | null;
  readonly failing: NonNullable<Feature['failing']> | null;
  /** Items that wait behind it, near or far. */
  readonly dependents: readonly string[];
};

type Answer =
  | { readonly ok: false; readonly failure: Failure }
  | {
      readonly ok: true;
      readonly feature: Omit<Subject, 'dependents'> | null;
      readonly dependents: readonly string[];
    };

/** Fails with `item-unknown`, `backlog-missing` or `backlog-invalid`. `12` and `#12` name the same item. */
export async function findItem(target: Target, word: string): Promise<Result<Subject>> {
  const item = word.replace(/^#/, '');
  const input: Json = { backlog: target.config.paths.backlog, item, requireTestFile: false };
  const asked = await target.playbook.surveys['backlog']?.(target.world, input);
  const answer = asked as unknown as Answer;
  if (!answer.ok) return err(answer.failure);
  if (answer.feature === null) {
    const file = target.config.paths.backlog;
    const list = readFeatures((await target.world.read(file)) ?? '', file, { requireTestFile: false });
    const near = nameItem(word, list.ok ? toItems(list.value.features) : []);
    return near.ok ? err(failure('item-unknown', { item })) : near;
  }
  return ok({ ...answer.feature, dependents: answer.dependents });
}
