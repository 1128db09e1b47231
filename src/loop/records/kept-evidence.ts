// The evidence folders of a session, from the private folder: that of the verdict, which must be what the verdict says, and
// every other one that names the session.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listFolder, readRegular } from '../../host/files.ts';
import type { BundleAsk } from '../../model/action.ts';
import type { Problem } from '../../model/verdict.ts';
import { differsFrom, readKept } from '../../verify/manifest.ts';
import type { RunContext } from '../run-context.ts';

export type SessionEvidence = {
  /** The folder that the verdict rests on. */
  readonly deciding: string;
  /** `path`: folder and file. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
};
type Ask = { readonly session: number; readonly bundle: BundleAsk };

/** Larger summaries and reports are not read. */
const MOST_BYTES = 128 * 1024 * 1024;

/** Refused where the proof of the verdict is gone, or is that of something else. */
export function evidenceOf(
  context: Pick<RunContext, 'privateDir'>,
  { session, bundle }: Ask,
): SessionEvidence | { readonly refused: Problem } {
  const { verdict } = bundle;
  const top = join(context.privateDir, 'evidence');
  const deciding = basename(verdict.evidence ?? '');
  const others = (): readonly string[] => othersOf(top, deciding, { session, since: Date.parse(bundle.startedAt) });
  // A person verified it: there was nothing to run, and their decision is the proof.
  if (verdict.evidence === null && verdict.checks.length === 0)
    return { deciding: '', files: others().flatMap((name) => filesOf(top, name)) };
  const summary = deciding === '' ? null : textOf(join(top, deciding, 'checks.json'));
  if (summary === null) return { refused: { code: 'evidence-missing', params: { folder: deciding } } };
  const kept = readKept(summary);
  const said = { session, tree: verdict.tree, sandbox: verdict.sandbox, checks: verdict.checks };
  const differs = kept === null ? 'checks' : differsFrom(kept, said);
  if (differs !== '') return { refused: { code: 'evidence-differs', params: { folder: deciding, what: differs } } };
  const folders = [deciding, ...others()];
  return { deciding, files: folders.flatMap((name) => filesOf(top, name)) };
}

/** Of other checks and proofs of the session; numbers of sessions begin anew where somebody removed the state. */
function othersOf(
  top: string,
  deciding: string,
  { session, since }: { readonly session: number; readonly since: number },
): readonly string[] {
  const all = listFolder(top);
  if (!all.ok) return [];
  return all.value.flatMap(({ name, kind }) => {
    if (kind !== 'folder' || name === deciding) return [];
    const folder = join(top, name);
    // Clocks of file systems are coarse.
    if (statSync(folder).mtimeMs < since - 2_000) return [];
    return namesSession(folder, session) ? [name] : [];
  });
}

/** One of its own files says so: `"session": 7` at its top. */
function namesSession(folder: string, session: number): boolean {
  const files = listFolder(folder);
  if (!files.ok) return false;
  return files.value.some(({ name, kind }) => {
    if (kind !== 'file' || !name.endsWith('.json')) return false;
    try {
      const value: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      return typeof value === 'object' && value !== null && 'session' in value && value.session === session;
    } catch {
      return false; // half written by a life that ended: nobody rests on it
    }
  });
}

function filesOf(top: string, folder: string): readonly { readonly path: string; readonly text: string }[] {
  const all = listFolder(join(top, folder));
  if (!all.ok) return [];
  return all.value.flatMap(({ name, kind }) => {
    const path = `${folder}/${name}`;
    if (kind === 'folder') return filesOf(top, path);
    const text = kind === 'file' ? textOf(join(top, path)) : null;
    return text === null ? [] : [{ path, text }];
  });
}

function textOf(path: string): string | null {
  if (!existsSync(path)) return null;
  const file = readRegular(path, MOST_BYTES);
  return file.kind === 'file' ? file.bytes.toString('utf8') : null;
}
