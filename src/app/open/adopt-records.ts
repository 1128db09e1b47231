// Takes over the records of an older program, which were in `.harness/` alone. One that cannot be read is not taken: the user has to
// correct or remove it where it is.
import { existsSync, readFileSync } from 'node:fs';
import { readText } from '../../host/files.ts';
import type { Io } from '../../host/io.ts';
import { readCosts } from '../../loop/records/costs.ts';
import { RECORD_NAMES, type RecordName } from '../../model/records.ts';
import { ok, type Result } from '../../model/result.ts';
import { keptPath, markPath, recordPath, type RecordFolders } from '../../repos/records.ts';
import { readBaseline } from '../../verify/baseline.ts';
import { readQuarantine } from '../../verify/quarantine.ts';
import { readSizes } from '../../verify/sizes.ts';

const READERS: { readonly [name in RecordName]: (file: string) => Result<unknown> } = {
  'costs.yaml': (file) => {
    const text = readText(file);
    return text.ok ? readCosts(text.value, file) : text;
  },
  'test_baseline.json': readBaseline,
  'quarantine.json': readQuarantine,
  'file_sizes.json': readSizes,
  // It was never in `.harness/` alone.
  'site_seen.json': readText,
};

/** Only under the run lock, with no agent at work. Repeatable after a crash. Fails with `state-unreadable`. */
export function adoptRecords(io: Io, folders: RecordFolders): Result<null> {
  for (const name of RECORD_NAMES) {
    const [from, to] = [recordPath(folders, name), keptPath(folders, name)];
    if (from === to || !existsSync(from)) continue;
    const read = READERS[name](from);
    if (!read.ok) return read;
    io.replace(to, readFileSync(from));
  }
  for (const folder of new Set([folders.privateDir, folders.workspaceDir]))
    if (!existsSync(markPath(folder))) io.replace(markPath(folder), '{"schema":1}\n');
  return ok(null);
}
