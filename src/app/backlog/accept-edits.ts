// Takes the texts of the list that were kept because they could not be taken as they were (src/loop/records/kept-edits.ts).
import { basename, join } from 'node:path';
import { targetStatsOf } from '../../host/paths.ts';
import { acceptEdit } from '../../engine/list-edits.ts';
import { listFolder, readText } from '../../host/files.ts';
import { EDITS } from '../../loop/records/kept-edits.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Target } from '../open/target.ts';
import { applyChange, type ChangeResult } from './changes.ts';

export type AcceptedEdits = { readonly files: readonly string[]; readonly changed: ChangeResult };

/** Oldest first. Fails as the list does where a text is still no list: it stays, and nothing after it is taken. */
export async function acceptEdits(target: Target): Promise<Result<AcceptedEdits>> {
  const { backlog, config, stateDir, io } = target;
  const folder = join(stateDir, EDITS);
  const found = listFolder(folder);
  const names = (found.ok ? found.value : [])
    .map(({ name }) => name)
    .filter((name) => name.endsWith(`-${basename(config.paths.backlog)}`))
    .sort((a, b) => timeOf(join(folder, a)) - timeOf(join(folder, b)));
  const files: string[] = [];
  let changed: ChangeResult = { result: 'already' };
  for (const name of names) {
    const shown = `${basename(stateDir)}/${EDITS}/${name}`;
    const text = readText(join(folder, name));
    if (!text.ok) return text;
    const edited = text.value ?? '';
    const read = backlog.read(edited, shown);
    if (!read.ok) return read;
    const subject = 'chore(harness): edits of the list are taken';
    const edit = acceptEdit(config.paths.backlog, edited);
    const applied = await applyChange(target, { item: null, subject, edit }, 'harness resume');
    if (!applied.ok) return err(applied.failure);
    if (applied.value.result !== 'already') changed = applied.value;
    io.remove(join(folder, name));
    files.push(shown);
  }
  return ok({ files, changed });
}

const timeOf = (file: string): number => targetStatsOf(file)?.mtimeMs ?? 0;
