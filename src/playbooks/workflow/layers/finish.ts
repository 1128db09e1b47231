// The end of a workflow: the safety guard, what is removed, and the commit that the user chose. Nothing is removed before the guard has agreed,
// and what is committed is what was verified.
import { z } from 'zod';
import { defineEdit, defineProcedure, defineSurvey, editCall, readFacts } from '../../../engine/definitions.ts';
import { ok } from '../../../model/result.ts';
import type { StrengthOutcome } from '../../../model/action.ts';
import type { ProofSummary } from '../../../model/proof.ts';
import type { Problem, Verdict } from '../../../model/verdict.ts';
import { proofOf } from '../../session/proof.ts';
import { baselineFrom } from '../../../model/baseline-record.ts';
import { evidenceLine } from '../../session/verdicts.ts';
import { resolved } from '../file/state.ts';
import { docsPathRule } from '../paths/paths.ts';
import { groupInput, titleOf } from '../sessions/dispatch.ts';
import { countersSchema } from '../table/counters.ts';
import { OWN_FILES } from '../table/rules.ts';
import { stageResult, type StageResult } from '../table/stages.ts';
import { layer1Checks, withExit } from './layer-1-checks.ts';
import { strengthOfLayer1, testsOf } from './prove.ts';

/** Documents of an earlier spec phase stay, in the commit and in their folder. */
const KEPT = ['qa_notes.md', 'critic_findings.md', 'conventions.md'];
const REPORTS = ['spec.md', 'changes.md', 'verify_report.md', 'qa_report.md'];

const paths = z.array(z.string()).readonly();

/** Whether some of these files exist and the checkpoint has none of them. */
export const ignoredReports = defineSurvey({
  id: 'workflow.ignored',
  input: z.object({ paths, at: z.string() }),
  facts: z.object({ isIgnored: z.boolean() }),
  async read({ view }, { paths: all, at }) {
    const stats = await Promise.all(all.map((path) => view.stat(path)));
    const there = all.filter((_, n) => stats[n]?.kind === 'file');
    const saved = await Promise.all(there.map((path) => view.readAt(at, path)));
    return { isIgnored: there.length > 0 && saved.every((text) => text === null) };
  },
});

/** Existing files with their own text: thus they are committed even if git ignores their folder. */
const keepFiles = defineEdit({
  id: 'workflow.keep',
  input: z.object({ paths }),
  async texts({ view }, { paths: all }) {
    const found = await Promise.all(all.map(async (path) => [path, await view.read(path)] as const));
    return ok(Object.fromEntries(found.flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]))));
  },
});

/** Paths outside of the task's documents that differ from a tree. */
export const changedCode = defineSurvey({
  id: 'workflow.changed-code',
  input: z.object({ since: z.string(), docs: z.string() }),
  facts: z.object({ paths }),
  read: async ({ view }, { since, docs }) => ({
    paths: (await view.changedSince(since)).filter((path) => !path.startsWith(docs)),
  }),
});

/** A person had work committed that was not verified, or whose proof is in doubt. */
function landingProof(
  verdict: Verdict | null,
  known: ProofSummary | null,
  strength: StrengthOutcome | null,
  doubts: readonly Problem[],
): ProofSummary {
  if (verdict === null) return { strength: 'person', held: [], notPossible: [] };
  const proof = known ?? proofOf({ verdict, strength });
  return doubts.length > 0 ? { ...proof, strength: 'person' } : proof;
}

const inSpiteOf = (doubts: readonly Problem[]): readonly string[] =>
  doubts.length === 0 ? [] : [`Decided: by a person, in spite of ${doubts.map(({ code }) => code).join(', ')}`];

export const finish = defineProcedure({
  id: 'workflow.finish',
  input: groupInput.pick({ item: true, session: true, file: true }).extend({
    choice: countersSchema.shape.finish,
    isProved: z.boolean(),
    /** A user accepted work that is judged to fail; left out: none did, or an older version asked. */
    isAccepted: z.boolean().optional(),
    line: z.string(),
    proved: countersSchema.shape.proved,
  }),
  output: stageResult,
  async perform(
    run,
    { item, session, file, choice, isProved, isAccepted, line, proved },
    config,
  ): Promise<StageResult> {
    const state = resolved(file);
    const docs = state.docs_path;
    const own = OWN_FILES.map((name) => `${config.paths.stateDir}/${name}`);
    if (choice === null || choice === 'none') {
      await run.do('tidy', { kind: 'tidy', paths: own, keep: [] });
      return { on: 'finished' };
    }
    const { rule } = await readFacts(run, docsPathRule, { docs });
    if (rule !== null) return { on: 'refused', problems: [{ code: 'docs-path-unsafe', params: { path: docs, rule } }] };
    const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session, item, why: 'pre_commit' });
    const inDocs = (names: readonly string[]): readonly string[] => names.map((name) => `${docs}${name}`);
    // What is open in the work is read there.
    const [kept, reports] = [inDocs(isAccepted === true ? [...KEPT, 'qa_report.md'] : KEPT), inDocs(REPORTS)];
    const { isIgnored } = await readFacts(run, ignoredReports, { paths: reports, at: checkpoint.ref });
    const documents = { kind: 'tidy', paths: choice === 'code-only' ? [docs] : [], keep: kept } as const;
    // Ignored documents are in no checkpoint: they are removed after the last step that could be rolled back.
    if (!isIgnored) await run.do('artifacts', documents);
    // Layer 1 once more over what will be committed: the user may have changed something since, and the documents are removed.
    const tests = await testsOf(run, state);
    const checks = layer1Checks(state, config, tests);
    const verdict = isProved
      ? withExit(await run.do('check', { kind: 'check', purpose: 'layer-1', session, checks, goesOn: true }))
      : null;
    if (verdict !== null && !verdict.holds) {
      await run.do('rollback', { kind: 'rollback', checkpoint, item, session, why: 'tree-changed-since-check' });
      return { on: 'refused', problems: verdict.problems };
    }
    // What Layer 1 proved is proved of its tree: what changed since is proved again, and what is in doubt then was never shown.
    const isSame =
      verdict === null ||
      (proved && (await readFacts(run, changedCode, { since: proved.tree, docs })).paths.length === 0);
    const strength = isSame ? null : await strengthOfLayer1(run, { item, session, verdict, checks, tests }, config);
    // No user was asked about a doubt that came up since.
    const refused = [...(strength?.problems ?? []), ...(proved ? (strength?.doubts ?? []) : [])];
    if (refused.length > 0) {
      await run.do('rollback', { kind: 'rollback', checkpoint, item, session, why: 'tree-changed-since-check' });
      return { on: 'refused', problems: refused };
    }
    const doubts = strength?.doubts ?? proved?.doubts ?? [];
    const proof = landingProof(verdict, strength === null && proved ? proved.proof : null, strength, doubts);
    const about = {
      title: titleOf(state),
      role: 'generator',
      attempt: state.round,
      startedAt: state.created_at,
      endedAt: state.updated_at,
      said: line,
      claims: false,
      proof,
      claim: 'gate',
    } as const;
    const made = await run.do('commit', {
      kind: 'commit',
      style: 'accept',
      item,
      session,
      subject: `feat: ${about.title}`,
      body: verdict === null ? `Not verified: ${line}` : [evidenceLine(verdict), ...inSpiteOf(doubts)].join('\n'),
      proof: proof.strength,
      tree: verdict?.tree ?? null,
      checkpoint,
      only: null,
      edit: editCall(keepFiles, { paths: choice === 'all' ? [...kept, ...reports] : kept }),
      ...(verdict === null ? {} : { bundle: { ...about, checkpoint, verdict, backlog: config.paths.backlog } }),
    });
    if (made.commit === null) {
      await run.do('rollback', { kind: 'rollback', checkpoint, item, session, why: made.refused?.code ?? 'refused' });
      return { on: 'refused', problems: made.refused === null ? [] : [made.refused] };
    }
    await run.do('push', { kind: 'push', commit: made.commit });
    const baseline = verdict === null ? null : baselineFrom(verdict, made.tree);
    if (baseline !== null) await run.do('baseline', { kind: 'remember', what: 'baseline', session, baseline });
    if (verdict !== null) await run.do('publish', { kind: 'publish', event: 'landed', item, commit: made.commit });
    if (isIgnored) await run.do('artifacts', documents);
    await run.do('tidy', { kind: 'tidy', paths: own, keep: [] });
    return { on: 'finished', commit: made.commit, evidence: verdict?.evidence ?? null, proof };
  },
});
