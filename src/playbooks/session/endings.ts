// The three ends of a session: landed, saved, rolled back. Each is one recoverable sequence that begins with closing the
// agent's process; every step recognises that it is done.
import type { Run } from '../../engine/types.ts';
import type { Actions, BundleAsk, CommitAsk } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Json } from '../../model/json.ts';
import type { Problem } from '../../model/verdict.ts';
import { ask, budgetInput, type BudgetFacts } from './asks.ts';
import type { Books, Broken } from './books.ts';
import { catchUp } from './catch-up.ts';
import { featureChecks } from './checks.ts';
import { evidenceLine, portable, shownChecks, stateOf, takenFrom } from './verdicts.ts';
import { terminationOf } from './transitions.ts';
import type { Accepted, CutReason, Ended, Holding, Put, Rejection } from './facts.ts';

type R = Run<Actions>;
export type CloseInput = Ended & { readonly session: number };
type Style = Pick<CommitAsk, 'style' | 'subject' | 'edit'> &
  Partial<Pick<CommitAsk, 'body' | 'tree' | 'only' | 'checkpoint' | 'bundle'>>;

const commit = (run: R, input: CloseInput, ask_: Style) =>
  run.do('commit', {
    kind: 'commit',
    item: input.facts.id,
    session: input.session,
    body: '',
    tree: null,
    only: null,
    checkpoint: null,
    ...ask_,
  });

/** Costs and the session's record: the last steps of every end. */
async function record(run: R, input: CloseInput, about: { readonly [key: string]: Json }): Promise<void> {
  const { facts, session, startedAt, endedAt } = input;
  await run.do('costs', { kind: 'remember', what: 'costs', session, input: { item: facts.id } });
  const all = { item: facts.id, startedAt, endedAt, ...about };
  await run.do('record', { kind: 'remember', what: 'session', session, input: all });
}

/** What the landing rests on, and who decided where that was in doubt. */
const bodyOf = ({ verdict, strength, decided, person }: Holding): string =>
  [
    ...(verdict.evidence === null ? [] : [evidenceLine(verdict)]),
    ...(strength === null ? [] : [`Proofs: ${portable(strength.evidence)}`]),
    ...(decided === null || strength === null
      ? []
      : [
          `Decided: ${decided.option}, by ${decided.by} at ${decided.at}, in spite of ${strength.doubts.map((d) => d.code).join(', ')}`,
          ...(decided.note === '' ? [] : [`Because: ${decided.note}`]),
        ]),
    ...(person === null ? [] : [`Verified by hand: ${person.by}, ${person.at}`, person.note]),
  ].join('\n');

/**
 * Landing (reference 000, Harness Verification 5 to 9): commit, push, baseline, sizes, mirror, costs, record. It stands
 * before anything is done about a push that was refused.
 */
export async function land(run: R, input: CloseInput & Holding, config: Config, books: Books): Promise<Accepted> {
  const { facts, session, verdict, person } = input;
  const { usage, tampering } = await run.do('close', { kind: 'close', session });
  if (tampering.length > 0) return { commit: null, usage, refused: tampering };
  const byHand = person === null ? [] : [`A person looked at it and says it holds: ${person.by}`];
  const entry = { verification: shownChecks(verdict), state: [...stateOf(verdict), ...byHand] };
  const landed = await commit(run, input, {
    style: 'accept',
    subject: `feat(${scopeOf(facts.category)}): #${facts.id} ${facts.title}`,
    body: bodyOf(input),
    tree: verdict.tree,
    checkpoint: input.checkpoint,
    edit: books.accepting(input, config, entry),
    bundle: bundleOf(input, config, books),
  });
  if (landed.commit === null) return { commit: null, usage, refused: landed.refused ? [landed.refused] : [] };
  const pushed = await run.do('push', { kind: 'push', commit: landed.commit });
  const taken = takenFrom(verdict, landed.tree);
  if (taken !== null) await run.do('baseline', { kind: 'remember', what: 'baseline', session, input: taken });
  await run.do('sizes', { kind: 'remember', what: 'sizes', session, input: {} });
  await run.do('publish', { kind: 'publish', event: 'landed', item: facts.id, commit: landed.commit });
  const { evidence } = verdict;
  const bundle = landed.evidence ?? '';
  await record(run, input, {
    completed: true,
    termination: 'success',
    result: 'landed',
    commit: landed.commit,
    evidence,
    verifiedBy: person,
    bundle,
  });
  const { commit: mine } = landed;
  const checks = featureChecks(facts, config);
  const pushFailure = await catchUp(run, { item: facts.id, session, commit: mine, push: pushed, checks }, config);
  return { commit: mine, bundle, usage, pushFailure };
}

const bundleOf = (input: CloseInput & Pick<Holding, 'verdict'>, config: Config, books: Books): BundleAsk => ({
  title: input.facts.title,
  role: books.role(input.facts),
  attempt: input.facts.attempt,
  startedAt: input.startedAt,
  endedAt: input.endedAt,
  said: input.text,
  checkpoint: input.checkpoint,
  verdict: input.verdict,
  backlog: config.paths.backlog,
});

/** Cut by a limit or a pause: what it wrote stays on the branch as a provisional commit, the next session goes on from it. */
export async function save(
  run: R,
  input: CloseInput & { readonly why: CutReason },
  config: Config,
  books: Books,
): Promise<Put> {
  const { facts, session, why, checkpoint } = input;
  const { usage } = await run.do('close', { kind: 'close', session });
  const paths = books.claimedIn(config);
  if (paths.length > 0) await run.do('revert-claim', { kind: 'restore', checkpoint, paths });
  const state = [
    `SESSION TERMINATED: ${why} in the middle of #${facts.id}`,
    'Work in progress is kept; the next session goes on from it.',
  ];
  const saved = await commit(run, input, {
    style: 'provisional',
    subject: `${WIP[why](config)}#${facts.id} ${facts.title}`,
    checkpoint,
    edit: books.logging(input, config, { verification: '', state }),
  });
  if (saved.refused !== null) return refusedSave(run, input, config, books, usage, saved.refused);
  const termination = terminationOf(why);
  await record(run, input, { completed: false, termination, result: 'partial', reason: why, commit: saved.commit });
  if (why !== 'budget') return { usage, commit: saved.commit };
  const { over } = await ask<BudgetFacts>(run, 'budget', budgetInput(facts.id, config, session));
  return { usage, commit: saved.commit, ...(over ? { over } : {}) };
}

/** What cannot be committed cannot be gone on with: kept as an attempt and rolled back, like work that does not hold. */
async function refusedSave(
  run: R,
  input: CloseInput,
  config: Config,
  books: Books,
  usage: Put['usage'],
  refused: Problem,
): Promise<Put> {
  const { facts, session, checkpoint } = input;
  const why = refused.code;
  const back = await run.do('rollback', { kind: 'rollback', checkpoint, item: facts.id, session, why });
  const state = [`Rolled back: ${why}`];
  const logged = await logBack(run.scope('refused'), { ...input, why, state }, config, books);
  const { attempt } = back;
  const about = { result: 'failed', reason: why, problems: [refused], attempt };
  await record(run, input, { completed: false, termination: 'error', ...about });
  return { usage, commit: logged, refused };
}

const WIP: { readonly [W in CutReason]: (config: Config) => string } = {
  timeout: (config) => config.session.wipPrefix,
  context_limit: (config) => config.context.wipPrefix,
  stuck: () => 'WIP: Stuck - ',
  user_pause: () => 'WIP: Paused - ',
  budget: () => 'WIP: Budget - ',
  error: () => 'WIP: Error - ',
  incomplete: () => 'WIP: ',
  provider_limit: () => 'WIP: Provider limit - ',
};

/** Work that does not hold: kept as an attempt, rolled back, written into the log. */
export async function reject(
  run: R,
  input: CloseInput & { readonly why: Rejection },
  config: Config,
  books: Books,
): Promise<Put> {
  const { facts, session, checkpoint, why } = input;
  const { usage } = await run.do('close', { kind: 'close', session });
  const back = await run.do('rollback', { kind: 'rollback', checkpoint, item: facts.id, session, why: why.reason });
  const broken = why.regressions.length === 0 ? [] : await books.blame(run.scope('regressed'), input, config);
  const state = [`Rolled back: ${why.reason}`, ...broken.map(told)];
  const logged = await logBack(run, { ...input, why: why.reason, state }, config, books);
  await record(run, input, {
    completed: false,
    termination: 'error',
    result: 'failed',
    reason: why.reason,
    problems: why.problems,
    failure: why.failure,
    broken: broken,
    evidence: why.evidence,
    attempt: back.attempt,
  });
  return { usage, commit: logged, attempt: back.attempt };
}

const scopeOf = (category: string): string =>
  category
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'app';

const told = (b: Broken): string =>
  `Broke #${b.id}${b.dependents.length > 0 ? `, which #${b.dependents.join(', #')} depends on` : ''}${b.isFailing ? '; it fails without this change too and goes first' : ''}`;

/** The entry of a session that was rolled back, as a commit of its own where the books are part of commits. */
async function logBack(
  run: R,
  input: CloseInput & { readonly why: string; readonly state: readonly string[] },
  config: Config,
  books: Books,
): Promise<string | null> {
  const { facts, session, state, why } = input;
  const edit = books.logging(input, config, { verification: '', state });
  if (edit === null) return null;
  const logged = await commit(run, input, {
    style: 'provisional',
    subject: `docs(harness): session ${session} on #${facts.id} was rolled back: ${why}`,
    only: [config.paths.progress],
    edit,
  });
  return logged.commit;
}
