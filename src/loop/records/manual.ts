// `.harness/sessions/<n>/manual.json` and the screenshots beside it: what a user sees who has to verify the work by hand.
import { realpathSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { statsOf } from '../../host/paths.ts';
import { listFolder, readRegular, sha256 } from '../../host/files.ts';
import type { ManualRecord, RememberOutcome } from '../../model/remember.ts';
import type { RunHost, RunRepository, RunSettings } from '../run-context.ts';

const IMAGES = new Set(['.png', '.jpg', '.jpeg', '.webp', '.gif']);
const MOST_IMAGES = 50;
const MOST_BYTES = 16 * 1024 * 1024;

/** Where agents leave them: the project's folder of screenshots, those of this session, and beside its transcript. */
const places = (session: number): readonly string[] => [
  'screenshots',
  `sessions/${session}/screenshots`,
  `sessions/${session}`,
];

/** Copies the pictures beside the record, so that the next session cannot remove them. Repeatable. */
export function keepForPerson(
  context: RunRepository & RunSettings & RunHost,
  session: number,
  { startedAt, ...about }: ManualRecord,
): RememberOutcome {
  const sinceMs = Math.floor(Date.parse(startedAt) / 1000) * 1000;
  const own = `sessions/${session}/screenshots`;
  const pictures = new Map<string, { readonly sha256: string; readonly bytes: number }>();
  const isThere = isOwn(context.stateDir, own) || isMissing(join(context.stateDir, own));
  const agents = join(context.root, context.config.paths.stateDir);
  const all = [...new Set([context.stateDir, agents])].flatMap((from) =>
    places(session).map((place) => ({ from, place })),
  );
  for (const { from, place } of isThere ? all : []) {
    // A folder that is a link leads out of the session's folder.
    const folder = join(from, place);
    if (!isOwn(from, place)) continue;
    const listed = listFolder(folder);
    for (const { name, kind } of listed.ok ? listed.value : []) {
      if (kind !== 'file' || !IMAGES.has(extname(name).toLowerCase()) || pictures.size >= MOST_IMAGES) continue;
      const path = join(folder, name);
      const isKept = from === context.stateDir && place === own;
      if (!isKept && statSync(path).mtimeMs < sinceMs) continue;
      const read = readRegular(path, MOST_BYTES);
      if (read.kind !== 'file') continue;
      if (!isKept) context.io.replace(join(context.stateDir, own, name), read.bytes);
      pictures.set(name, { sha256: sha256(read.bytes), bytes: read.bytes.length });
    }
  }
  const shown = [...pictures].map(([name, facts]) => ({
    file: `${context.config.paths.stateDir}/${own}/${name}`,
    ...facts,
  }));
  const file = join(context.stateDir, 'sessions', String(session), 'manual.json');
  context.io.replace(file, `${JSON.stringify({ schema: 1, ...about, screenshots: shown }, null, 2)}\n`);
  return {
    file: `${context.config.paths.stateDir}/sessions/${session}/manual.json`,
    files: shown.map((one) => one.file),
  };
}

const isMissing = (path: string): boolean => statsOf(path) === null;

function isOwn(stateDir: string, place: string): boolean {
  try {
    return realpathSync(join(stateDir, place)) === join(realpathSync(stateDir), place);
  } catch {
    return false; // there is none
  }
}
