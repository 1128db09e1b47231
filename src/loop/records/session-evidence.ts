// What proves a landing, from the private folder: the evidence folder of the verdict, which must match the verdict; other evidence
// folders of the session; and what its agent was observed to do.
import { Buffer } from 'node:buffer';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { targetStatsOf } from '../../host/paths.ts';
import { z } from 'zod/mini';
import { listFolder, readRegular, sha256, textOrEmpty } from '../../host/files.ts';
import type { BundleAsk } from '../../model/landing-action.ts';
import type { Problem } from '../../model/verdict.ts';
import { differsFrom, readKept, type KeptChecks } from '../../verify/manifest.ts';
import type { RunContext } from '../run-context.ts';
import type { AgentEvent } from '../../model/event.ts';
import { mismatches, seenCommands, type SeenCommand } from '../../verify/claimed-evidence.ts';
import { eventsIn } from '../sessions.ts';

export type SessionEvidence = {
  /** The folder that the verdict rests on. */
  readonly deciding: string;
  readonly files: readonly KeptFile[];
};
/** `path`: folder and file. `whole`: where the text is only the end of it. */
type KeptFile = {
  readonly path: string;
  readonly text: string;
  readonly whole?: { readonly sha256: string; readonly bytes: number };
};
/** Of a longer output of a proof that held, only the end is kept, with the hash of the whole. Bytes. */
const TAIL_BYTES = 2 * 1024;
/** Larger summaries and reports are not read. */
const MOST_BYTES = 128 * 1024 * 1024;

/** Refused if the proof of the verdict is missing, or belongs to another verdict. */
export function evidenceOf(
  context: Pick<RunContext, 'privateDir'>,
  { session, bundle }: Omit<Ask, 'item'>,
): SessionEvidence | { readonly refused: Problem } {
  const { verdict } = bundle;
  const top = join(context.privateDir, 'evidence');
  const deciding = basename(verdict.evidence ?? '');
  const others = (): readonly string[] => othersOf(top, deciding, { session, since: Date.parse(bundle.startedAt) });
  // A person verified it: there was nothing to run, and their decision is the proof.
  if (verdict.evidence === null && verdict.checks.length === 0)
    return { deciding: '', files: others().flatMap((name) => otherFiles(top, name)) };
  const summary = deciding === '' ? null : textOf(join(top, deciding, 'checks.json'));
  if (summary === null) return { refused: { code: 'evidence-missing', params: { folder: deciding } } };
  const kept = readKept(summary);
  const said = { session, tree: verdict.tree, sandbox: verdict.sandbox, checks: verdict.checks };
  const differs = kept === null ? 'checks' : differsFrom(kept, said);
  if (differs !== '') return { refused: { code: 'evidence-differs', params: { folder: deciding, what: differs } } };
  const files = filesOf(top, deciding);
  // Outputs are not waited for when they are written: after a power loss they may be missing.
  if (kept !== null && !hasAll(join(top, deciding), kept, files))
    return { refused: { code: 'evidence-differs', params: { folder: deciding, what: 'outputs' } } };
  return { deciding, files: [...files, ...others().flatMap((name) => otherFiles(top, name))] };
}

/** Every output and report that the summary names, as it was. */
function hasAll(folder: string, { checks }: KeptChecks, files: readonly KeptFile[]): boolean {
  const hashes = new Map(files.map(({ path, text }) => [path, sha256(text)]));
  const isTooLarge = (file: string): boolean => (targetStatsOf(join(folder, file))?.size ?? 0) > MOST_BYTES;
  const named = checks.flatMap(({ stdout, stderr, report }) => [stdout, stderr, ...(report === null ? [] : [report])]);
  return named.every(
    ({ file, sha256: hash }) => hashes.get(`${basename(folder)}/${file}`) === hash || isTooLarge(file),
  );
}

/** By the path of a folder of evidence: its session, which stays. A run has looked at most of them at an earlier landing. */
const sessionOf = new Map<string, number>();

/** Of other checks and proofs of the session. `since`: session numbers start again if a user removes the state. */
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
    if ((sessionOf.get(folder) ?? session) !== session) return [];
    // Clocks of file systems are coarse.
    if (statSync(folder).mtimeMs < since - 2_000) return [];
    return namesSession(folder, session) ? [name] : [];
  });
}

/** One of its JSON files has `"session": 7` at the top level; in one folder they name the same. */
function namesSession(folder: string, session: number): boolean {
  const files = listFolder(folder);
  if (!files.ok) return false;
  return files.value.some(({ name, kind }) => {
    if (kind !== 'file' || !name.endsWith('.json')) return false;
    try {
      const value: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      if (typeof value !== 'object' || value === null || !('session' in value)) return false;
      if (typeof value.session === 'number') sessionOf.set(folder, value.session);
      return value.session === session;
    } catch {
      return false; // cut by a crash, so never used
    }
  });
}

/** A proof makes tests fail on purpose, hundreds of times: where it held, what they printed is of no use to anybody. */
function otherFiles(top: string, folder: string): readonly KeptFile[] {
  const files = filesOf(top, folder);
  const proof = files.find(({ path }) => path === `${folder}/strength.json`);
  return proof !== undefined && hasHeld(proof.text) ? files.map(shortened) : files;
}

const strengthSchema = z.object({ problems: z.array(z.unknown()), doubts: z.array(z.unknown()) });
function hasHeld(text: string): boolean {
  try {
    const { problems, doubts } = strengthSchema.parse(JSON.parse(text));
    return problems.length + doubts.length === 0;
  } catch {
    return false;
  }
}

function shortened(file: KeptFile): KeptFile {
  const bytes = Buffer.from(file.text);
  if (file.path.endsWith('.json') || bytes.length <= TAIL_BYTES) return file;
  const text = bytes.subarray(-TAIL_BYTES).toString('utf8').toWellFormed();
  return { path: file.path, text, whole: { sha256: sha256(bytes), bytes: bytes.length } };
}

function filesOf(top: string, folder: string): readonly KeptFile[] {
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

export type Observed = {
  readonly prompts: { turn: number; sha256: string }[];
  /** The last of them. */
  readonly commands: readonly SeenCommand[];
  readonly mismatches: readonly Problem[];
};
type Ask = { readonly item: string; readonly session: number; readonly bundle: BundleAsk };

const MOST_COMMANDS = 200;

export function observed(context: Pick<RunContext, 'sessions' | 'config'>, { item, session, bundle }: Ask): Observed {
  const pointer = context.sessions.pointer(session);
  if (pointer === null) return { prompts: [], commands: [], mismatches: [] };
  const events = eventsIn(textOrEmpty(join(pointer.folder, 'events.jsonl')));
  const seen = seenCommands(
    events,
    bundle.verdict.checks.map(({ command }) => command),
    [context.config.paths.backlog, context.config.paths.progress],
  );
  const { verdict } = bundle;
  const found =
    context.config.verification.requireEvidence && bundle.claims !== false
      ? mismatches({ item, said: allText(events, bundle.said), seen, tests: verdict.tests })
      : [];
  return { prompts: promptsIn(pointer.folder), commands: seen.slice(-MOST_COMMANDS), mismatches: found };
}

/** Everything it said in the session; the end alone where its words were not kept. */
function allText(events: readonly AgentEvent[], said: string): string {
  const text = events.map((event) => (event.t === 'text' ? event.text : '')).join('');
  return text === '' ? said : text;
}

const begun = z.object({ prompt: z._default(z.string(), '') });

function promptsIn(folder: string): { turn: number; sha256: string }[] {
  const found: { turn: number; sha256: string }[] = [];
  for (let turn = 1; existsSync(join(folder, `turn-${turn}.begun.json`)); turn += 1) {
    const { prompt } = begun.parse(JSON.parse(readFileSync(join(folder, `turn-${turn}.begun.json`), 'utf8')));
    found.push({ turn, sha256: prompt });
  }
  return found;
}
