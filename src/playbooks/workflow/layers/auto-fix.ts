// The one attempt to fix a failure of Layer 1 by a patch: a proposer writes a diff, a user decides, and the harness applies what it judged,
// whole or not at all.
import { z } from 'zod';
import { defineProcedure, defineSurvey, readFacts } from '../../../engine/definitions.ts';
import type { Problem } from '../../../model/verdict.ts';
import { resolved, type WorkflowState } from '../file/state.ts';
import { failingFiles } from '../paths/named-files.ts';
import { judgeTargets, readPatch } from '../paths/patch.ts';
import { groupInput, groupResult } from '../sessions/dispatch.ts';
import { PATCH_FILE } from '../table/rules.ts';
import { stageResult, type StageResult } from '../table/stages.ts';

/** The files that verify_report.md names as failing. `root`: of the repository, absolute; '': unknown. */
export const reportedFiles = defineSurvey({
  id: 'workflow.failing-files',
  input: z.object({ docs: z.string(), root: z.string() }),
  facts: z.object({
    files: z.array(z.string()).readonly(),
    /** Paths that the path validator refuses. Left out: an older program read the report. */
    dropped: z
      .array(z.object({ path: z.string(), rule: z.string() }))
      .readonly()
      .optional(),
  }),
  async read({ view }, { docs, root }) {
    const report = (await view.read(`${docs}verify_report.md`)) ?? '';
    return failingFiles(view, report, { docsPath: docs, repoPath: root });
  },
});

/** The proposed patch, as far as it may be applied. */
export const proposedPatch = defineSurvey({
  id: 'workflow.patch',
  input: z.object({ docs: z.string(), scope: z.string() }),
  facts: z.object({
    /** null: there is none, and `why`. */
    diff: z.string().nullable(),
    targets: z.array(z.string()).readonly(),
    refused: z.object({ path: z.string(), rule: z.string() }).nullable(),
    why: z.string(),
    /** One line; '': it has none. */
    summary: z.string(),
  }),
  async read({ view }, { docs, scope }) {
    const read = readPatch((await view.read(PATCH_FILE)) ?? '');
    if (read.isEmpty) {
      const why = read.part === '' ? read.why : `${read.why}: ${read.part}`;
      return { diff: null, targets: [], refused: null, why, summary: '' };
    }
    const { diff, targets, summary } = read;
    const verdict = await judgeTargets(view, targets, { scope, docsPath: docs });
    const refused = verdict.isAllowed ? null : { path: verdict.path, rule: verdict.rule };
    return { diff, targets, refused, why: '', summary };
  },
});

/** The code of the sentence that says why the path validator refuses a path. */
const pathRule = (rule: string): string => `path-${rule}`;
/** So many refused paths are named. */
const MOST_NOTED = 5;

const patchOf = ({ docs_path: docs, scope }: WorkflowState) => ({ docs, scope });

/** In characters: the diff is stored with the question, and a minimal fix is short. */
const MAX_DIFF = 100_000;

export const proposeFix = defineProcedure({
  id: 'workflow.propose-fix',
  input: groupInput,
  output: stageResult,
  async perform(run, input, config) {
    const state = resolved(input.file);
    const about = { docs: state.docs_path, root: state.repo_path };
    const { files, dropped = [] } = await readFacts(run, reportedFiles, about);
    const notes: readonly Problem[] = [
      ...dropped
        .slice(0, MOST_NOTED)
        .map(({ path, rule }) => ({ code: 'path-excluded' as const, params: { path, rule: pathRule(rule) } })),
      ...(files.length === 0 ? [{ code: 'no-path-left' as const, params: {} }] : []),
    ];
    return groupResult(run, { ...input, files, notes }, config, async ({ returned: [first] }) => {
      const { diff, targets, why, summary } = await readFacts(run, proposedPatch, patchOf(state));
      if (diff === null || diff.length > MAX_DIFF) {
        const refused = { why: diff === null ? `patch-${why.split(':')[0] ?? ''}` : 'patch-too-long', path: '' };
        return { on: 'patch: empty', line: why, refused, paths: [], diff: null };
      }
      const line = summary === '' ? (first?.line ?? '') : summary;
      return { on: 'patch: written', line, confidence: first?.confidence ?? 'Unknown', paths: targets, diff };
    });
  },
});

export const applyFix = defineProcedure({
  id: 'workflow.apply-fix',
  /** `shown`: the diff that the user agreed to; null: not known any more. */
  input: groupInput.pick({ item: true, session: true, file: true }).extend({ shown: z.string().nullable() }),
  output: stageResult,
  async perform(run, { item, session, file, shown }): Promise<StageResult> {
    const refuse = (line: string, why = line, path = ''): StageResult => ({
      on: 'patch: refused',
      line,
      refused: { why, path },
    });
    const { diff, targets, refused, why } = await readFacts(run, proposedPatch, patchOf(resolved(file)));
    if (refused !== null) return refuse(`${refused.path}: ${refused.rule}`, pathRule(refused.rule), refused.path);
    if (diff === null) return refuse(why, `patch-${why.split(':')[0] ?? ''}`);
    if (shown !== null && shown !== diff) return refuse('the patch is not the one that was shown', 'patch-other');
    const checkpoint = await run.do('snapshot', { kind: 'checkpoint', session, item, why: 'pre_auto_fix' });
    const done = await run.do('apply', { kind: 'patch', checkpoint, diff, paths: targets });
    return done.applied ? { on: 'patch: applied' } : refuse(done.why);
  },
});
