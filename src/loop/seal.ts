// The seal of a landing: its evidence bundle, made before the commit that names it and added to the chain after it. After a
// crash it is made again and the newer one counts; a bundle that no commit names is not in the chain.
import { Buffer } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfLine, readLines } from '../engine/journal.ts';
import { packageVersion } from '../host/package-root.ts';
import { redactJson } from '../host/redact.ts';
import { sha256 } from '../host/files.ts';
import type { BundleAsk } from '../model/landing-action.ts';
import { toJson, type Json } from '../model/json.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Problem } from '../model/verdict.ts';
import type { CommitPlace, Seal } from '../repos/commit.ts';
import {
  bundleRefs,
  CHAIN_END,
  dropBundle,
  pendingBundles,
  settleAgain,
  writeBundle,
  type BundleFile,
} from '../repos/evidence.ts';
import { exactDiff } from '../repos/history.ts';
import {
  AGENT,
  CHECKED,
  CHECKS,
  CLAIM,
  DIFF,
  MANIFEST,
  manifestSchema,
  readManifest,
  trailerOf,
  writeManifest,
  type Manifest,
} from '../verify/manifest.ts';
import { agentOf, modelOf } from './agent.ts';
import { landedWork, type LandedWork } from './landed-work.ts';
import type { RunContext, RunHost, RunRepository, RunSettings, RunStores } from './run-context.ts';
import { evidenceOf, type SessionEvidence, observed } from './records/session-evidence.ts';
import { fileName } from './token.ts';

export type SealAsk = {
  readonly item: string;
  readonly session: number;
  /** Of the commit action. */
  readonly token: string;
  /** The token as the commit carries it. */
  readonly mark: string;
  /** What the harness itself writes into the commit. */
  readonly own: readonly string[];
  readonly bundle: BundleAsk;
};

/** Of a larger file the manifest has only the hash. */
const LARGEST_BYTES = 8 * 1024 * 1024;

export function sealOf(context: RunRepository & RunSettings & RunHost & RunStores, ask: SealAsk): Seal {
  return {
    async make(place) {
      const kept = evidenceOf(context, ask);
      if ('refused' in kept) return ok(kept);
      const before = await readBefore(context, ask, place);
      if (!before.ok) return before;
      if ('refused' in before.value) return ok(before.value);
      const diff = await exactDiff(context.git, place.parentTree, place.tree);
      if (!diff.ok) return diff;
      const { manifest, files } = bundleOf(context, ask, { place, kept, before: before.value, diff: diff.value });
      const written = await writeBundle(context.git, {
        mark: ask.mark,
        message: `${subjectOf(ask)}\n\nsha256:${manifest.sha256}\n`,
        at: ask.bundle.endedAt,
        previous: before.value.commit,
        files: [{ path: MANIFEST, text: manifest.text }, ...files],
        ...(before.value.work.hasMore ? { tree: { path: CHECKED, id: ask.bundle.verdict.tree } } : {}),
      });
      if (!written.ok) return written;
      return ok({
        trailer: trailerOf(manifest.sha256),
        refs: bundleRefs({ ...ask, previous: before.value.commit }),
      });
    },
    settle: () => settleAgain(context.git, ask),
  };
}

const subjectOf = ({ item, session }: Pick<SealAsk, 'item' | 'session'>): string =>
  `evidence of #${item}, session ${session}`;

/** For a session whose position is lost: adds the bundle that its commit names (`mark`) to the chain, and drops its other bundles. */
export async function settleLost(
  { git }: Pick<RunContext, 'git'>,
  ask: { readonly item: string; readonly session: number; readonly mark: string | null },
): Promise<Result<void>> {
  const pending = await pendingBundles(git);
  if (!pending.ok) return pending;
  for (const { mark, subject } of pending.value) {
    if (subject !== subjectOf(ask)) continue;
    const settled = await (mark === ask.mark ? settleAgain(git, { item: ask.item, mark }) : dropBundle(git, mark));
    if (!settled.ok) return settled;
  }
  return ok(undefined);
}

type Before = {
  readonly work: LandedWork;
  readonly commit: string | null;
  readonly previous: Manifest['previous'];
};

/** What landed, and the bundle before this one: one git process as a rule. */
async function readBefore(
  context: RunRepository & RunSettings,
  ask: SealAsk,
  place: CommitPlace,
): Promise<Result<Before | { readonly refused: Problem }>> {
  const work = await landedWork(context, ask, place, [CHAIN_END, `${CHAIN_END}:${MANIFEST}`]);
  if (!work.ok) return work;
  if ('unmade' in work.value) return ok({ refused: { code: 'claim-not-made', params: { item: ask.item } } });
  const [tip = null, last = null] = work.value.others;
  const before = last === null ? null : readManifest(last.bytes.toString('utf8'));
  // A chain that cannot be read is not continued: the new bundle would hide the break.
  if (tip !== null && before?.ok !== true) return err(failure('evidence-broken', { ref: CHAIN_END }));
  return ok({
    work: work.value,
    commit: tip?.id ?? null,
    previous:
      before?.ok === true && last !== null
        ? { item: before.value.item, session: before.value.session, sha256: sha256(last.bytes) }
        : null,
  });
}

type Parts = {
  readonly place: CommitPlace;
  readonly kept: SessionEvidence;
  readonly before: Before;
  readonly diff: string;
};

function bundleOf(
  context: RunRepository & RunSettings & RunHost & RunStores,
  ask: SealAsk,
  { place, kept, before, diff }: Parts,
): { readonly manifest: ReturnType<typeof writeManifest>; readonly files: readonly BundleFile[] } {
  const { item, session, bundle } = ask;
  const { verdict } = bundle;
  const by = bundle.by ?? session;
  const seen = observed(context, { ...ask, session: by });
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  const own: SessionEvidence['files'] = [
    { path: CLAIM, text: json({ item, ...before.work.item, said: bundle.said }) },
    { path: AGENT, text: json({ commands: seen.commands, mismatches: seen.mismatches }) },
    { path: DIFF, text: diff },
  ];
  const texts = [...own, ...kept.files.map((file) => ({ ...file, path: `${CHECKS}/${file.path}` }))].map((file) => {
    const text = context.redact(file.text);
    return { ...file, text, isMasked: text !== file.text };
  });
  const listed = texts.map(({ path, text, isMasked, whole }) => ({
    path,
    sha256: sha256(text),
    bytes: Buffer.byteLength(text),
    masked: isMasked,
    ...(whole === undefined ? {} : { whole }),
  }));
  const isSmall = ({ bytes }: { readonly bytes: number }): boolean => bytes <= LARGEST_BYTES;
  const part = { role: bundle.role, agent: context.sessions.pointer(by)?.agent ?? 0 };
  const agent = agentOf(context.config, part);
  const record = context.sessions.record(by);
  const masked = (value: unknown): Json => redactJson(context.redact, toJson(value));
  const manifest = manifestSchema.parse({
    schema: 2,
    kind: 'harness.evidence',
    harness: packageVersion(),
    item,
    title: context.redact(bundle.title),
    session,
    run: context.run,
    startedAt: bundle.startedAt,
    endedAt: bundle.endedAt,
    landing: {
      tree: place.tree,
      parent: place.parent,
      verified: verdict.tree,
      own: [...ask.own],
      checkpoint: { ref: bundle.checkpoint.ref, commit: bundle.checkpoint.commit, tree: bundle.checkpoint.tree },
      list: before.work.list,
      log: before.work.log,
      changes: before.work.changes,
      keepsChecked: before.work.hasMore,
    },
    claim: before.work.claim,
    proof: before.work.proof,
    agent: {
      role: bundle.role,
      provider: agent.provider,
      model: modelOf(context.config, part),
      attempt: bundle.attempt,
      turns: record.turns,
      toolCalls: record.toolCalls,
      usage: record.usage,
      prompts: seen.prompts,
    },
    verdict: masked({
      holds: verdict.holds,
      folder: kept.deciding,
      checks: verdict.checks.map(({ name, command, passed, exit, ms, tests }) => ({
        name,
        command,
        passed,
        exit,
        ms,
        tests,
      })),
      tests: verdict.tests,
      problems: verdict.problems.map(copied),
      warnings: verdict.warnings.map(copied),
      regressions: [...verdict.regressions],
      flaky: [...verdict.flaky],
      tampering: verdict.tampering.map(copied),
      sandbox: verdict.sandbox,
    }),
    decisions: masked(decisionsOn(context, item)),
    mismatches: masked(seen.mismatches.map(copied)),
    diff: { from: place.parentTree, to: place.tree, sha256: sha256(diff) },
    files: listed.filter(isSmall),
    leftOut: listed.filter((f) => !isSmall(f)).map(({ path, sha256: hash, bytes }) => ({ path, sha256: hash, bytes })),
    previous: before.previous,
    journal: journalLine(context, ask.token),
  });
  const small = new Set(manifest.files.map(({ path }) => path));
  return {
    manifest: writeManifest(manifest),
    files: texts.filter(({ path }) => small.has(path)),
  };
}

const copied = (p: Problem): Manifest['mismatches'][number] => ({
  code: p.code,
  params: { ...p.params },
  ...(p.ids === undefined ? {} : { ids: [...p.ids] }),
});

/** What people were asked about the item and said. A gate that cannot be read fails the next question, not this. */
function decisionsOn(context: RunStores, item: string): Manifest['decisions'] {
  const all = context.gates.list({ open: false });
  if (!all.ok) return [];
  return all.value.flatMap(({ gate, closed }) => {
    if (gate.item !== item || closed?.how !== 'answered') return [];
    const { option, note, by, at } = closed;
    return [{ gate: gate.id, subject: gate.subject, option, note, by, at }];
  });
}

/** The intent of the landing in the item's journal: `<item>/<number>/<step>` is the token of every step of it. */
function journalLine(context: RunRepository, token: string): Manifest['journal'] {
  const [, owner = '', number = ''] = /^(.*)\/(\d+)\/[^/]+$/.exec(token) ?? [];
  const file = `${fileName(owner)}.jsonl`;
  const path = join(context.workspaceDir, 'items', file);
  if (number === '' || !existsSync(path)) return null;
  const read = readLines<{ readonly t?: string; readonly seq?: number }>(readFileSync(path, 'utf8'));
  const line = read.ok ? read.value.lines.find((l) => l.t === 'intent' && l.seq === Number(number)) : undefined;
  return line === undefined ? null : { file, seq: Number(number), sha256: hashOfLine(line) };
}
