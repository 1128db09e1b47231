// The paths of the gate store's files, and which gates are open by names and keys alone: no schema, no writing.
//
//   g-3.json                 the question, written once
//   g-3.closed.json          its end, answered or withdrawn, written once: the first link decides
//   g-3.used.json            written when the answer is used, so that it is not used for a later question
//   keys/<hash>/<epoch>.json the gate of a key in an epoch; an open gate that no key names was never asked
//   last.json                the highest number given out: numbers are never used twice
//   claims/                  files on their way to becoming one of the above; after a kill leftovers are ignored, and removed by the next run
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../host/files.ts';

export const pathsIn = (dir: string) => ({
  gate: (id: string) => join(dir, `${id}.json`),
  closed: (id: string) => join(dir, `${id}.closed.json`),
  used: (id: string) => join(dir, `${id}.used.json`),
  key: (key: string) => join(dir, 'keys', sha256(key).slice(0, 32)),
  pointer(key: string, epoch: number) {
    return join(this.key(key), `${epoch}.json`);
  },
  last: join(dir, 'last.json'),
  claims: join(dir, 'claims'),
});

/** Names in a folder; none where it does not exist yet. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}

const numberOf = (id: string): number => Number(id.slice(2));

/** Ids with a question and no end, oldest first: a gate that a kill left unasked may be among them. */
function unclosedIds(dir: string): readonly string[] {
  const names = new Set(namesIn(dir));
  return [...names]
    .map((name) => /^(g-\d+)\.json$/.exec(name)?.[1])
    .filter((id) => id !== undefined)
    .filter((id) => !names.has(`${id}.closed.json`))
    .sort((a, b) => numberOf(a) - numberOf(b));
}

/** Open gates of a work tree (null: the main one) with the item they are about, without checking their files: a glance costs next to nothing. */
export function glanceAtOpen(
  dir: string,
  workspace: string | null,
): readonly { readonly id: string; readonly item: string | null }[] {
  const paths = pathsIn(dir);
  return unclosedIds(dir).flatMap((id) => {
    const gate = fieldsOf(paths.gate(id));
    if (gate !== null && (gate['workspace'] ?? null) !== workspace) return [];
    const key = gate?.['key'];
    const epoch = gate?.['epoch'];
    if (typeof key !== 'string' || typeof epoch !== 'number') return [{ id, item: null }]; // `gates` says what is wrong
    if (fieldsOf(paths.pointer(key, epoch))?.['gate'] !== id) return [];
    return [{ id, item: typeof gate?.['item'] === 'string' ? gate['item'] : null }];
  });
}

function fieldsOf(path: string): { readonly [name: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : null;
  } catch {
    return null;
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
