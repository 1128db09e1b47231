// The end (reference 004, Step 8): the safety guard, what is cleaned up, and the commit that a person chose. Nothing is removed before the
// guard has agreed, and what is committed is what was verified.
import type { Run } from '../../../engine/types.ts';
import type { Actions, BundleAsk, Checkpoint } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import type { Verdict } from '../../../model/verdict.ts';
import { ask } from '../../session/asks.ts';
import { evidenceLine } from '../../session/verdicts.ts';
import type { Came } from '../table/came.ts';
import { titleOf, type Dispatch } from '../sessions/one-session.ts';
import type { Mem } from '../table/mem.ts';
import { OWN_PAPERS } from '../table/rules.ts';
import { layer1Checks } from './layer-1.ts';

type R = Run<Actions>;
type Input = Pick<Dispatch, 'item' | 'session' | 'state'> & {
  readonly finish: Mem['finish'];
  readonly isProved: boolean;
  readonly line: string;
};

/** What a spec phase persisted stays, in the commit and beside it. */
const PERSISTED = ['qa_notes.md', 'critic_findings.md', 'conventions.md'];
const REPORTS = ['spec.md', 'changes.md', 'verify_report.md', 'qa_report.md'];

export async function finish(run: R, input: Input, config: Config): Promise<Came> {
  const { state, finish: choice, item, session } = input;
  const docs = state.docs_path;
  const away = OWN_PAPERS.map((name) => `${config.paths.stateDir}/${name}`);
  if (choice === null || choice === 'none') {
    await run.do('tidy', { kind: 'tidy', paths: away, keep: [] });
    return { on: 'finished' };
  }
  const guard = await ask<{ readonly rule: string | null }>(run, 'docs-path', { docs });
  if (guard.rule !== null)
    return { on: 'refused', problems: [{ code: 'docs-path-unsafe', params: { path: docs, rule: guard.rule } }] };
  const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session, item, why: 'pre_commit' });
  const inDocs = (names: readonly string[]): readonly string[] => names.map((name) => `${docs}${name}`);
  const [kept, reports] = [inDocs(PERSISTED), inDocs(REPORTS)];
  const { isIgnored } = await ask<{ readonly isIgnored: boolean }>(run, 'ignored', {
    paths: reports,
    at: checkpoint.ref,
  });
  const documents = { kind: 'tidy', paths: choice === 'code-only' ? [docs] : [], keep: kept } as const;
  // What git ignores is in no checkpoint: it goes when there is no way back any more.
  if (!isIgnored) await run.do('artifacts', documents);
  const verdict = input.isProved ? await proved(run, input, config) : null;
  if (verdict !== null && !verdict.holds) {
    await run.do('rollback', { kind: 'rollback', checkpoint, item, session, why: 'tree-changed-since-check' });
    return { on: 'refused', problems: verdict.problems };
  }
  const made = await run.do('commit', {
    kind: 'commit',
    style: 'accept',
    item,
    session,
    subject: `feat: ${titleOf(state)}`,
    body: verdict === null ? `Not verified: ${input.line}` : evidenceLine(verdict),
    tree: verdict?.tree ?? null,
    checkpoint,
    only: null,
    edit: { name: 'kept', input: { paths: choice === 'all' ? [...kept, ...reports] : kept } },
    ...(verdict === null ? {} : { bundle: bundleOf(input, config, { checkpoint, verdict }) }),
  });
  if (made.commit === null) {
    await run.do('rollback', { kind: 'rollback', checkpoint, item, session, why: made.refused?.code ?? 'refused' });
    return { on: 'refused', problems: made.refused === null ? [] : [made.refused] };
  }
  await run.do('push', { kind: 'push', commit: made.commit });
  if (verdict !== null) await run.do('publish', { kind: 'publish', event: 'landed', item, commit: made.commit });
  if (isIgnored) await run.do('artifacts', documents);
  await run.do('tidy', { kind: 'tidy', paths: away, keep: [] });
  return { on: 'finished', commit: made.commit, evidence: verdict?.evidence ?? null };
}

/** Once more over what will be committed: between Layer 1 and now a person may have changed something, and the artifacts are gone. */
const proved = (run: R, { state, session }: Input, config: Config): Promise<Verdict> =>
  run.do('check', { kind: 'check', purpose: 'layer-1', session, checks: layer1Checks(state, config), goesOn: true });

const bundleOf = (
  { state, line }: Input,
  { paths }: Config,
  { checkpoint, verdict }: { readonly checkpoint: Checkpoint; readonly verdict: Verdict },
): BundleAsk => ({
  title: titleOf(state),
  role: 'generator',
  attempt: state.round,
  startedAt: state.created_at,
  endedAt: state.updated_at,
  said: line,
  checkpoint,
  verdict,
  backlog: paths.backlog,
  claims: false,
});
