// Who performs what in a simulated life: the product's own performers wherever they touch nothing outside, and beside them
// what git, tests and proofs do, on the repository in memory. Each recognises by its token what it has done.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mailbox } from '../../src/engine/mailbox.ts';
import type { ActionOf, Performer, Performers } from '../../src/engine/types.ts';
import { sha256 } from '../../src/host/files.ts';
import type { Lane } from '../../src/loop/lane.ts';
import { asks } from '../../src/loop/performers/ask.ts';
import { choosesAgents } from '../../src/loop/performers/choose-agent.ts';
import { items } from '../../src/loop/performers/item.ts';
import { procedures } from '../../src/loop/performers/procedure.ts';
import { publishes } from '../../src/loop/performers/publish.ts';
import { memories } from '../../src/loop/performers/remember.ts';
import { repeatable } from '../../src/loop/performers/repeatable.ts';
import { surveys } from '../../src/loop/performers/survey.ts';
import { waits } from '../../src/loop/performers/wait.ts';
import { baselineFiles } from '../../src/loop/records/baseline.ts';
import { writeCheckpointRecord } from '../../src/loop/records/checkpoints.ts';
import { readCosts } from '../../src/loop/records/costs.ts';
import { fileName } from '../../src/loop/token.ts';
import type {
  Actions,
  Checkpoint,
  CheckSpec,
  CommitOutcome,
  PatchOutcome,
  StrengthOutcome,
  UnwindOutcome,
} from '../../src/model/action.ts';
import { failure } from '../../src/model/failure.ts';
import { PROVISIONAL, provisionalOf, UNWINDS } from '../../src/model/provisional.ts';
import { ok } from '../../src/model/result.ts';
import type { CheckResult, Problem, Verdict } from '../../src/model/verdict.ts';
import { readBaseline } from '../../src/verify/baseline.ts';
import { count, isTrue, itemsIn, lands } from './ledger.ts';
import { writes } from '../../src/loop/performers/write.ts';
import type { Life } from './life.ts';
import { addCommit, changedBetween, headOf, history, idOf, withFiles, type Tree } from './repository.ts';
import { patched } from './patch.ts';
import { simulatedCloses, simulatedTurns } from './turns.ts';

type A<K extends keyof Actions> = Performer<ActionOf<Actions, K>, Actions[K][1]>;

export function simulatedPerformers(lane: Lane, life: Life, mailbox: Mailbox): Performers<Actions> {
  const own: Performers<Actions> = {
    survey: surveys(lane),
    ask: asks(lane),
    wait: waits(lane),
    publish: publishes(lane),
    write: writes(lane),
    remember: remembering(lane, life),
    procedure: procedures(lane, () => all),
    item: items(lane, () => all, mailbox),
    // No program is looked for: real time would pass, and nobody is installed.
    'choose-agent': choosesAgents(lane, () => Promise.resolve(ok(null))),
    session: simulatedTurns(lane, life),
    close: simulatedCloses(lane, life),
    check: checks(lane, life),
    strength: strengths(lane, life),
    checkpoint: checkpoints(lane, life),
    rollback: rollbacks(lane, life),
    restore: restores(lane, life),
    tidy: { perform: async () => Promise.reject(new Error('no workflow is simulated')), probe: repeatable },
    commit: commits(lane, life),
    push: { perform: async () => ({ pushed: false, remote: null, failure: null }), probe: repeatable },
    merge: { perform: async () => Promise.reject(new Error('no remote is simulated')), probe: repeatable },
    unwind: unwinds(lane, life),
    patch: patches(lane, life),
    stash: stashes(lane, life),
  };
  const all = life.mission.mutant.performers?.(own, life) ?? own;
  return all;
}

/** What a person allowed on top counts for the rule about budgets from the moment it is written. */
const remembering = (lane: Lane, { mission: { ledger, stateDir } }: Life): A<'remember'> => {
  const real = memories(lane);
  return {
    ...real,
    async perform(ask, context) {
      const done = await real.perform(ask, context);
      const file = join(stateDir, 'costs.yaml');
      const costs = ask.what === 'budget' ? readCosts(readFileSync(file, 'utf8'), file) : null;
      if (costs?.ok === true) ledger.raised = costs.value?.raised ?? [];
      return done;
    },
  };
};

const testOf = (item: string): string => `tests/f${item}.test`;
const idOfTest = (item: string): string => `tap|${testOf(item)}|works`;
const itemOfTest = (test: string): string => /f(\d+)\.test/.exec(test)?.[1] ?? '';

/** How long it takes is a matter of chance; what comes of it is not: asked again after a crash it says the same. */
const checks = (lane: Lane, { mission }: Life): A<'check'> => ({
  async perform(ask, { token, signal }) {
    const tree = mission.repo.work;
    const files = baselineFiles(lane);
    const baseline = readBaseline(ask.session === null ? files.shown : files.kept);
    if (!baseline.ok) return { blocked: baseline.failure };
    const results: CheckResult[] = [];
    const problems: Problem[] = [];
    let regressions: readonly string[] = [];
    let passing: string | null = null;
    let tests: Verdict['tests'] = null;
    for (const check of ask.checks) {
      await lane.sleep((5 + luck(mission.seed, `${token} ${check.name}`) * 55) * 1_000, signal);
      if (signal.aborted) return { parked: 'stopped' };
      const found = look(check, tree, baseline.value?.passing_tests ?? [], `${token} ${check.name}`, mission.seed);
      results.push(found.result);
      if (found.tests) ({ tests } = found);
      if (found.passing) {
        const folder = join(lane.privateDir, 'evidence', fileName(token));
        mkdirSync(folder, { recursive: true });
        passing = join(folder, 'passing.json');
        lane.io.replace(passing, JSON.stringify(found.passing));
      }
      regressions = [...regressions, ...found.regressions];
      if (check.weight !== 'warn') problems.push(...found.problems);
      if (ask.goesOn !== true && check.weight !== 'warn' && found.problems.length > 0) break;
    }
    const verdict: Verdict = {
      holds: problems.length === 0,
      problems,
      warnings: [],
      checks: results,
      tests,
      regressions,
      flaky: [],
      tampering: [],
      sandbox: 'none',
      tree: idOf(tree),
      evidence: 'evidence',
      passing,
    };
    mission.trees.set(verdict.tree, tree);
    mission.later?.();
    mission.later = null;
    return verdict;
  },
  probe: repeatable,
});

const luck = (seed: number, about: string): number =>
  Number.parseInt(sha256(`${seed} ${about}`).slice(0, 8), 16) / 0x1_0000_0000;

function look(check: CheckSpec, tree: Tree, known: readonly string[], about: string, seed: number) {
  const own = itemOfTest(check.command);
  const isSuite = check.name === 'full';
  const ids = isSuite ? itemsIn(tree).map((one) => String(one.id)) : own === '' ? [] : [own];
  const passed = ids.filter((id) => isTrue(tree, id));
  const regressions = isSuite ? known.filter((test) => !isTrue(tree, itemOfTest(test))) : [];
  const isBad =
    check.weight === 'environment'
      ? luck(seed, about) < 0.02
      : isSuite
        ? regressions.length > 0
        : own !== '' && passed.length === 0;
  const problems: Problem[] = !isBad
    ? []
    : [
        isSuite
          ? { code: 'regression', params: { count: regressions.length }, ids: regressions }
          : { code: own === '' ? 'check-failed' : 'tests-failed', params: { count: 1, check: check.name } },
      ];
  const counts = { total: ids.length, passed: passed.length, failed: ids.length - passed.length, skipped: 0 };
  const result: CheckResult = {
    name: check.name,
    command: check.command,
    passed: !isBad,
    exit: isBad || counts.failed > 0 ? 1 : 0,
    ms: 1_000,
    tests: ids.length > 0 ? counts : null,
    tail: `${passed.length} passed`,
  };
  return {
    result,
    problems,
    regressions,
    tests: ids.length > 0 ? counts : null,
    passing: isSuite ? passed.map(idOfTest) : null,
  };
}

const strengths = (lane: Lane, { mission }: Life): A<'strength'> => ({
  async perform(_ask, { token, signal }): Promise<StrengthOutcome | { parked: string }> {
    await lane.sleep(20_000, signal);
    if (signal.aborted) return { parked: 'stopped' };
    const came = luck(mission.seed, token);
    const one = (code: Problem['code']): readonly Problem[] => [{ code, params: { count: 1 } }];
    return {
      problems: came < 0.03 ? one('test-notices-nothing') : [],
      doubts: came > 0.93 ? one('guarded-file-changed') : [],
      warnings: [],
      proofs: [],
      evidence: 'proofs',
    };
  },
  probe: repeatable,
});

const checkpoints = (lane: Lane, { mission: { repo } }: Life): A<'checkpoint'> => ({
  async perform({ session, item, why, of }, { token }) {
    const id = sha256(token).slice(0, 12);
    const ref = `refs/harness/checkpoints/${id}`;
    const commit = of === undefined ? null : of === 'HEAD' ? headOf(repo) : repo.commits.get(of)!;
    const at = commit === null ? { tree: repo.work, head: repo.head } : { tree: commit.tree, head: commit.id };
    await lane.io.effect('git checkpoint', async () => void repo.refs.set(ref, at));
    const { head } = at;
    const checkpoint: Checkpoint = { id, ref, commit: ref, tree: idOf(at.tree), head, branch: 'main' };
    const written = await writeCheckpointRecord(lane, checkpoint, { session, item, why });
    return written.ok ? checkpoint : { blocked: written.failure };
  },
  probe: repeatable,
});

/** What stands in the work tree now and not in the checkpoint, by who takes it back. */
function keepAttempt({ mission: { repo } }: Life, token: string, base: Tree, why: string): string | null {
  if (changedBetween(base, repo.work).length === 0) return repo.attempts.get(token)?.ref ?? null;
  const ref = `refs/harness/attempts/${sha256(token).slice(0, 12)}`;
  repo.attempts.set(repo.attempts.has(token) ? `${token} ${idOf(repo.work)}` : token, { ref, tree: repo.work, why });
  return ref;
}

const rollbacks = (lane: Lane, life: Life): A<'rollback'> => ({
  async perform({ checkpoint, why }, { token }) {
    const { repo } = life.mission;
    const before = repo.refs.get(checkpoint.ref)!;
    let attempt: string | null = null;
    await lane.io.effect('git attempt', async () => void (attempt = keepAttempt(life, token, before.tree, why)));
    await lane.io.effect('git restore', async () => {
      repo.work = before.tree;
      repo.head = before.head;
    });
    return { attempt, head: before.head };
  },
  probe: repeatable,
});

const restores = (lane: Lane, { mission: { repo } }: Life): A<'restore'> => ({
  async perform({ checkpoint, paths }) {
    const before = repo.refs.get(checkpoint.ref)!.tree;
    const texts = Object.fromEntries(paths.map((path) => [path, before.get(path) ?? null]));
    await lane.io.effect('restore files', async () => void (repo.work = withFiles(repo.work, texts)));
    return { restored: paths };
  },
  probe: repeatable,
});

const commits = (lane: Lane, life: Life): A<'commit'> => ({
  async perform(
    { style, item, session, subject, tree, only, edit, checkpoint, unwinds: isUnwinding },
    { token },
  ): Promise<CommitOutcome> {
    const { repo, ledger, mutant, trees } = life.mission;
    const mark = sha256(token).slice(0, 20);
    for (const commit of history(repo))
      if (commit.trailers['Harness-Token'] === mark)
        return { commit: commit.id, tree: idOf(commit.tree), refused: null };
    if (checkpoint !== null && repo.head !== checkpoint.head)
      await lane.io.effect('squash the agent', async () => {
        keepAttempt(life, `${token} commits`, new Map(), 'commits of the agent');
        repo.head = checkpoint.head;
      });
    const files = edit === null ? {} : await lane.playbook.edits[edit.name]!(lane.world, edit.input);
    const verified = tree === null ? null : trees.get(tree);
    if (verified) {
      const ids = changedBetween(verified, repo.work).filter((path) => !(path in files));
      if (ids.length > 0 && mutant.takesAnyTree !== true)
        return { commit: null, tree: '', refused: { code: 'tree-changed-since-check', params: {}, ids } };
    }
    const parent = style === 'accept' ? baseFor(life, item) : headOf(repo);
    const whole = withFiles(repo.work, files);
    const some = only === null ? null : withFiles(headOf(repo).tree, { ...pick(repo.work, only), ...files });
    const next = some ?? whole;
    let made: string | null = null;
    await lane.io.effect('git commit', async () => {
      repo.work = whole;
      if (style !== 'accept' && changedBetween(next, parent.tree).length === 0) return;
      const trailers = {
        ...(item === null ? {} : { 'Harness-Item': item }),
        ...(style === 'provisional' ? { [PROVISIONAL]: item ?? '' } : {}),
        ...(isUnwinding === true ? { [UNWINDS]: item ?? '' } : {}),
        'Harness-Session': String(session),
        'Harness-Token': mark,
      };
      const commit = addCommit(repo, { tree: next, subject, at: lane.clock.iso(), trailers }, parent.id);
      made = commit.id;
      if (style === 'accept') lands(ledger, repo, commit, item ?? '', session);
    });
    return { commit: made, tree: idOf(next), refused: null };
  },
  probe: repeatable,
});

const pick = (tree: Tree, paths: readonly string[]): { readonly [path: string]: string | null } =>
  Object.fromEntries(paths.map((path) => [path, tree.get(path) ?? null]));

/** What the provisional commits of the item stand on. */
function baseFor({ mission: { repo } }: Life, item: string | null) {
  for (const commit of history(repo)) if (commit.trailers[PROVISIONAL] !== item) return commit;
  return headOf(repo);
}

/** File by file: git would do it line by line. */
const unwinds = (lane: Lane, life: Life): A<'unwind'> => ({
  async perform({ checkpoint, item, keep }): Promise<UnwindOutcome> {
    const { repo } = life.mission;
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
    count(life.mission.ledger.acts, 'unwound');
    await lane.io.effect('unwind', async () => {
      repo.work = tree;
      life.mission.trees.set(idOf(tree), tree);
    });
    return { tree: idOf(tree), count: commits.length, failure: null };
  },
  probe: repeatable,
});

const patches = (lane: Lane, life: Life): A<'patch'> => ({
  async perform({ checkpoint, diff, paths }, { token }): Promise<PatchOutcome> {
    const { repo } = life.mission;
    const before = repo.refs.get(checkpoint.ref)!.tree;
    const after = patched(before, diff);
    const beyond = after === null ? [] : changedBetween(before, after).filter((path) => !paths.includes(path));
    const why = after === null ? 'patch does not apply' : beyond.length > 0 ? `beyond: ${beyond.join(' ')}` : '';
    const wanted = why === '' && after !== null ? after : before;
    if (changedBetween(repo.work, wanted).length === 0) return { applied: why === '', why };
    await lane.io.effect('git attempt', async () => void keepAttempt(life, token, before, 'patch'));
    await lane.io.effect('git patch', async () => void (repo.work = wanted));
    return { applied: why === '', why };
  },
  probe: repeatable,
});

const stashes = (lane: Lane, life: Life): A<'stash'> => ({
  async perform(_ask, { token }) {
    const { repo } = life.mission;
    await lane.io.effect('git stash', async () => {
      keepAttempt(life, token, headOf(repo).tree, 'stash');
      repo.work = headOf(repo).tree;
    });
    return { stash: 'stash@{0}' };
  },
  probe: repeatable,
});
