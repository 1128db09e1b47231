// The summary of a run as data: the last line of `run --json` and the final screen.
import type { PlaybookManifest } from '../../engine/manifest.ts';
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import type { Catalogue } from '../../host/catalogue.ts';
import { openGates } from '../../gates/store.ts';
import { eventsIn } from '../../loop/sessions.ts';
import type { ItemReport } from '../../loop/records/reports.ts';
import type { Failure } from '../../model/failure.ts';
import type { Gate } from '../../model/gate.ts';
import type { ItemId } from '../../model/item.ts';
import { toJson, type Json } from '../../model/json.ts';
import type { ProofSummary } from '../../model/proof.ts';
import { addUsage, NO_USAGE, type Usage } from '../../model/usage.ts';
import { ok } from '../../model/result.ts';
import { branchJson } from '../look/unmerged.ts';
import type { UnmergedBranch } from '../../repos/run-branch.ts';
import { readActiveSessions } from '../look/active-sessions.ts';
import { promptFor } from '../look/next-prompt.ts';
import { openQuestionsOf } from '../look/open-questions.ts';
import { leftOf } from '../look/state-summary.ts';
import { plainObject } from '../open/loose-json.ts';
import { unmergedOf } from '../open/unmerged.ts';
import { hasNoItems, askNext, type Target } from '../open/target.ts';
import type { RunReport } from './run.ts';

export type RunSummary = {
  readonly report: RunReport;
  readonly failure: Failure | null;
  /** The question to show in full; null: the run did not end at one. */
  readonly gate: Gate | null;
  /** Every question that waits for an answer. */
  readonly asked: readonly Gate[];
  // Set if the playbook's one task does not exist: not started yet, or finished.
  /** The key of the text to show instead of a result, and the specification that it names; null: show the result. */
  readonly idle: {
    readonly text: NonNullable<PlaybookManifest['oneTask']>['noneText'] | 'run.empty' | 'init.ready-spec';
    readonly file: string;
  } | null;
  /** Everything is done, and items can be added. */
  readonly canContinue: boolean;
  readonly usage: Usage;
  /** What the agent said last in a session that ended without a result, by session. */
  readonly words: ReadonlyMap<number, string>;
  readonly next: { readonly item: string | null; readonly prompt: string };
  /** Where what landed waits to be merged; null: nothing does. */
  readonly branch: UnmergedBranch | null;
  readonly json: { readonly [key: string]: Json };
};

export async function runSummary(target: Target, report: RunReport, catalogue: Catalogue): Promise<RunSummary> {
  const gates = openGates({ dir: join(target.privateDir, 'gates'), io: target.io, clock: target.clock });
  const asked = report.gates.flatMap((id) => {
    const found = gates.find(id);
    return found.ok && found.value !== null ? [found.value.gate] : [];
  });
  const [first = null] = asked;
  const gate = report.result === 'gate' ? first : null;
  const usage = report.items.map((i) => i.usage).reduce(addUsage, NO_USAGE);
  const facts = await askNext(target, null);
  const waiting = asked.length === 0 ? [] : (await readActiveSessions(target.workspaceDir)).sessions;
  const unmerged = target.config.land === 'branch' ? await unmergedOf(target) : ok(null);
  const branch = unmerged.ok ? unmerged.value : null;
  const next = { item: facts.next, prompt: facts.prompt ?? (await nextPrompt(target, facts.next)) };
  const landed = report.items.filter((i) => i.result === 'landed');
  const last = report.items.at(-1);
  const failure = report.failure ?? last?.failure ?? null;
  const partial = report.items.filter((one) => one.result === 'partial');
  const words = new Map(
    partial.flatMap(({ session }) => {
      const said = lastWords(join(target.stateDir, 'sessions', String(session), 'events.jsonl'));
      return said === null ? [] : [[session, said] as const];
    }),
  );
  const isIdle = report.items.length === 0 && report.reason === 'nothing-left';
  const isEmpty = isIdle && hasNoItems(target);
  const json = {
    run: report.run,
    result: report.result,
    reason: isEmpty ? 'no-items' : report.reason,
    sandbox: report.sandbox,
    item: last?.id ?? null,
    items: report.items.map((one) => ({ ...itemJson(one), said: words.get(one.session) ?? null })),
    landed: landed.map((i) => i.id),
    commits: report.items.flatMap((i) => (i.commit === null ? [] : [i.commit])),
    evidence: last?.evidence ?? null,
    cost: costOf(usage),
    gates: report.gates,
    questions: toJson(openQuestionsOf(asked, waiting, catalogue)),
    left: report.left.map(({ item, reason }) => ({ item, reason })),
    failure: toJson(failure),
    next,
    ...(branch === null ? {} : { branch: branchJson(branch) }),
    ...report.tape,
  };
  const { oneTask, specFile } = target.playbook;
  const emptyText = specFile === undefined ? ('run.empty' as const) : ('init.ready-spec' as const);
  const idleText = isIdle ? (oneTask?.noneText ?? (isEmpty ? emptyText : null)) : null;
  const idle = idleText === null ? null : { text: idleText, file: specFile ?? '' };
  const isDone = report.result === 'done' && report.reason === 'nothing-left' && idle === null;
  const canContinue = isDone && target.backlog.prompts !== undefined;
  return { report, failure, gate, asked, idle, canContinue, usage, words, next, branch, json };
}

/** The end of what an agent said after its last tool call; null: nothing, or there is no record. */
function lastWords(file: string): string | null {
  const lines = readText(file);
  if (!lines.ok || lines.value === null) return null;
  const events = eventsIn(lines.value);
  const from = events.findLastIndex(({ t }) => t === 'tool-start' || t === 'tool-end') + 1;
  const said = events
    .slice(from)
    .flatMap((event) => (event.t === 'text' ? [event.text] : []))
    .join('')
    .trim();
  return said === '' ? null : said.slice(-WORDS_CHARS);
}
const WORDS_CHARS = 300;

/** A list without any item: nothing is done, and nothing was to do. */
const itemJson = (i: ItemReport): { readonly [key: string]: Json } => ({
  id: i.id,
  session: i.session,
  result: i.result,
  reason: i.reason,
  problems: i.problems.map((p) => p.code),
  commit: i.commit,
  proof: i.proof === undefined ? null : proofJson(i.proof),
  evidence: i.evidence,
  failure: toJson(i.failure),
  cost: costOf(i.usage),
});

/** As `run --json` and `verify --json` show it. */
export const proofJson = ({ strength, held, notPossible }: ProofSummary): Json => ({
  strength,
  held: [...held],
  not_possible: [...notPossible],
});

export const costOf = (usage: Usage): Json => ({
  usd: usage.costUsd,
  tokens: { input: usage.inputTokens, output: usage.outputTokens, cached: usage.cachedTokens },
  source: usage.source,
});

/** The role of the next session, from the file of the machine; `coding` if there is none. */
export function nextPrompt({ stateDir, machine, root }: Target, item: ItemId | null): Promise<string> {
  const state = readText(join(stateDir, machine.ledger));
  return promptFor({ root }, leftOf(plainObject(state.ok ? state.value : null)), item);
}
