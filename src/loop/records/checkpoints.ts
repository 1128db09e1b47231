// `.harness/checkpoints/<id>/`: the record of a checkpoint, and how long it is kept.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { listFolder, sha256 } from '../../host/files.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import { ok, type Result } from '../../model/result.ts';
import { CHECKPOINTS_KEPT, outlived } from '../../model/retention.ts';
import type { RunHost, RunRepository, RunSettings } from '../run-context.ts';

const REFS = 'refs/harness/checkpoints/';
const STATE_FILES = ['session_state.json', 'test_baseline.json'] as const;

/** Writes the record with copies of the state files, then drops what retention no longer asks for. */
export async function writeCheckpointRecord(
  context: RunRepository & RunSettings & RunHost,
  c: Checkpoint,
  about: { session: number; item: string | null; why: string },
): Promise<Result<null>> {
  const folder = join(context.stateDir, 'checkpoints', c.id);
  const hash = async (path: string): Promise<string | null> => {
    const text = await context.view.read(path);
    return text === null ? null : sha256(text);
  };
  for (const name of STATE_FILES)
    if (existsSync(join(context.stateDir, name)))
      context.io.replace(join(folder, name), readFileSync(join(context.stateDir, name)), 'may-be-lost');
  const record = {
    id: c.id,
    timestamp: context.clock.iso(),
    session: about.session,
    item: about.item,
    git_ref: c.head,
    checkpoint_ref: c.ref,
    tree: c.tree,
    features_json_hash: await hash(context.config.paths.backlog),
    progress_file_hash: await hash(context.config.paths.progress),
    reason: about.why,
  };
  // For people, and for how long it is kept: what decides is the ref.
  context.io.replace(join(folder, 'checkpoint.json'), `${JSON.stringify(record, null, 2)}\n`, 'may-be-lost');
  await retire(context);
  return ok(null);
}

/** Of a record, what decides how long it is kept. Older programs kept the commit alone, without a ref of its own. */
const kept = z.object({
  timestamp: z.string(),
  item: z._default(z.nullable(z.string()), null),
  checkpoint_ref: z.optional(z.string()),
});
/** `folder`: its name; the id in the record is not trusted. */
type Found = Readonly<z.infer<typeof kept>> & { readonly folder: string };

/** By the rule of checkpoints, item by item. */
function toRetire(records: readonly Found[], nowMs: number): readonly Found[] {
  const byItem = new Map<string, (Found & { readonly atMs: number })[]>();
  for (const r of records) {
    const item = r.item ?? '';
    byItem.set(item, [...(byItem.get(item) ?? []), { ...r, atMs: Date.parse(r.timestamp) }]);
  }
  return [...byItem.values()].flatMap((all) => outlived(all, CHECKPOINTS_KEPT, nowMs));
}

async function retire(context: RunRepository & RunHost): Promise<void> {
  const folder = join(context.stateDir, 'checkpoints');
  const listed = listFolder(folder);
  if (!listed.ok) return;
  const records = listed.value.flatMap(({ name }) => {
    try {
      const record = kept.parse(JSON.parse(readFileSync(join(folder, name, 'checkpoint.json'), 'utf8')));
      return [{ ...record, folder: name }];
    } catch {
      return []; // cut by a crash: its checkpoint was never used
    }
  });
  for (const r of toRetire(records, context.clock.now())) {
    // Agents can write here: only a ref of a checkpoint is removed.
    if (r.checkpoint_ref?.startsWith(REFS) === true) await context.git.run(['update-ref', '-d', r.checkpoint_ref]);
    context.io.remove(join(folder, r.folder));
  }
}
