// Commits of a simulated processRun: each recognises by its token what it has done.
import type { Blocked } from '../../src/engine/types.ts';
import { sha256 } from '../../src/host/files.ts';
import { textsOf, type Texts } from '../../src/engine/definitions.ts';
import { readContext, type RunContext } from '../../src/loop/run-context.ts';
import { repeatable } from '../../src/loop/performers/repeatable.ts';
import type { CommitOutcome, UnwindOutcome } from '../../src/model/action.ts';
import { failure } from '../../src/model/failure.ts';
import { ok } from '../../src/model/result.ts';
import { provisionalOf, UNWINDS } from '../../src/model/provisional.ts';
import { dropLanded } from '../../src/repos/pending-log.ts';
import { count } from './ledger.ts';
import { checkpointNow } from './parked.ts';
import type { ProcessRun } from './process-run.ts';
import type { A } from './performers.ts';
import { addCommit, changedBetween, headOf, history, idOf, makeCommit, withFiles, type Tree } from './repository.ts';
import { keepAttempt } from './snapshots.ts';

export const simulatedCommits = (lane: RunContext, processRun: ProcessRun): A<'commit'> => ({
  async perform(
    { style, item, session, subject, tree, only, edit, checkpoint, unwinds: isUnwinding, onto },
    { token },
  ): Promise<CommitOutcome | Blocked> {
    const { repo, mutant, trees, kind } = processRun.mission;
    const mark = sha256(token).slice(0, 20);
    for (const commit of history(repo, onto === undefined ? repo.head : repo.refs.get(`refs/heads/${onto}`)?.head))
      if (commit.trailers['Harness-Token'] === mark)
        return { commit: commit.id, tree: idOf(commit.tree), refused: null };
    const base = checkpoint === null ? null : checkpointNow(repo, checkpoint).head;
    if (base !== null && repo.head !== base)
      await lane.io.effect('squash the agent', async () => {
        keepAttempt(processRun, `${token} commits`, new Map(), 'commits of the agent');
        repo.head = base;
      });
    if (checkpoint !== null && base !== checkpoint.head)
      return { commit: null, tree: '', refused: { code: 'branch-moved', params: {} } };
    const edited = edit === null ? ok<Texts>({}) : await textsOf(edit, readContext(lane));
    if (!edited.ok) return { blocked: edited.failure };
    const files = edited.value;
    const verified = tree === null ? null : trees.get(tree);
    if (verified) {
      const ids = changedBetween(verified, repo.work).filter((path) => !(path in files));
      if (ids.length > 0 && mutant.takesAnyTree !== true)
        return { commit: null, tree: '', refused: { code: 'tree-changed-since-check', params: {}, ids } };
    }
    const parent = headOf(repo);
    const whole = withFiles(repo.work, files);
    const some = only === null ? null : withFiles(headOf(repo).tree, { ...pick(repo.work, only), ...files });
    const next = some ?? whole;
    let made: string | null = null;
    await lane.io.effect('git commit', async () => {
      repo.work = whole;
      if (style !== 'accept' && changedBetween(next, parent.tree).length === 0) return;
      const trailers = {
        ...(item === null ? {} : { 'Harness-Item': item }),
        ...(isUnwinding === true ? { [UNWINDS]: item ?? '' } : {}),
        'Harness-Session': String(session),
        'Harness-Token': mark,
      };
      const about = { tree: next, subject, at: lane.clock.iso(), trailers };
      if (onto !== undefined) {
        made = makeCommit(repo, about, parent.id).id;
        repo.refs.set(`refs/heads/${onto}`, { tree: next, head: made, branch: onto });
        return;
      }
      const commit = addCommit(repo, about, parent.id);
      made = commit.id;
      if (style === 'accept') repo.wips.delete(item ?? '');
      if (style === 'accept')
        kind.lands(processRun.mission, { commit, item: item ?? '', session, isProved: tree !== null });
    });
    dropLanded(lane.io, lane.privateDir, files);
    return { commit: made, tree: idOf(next), refused: null };
  },
  probe: repeatable,
});

const pick = (tree: Tree, paths: readonly string[]): { readonly [path: string]: string | null } =>
  Object.fromEntries(paths.map((path) => [path, tree.get(path) ?? null]));

/** File by file: git would do it line by line. */
export const simulatedUnwinds = (lane: RunContext, processRun: ProcessRun): A<'unwind'> => ({
  async perform({ checkpoint, item, keep }): Promise<UnwindOutcome> {
    const { repo } = processRun.mission;
    const head = headOf(repo);
    const refused = (reason: 'unwind-not-clean' | 'unwind-conflict'): UnwindOutcome => ({
      tree: null,
      failure: failure(reason, { item }),
      isTouched: false,
    });
    if (repo.head !== checkpoint.head) return refused('unwind-not-clean');
    const commits = provisionalOf([...history(repo)], item);
    let tree = head.tree;
    for (const commit of commits) {
      const before = repo.commits.get(commit.parent ?? '')?.tree ?? new Map();
      const paths = changedBetween(before, commit.tree).filter((path) => !keep.includes(path));
      if (paths.some((path) => tree.get(path) !== commit.tree.get(path))) return refused('unwind-conflict');
      tree = withFiles(tree, pick(before, paths));
    }
    count(processRun.mission.ledger.acts, 'unwound');
    await lane.io.effect('unwind', async () => {
      repo.work = tree;
      processRun.mission.trees.set(idOf(tree), tree);
    });
    return { tree: idOf(tree), count: commits.length, failure: null };
  },
  probe: repeatable,
});
