// The rules of a workflow, each at the act that can break it or between two runs. None believes what the machine says of itself: they
// go by who was sent, what the checks found, what people answered, and which files exist.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Performers } from '../../../src/engine/types.ts';
import type { Actions, SessionAsk } from '../../../src/model/action.ts';
import { verdictOf } from '../../../src/playbooks/workflow/project/reports.ts';
import { broken } from '../../support/workflow-invariants.ts';
import { readState } from '../../../src/playbooks/workflow/file/read.ts';
import { resolved, type WorkflowState } from '../../../src/playbooks/workflow/file/state.ts';
import { InvariantViolation } from '../invariant-violation.ts';
import type { Kind } from '../kind.ts';
import type { Mission } from '../mission.ts';
import { history } from '../repository.ts';
import { DOCS, isBuilt, isDone, ITEM, REPORT, STATE } from './desk.ts';
import { isAllowed, nowMs, stateText, timesSaid, watchOf } from './watch.ts';

const GATE = 'no hard gate is passed without an answer to its last question';

/** An InvariantViolation where it cannot be read, or what it says cannot be. */
function legible(mission: Mission, text: string): WorkflowState {
  const read = readState(text, STATE);
  if (!read.ok || read.value.kind === 'foreign') throw new InvariantViolation('state is legible', JSON.stringify(read));
  const wrong = broken(read.value.file);
  if (wrong.length > 0) throw new InvariantViolation('invariants of state.json', wrong.join(' · '));
  const state = resolved(read.value.file);
  const fixes = timesSaid(mission, 'workflow-qa', 'fix');
  if (state.round > 1 + fixes)
    throw new InvariantViolation(GATE, `round ${state.round}, and "fix" was said ${fixes} times`);
  return state;
}

export const written: Kind['written'] = (mission, path, text) => {
  if (!path.endsWith(STATE)) return;
  try {
    legible(mission, text);
  } catch (error) {
    if (error instanceof InvariantViolation) mission.violation ??= error;
    else throw error;
  }
};

/** The proof before a commit, of one session, is no Layer 1: where it fails, because a person changed the code meanwhile, nothing lands. */
export const checked: Kind['checked'] = (mission, { purpose, session }, { holds }) => {
  if (purpose === 'layer-1' && session === null) watchOf(mission).verified = { at: nowMs(mission), holds };
};

/** Before a session starts. */
function mayBegin(mission: Mission, { role }: SessionAsk): void {
  const watch = watchOf(mission);
  const must = (isSo: boolean, how: string): void => {
    if (!isSo) throw new InvariantViolation(GATE, how);
  };
  if (role === 'generator') {
    must(
      isAllowed(mission, 'workflow-spec', ['proceed'], watch.spec),
      'code is written for a spec that was not confirmed',
    );
  }
  if (role === 'auto-fix-proposer') {
    must(isAllowed(mission, 'workflow-verify', ['auto-fix'], watch.verified?.at ?? 0), 'a fix is proposed unasked');
    if (watch.patches.size > 0)
      throw new InvariantViolation('auto-fix is tried once', 'a fix is proposed after one went in');
  }
  if (role === 'evaluator' && hasChecks(mission)) {
    const { verified, built } = watch;
    if (verified === null || verified.at < built)
      throw new InvariantViolation(
        'what is judged was verified',
        'Layer 1 has not seen the code as it was written last',
      );
    must(
      verified.holds || isAllowed(mission, 'workflow-verify', ['continue'], verified.at),
      'it is judged though Layer 1 failed and the user did not accept that',
    );
  }
}

function hasChecks(mission: Mission): boolean {
  const text = stateText(mission);
  const read = text === null ? null : readState(text, STATE);
  if (!read?.ok || read.value.kind === 'foreign') return false; // an agent lies in it at this moment
  const { build_cmd, test_cmd } = resolved(read.value.file);
  return build_cmd !== null || test_cmd !== null;
}

/** When a session starts, and when it has ended. */
function isSeen(mission: Mission, { role }: SessionAsk): void {
  const watch = watchOf(mission);
  const now = nowMs(mission);
  if (role === 'planner' || role === 'synthesis') watch.spec = now;
  if (role === 'generator') watch.built = now;
  if (role === 'auto-fix-proposer') watch.proposed = now;
  if (role === 'evaluator') {
    const found = verdictOf(mission.repo.work.get(REPORT) ?? '');
    watch.judged = found === 'verdict: none' ? watch.judged : { at: now, isGood: found === 'verdict: pass' };
  }
}

export const watching = (
  all: Performers<Actions>,
  { mission }: { readonly mission: Mission },
): Performers<Actions> => ({
  ...all,
  session: {
    ...all.session,
    async perform(ask, context) {
      mayBegin(mission, ask);
      isSeen(mission, ask);
      const outcome = await all.session.perform(ask, context);
      isSeen(mission, ask);
      return outcome;
    },
    // A turn that ended by itself while no process of the harness was running.
    async probe(ask, about) {
      const evidence = await all.session.probe(ask, about);
      if (evidence.found === 'outcome') isSeen(mission, ask);
      return evidence;
    },
  },
  patch: {
    ...all.patch,
    async perform(ask, context) {
      const watch = watchOf(mission);
      if (!isAllowed(mission, 'workflow-auto-fix', ['apply'], watch.proposed))
        throw new InvariantViolation(GATE, 'a fix is applied without a choice of the user');
      const done = await all.patch.perform(ask, context);
      if ('applied' in done && done.applied) {
        watch.patches.add(context.token);
        watch.built = nowMs(mission);
      }
      if (watch.patches.size > 1)
        throw new InvariantViolation('auto-fix is tried once', `${watch.patches.size} went in`);
      return done;
    },
  },
});

/** What is committed was chosen so, once; and what is said to be proved passes Layer 1 in the very tree. */
export const lands: Kind['lands'] = (mission, { commit, item, session, isProved }) => {
  const { repo, ledger } = mission;
  const watch = watchOf(mission);
  if (!isAllowed(mission, 'workflow-commit', ['code-only', 'all'], Math.max(watch.built, watch.judged?.at ?? 0)))
    throw new InvariantViolation(GATE, 'it is committed without a choice of the user');
  const mine = [...history(repo)].filter(({ trailers }) => trailers['Harness-Item'] === ITEM);
  if (mine.length > 1 || ledger.landed.length > 0)
    throw new InvariantViolation('nothing lands twice', `session ${session}`);
  const { round, max_rounds: most, build_cmd, test_cmd } = legible(mission, stateText(mission) ?? '');
  const passes = (test_cmd === null || isDone(commit.tree)) && (build_cmd === null || isBuilt(commit.tree));
  if (isProved && !(passes && watch.verified?.holds === true))
    throw new InvariantViolation(
      'what lands is true',
      'it is said to be proved, and Layer 1 fails in what was committed',
    );
  const isJudged = watch.judged?.isGood === true || round >= most;
  if (!isJudged && !isAllowed(mission, 'workflow-qa', ['accept'], watch.judged?.at ?? 0))
    throw new InvariantViolation(GATE, 'it was judged to fail and the user did not accept it');
  ledger.landed.push({ item, session, commit: commit.id });
};

const AWAY = ['planner', 'generator', 'autofix_pre_apply', 'conventions.md'];

export const afterLife: Kind['afterLife'] = (mission, ended) => {
  const text = stateText(mission);
  const { forged } = watchOf(mission);
  const isCut = ended.end === 'died' || ended.end === 'stopped';
  if (text !== null && forged.has(text)) {
    // It is put back when the next run begins.
    if (!isCut)
      throw new InvariantViolation('nobody but the harness writes state.json', `an agent's lies there: ${text}`);
    return;
  }
  if (text !== null) return void legible(mission, text);
  if (!isAllowed(mission, 'workflow-commit', ['code-only', 'all', 'none'], watchOf(mission).built))
    throw new InvariantViolation(GATE, 'it is over without a choice of the user');
  if (ended.end !== 'verdict') return;
  const left = AWAY.filter((name) => existsSync(join(mission.stateDir, name)));
  if (left.length > 0) throw new InvariantViolation('nothing is left of what is over', left.join(' '));
  const papers = [...mission.repo.work.keys()].filter((path) => path.startsWith(DOCS));
  const isBare = isAllowed(mission, 'workflow-commit', ['code-only'], 0);
  if (isBare && papers.length > 0) throw new InvariantViolation('nothing is left of what is over', papers.join(' '));
};
