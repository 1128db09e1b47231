// A witness of a workflow that knows the specification and not the table of transitions: it counts answers, results of checks and sessions on its
// own, over all runs, and throws an InvariantViolation where the machine differs.
import type { TableState } from '../../src/playbooks/workflow/table/next.ts';
import { phaseOf, type EventName } from '../../src/playbooks/workflow/table/stages.ts';
import { isV1, resolved, type WorkflowFile } from '../../src/playbooks/workflow/file/state.ts';

export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}
export const check = (holds: boolean, what: string): void => {
  if (!holds) throw new InvariantViolation(what);
};

/** The phases that may follow each phase; version 1 has no name for some of them. */
const ARROWS: { readonly [from: string]: readonly string[] } = {
  plan_ready: ['planning'],
  planning: ['plan_done'],
  plan_done: ['generate_ready'],
  generate_ready: ['generating'],
  generating: ['generate_done'],
  generate_done: ['verify_ready'],
  verify_ready: ['verifying'],
  verifying: ['verify_done'],
  verify_done: ['generating', 'verify_ready', 'evaluate_ready'],
  evaluate_ready: ['evaluating'],
  evaluating: ['evaluate_done'],
  evaluate_done: ['generating', 'generate_ready', 'completed'],
  completed: [],
};
/** The stages with sessions before a phase is done, by mode. */
const PLANNED = { single: 'plan', standard: 'propose synthesise', multi: 'propose critique synthesise' };
const GENERATED = { single: 'implement', standard: 'design review implement', multi: 'design review implement' };

const LAYER_1: { readonly [on: string]: string | null } = {
  'layer 1: pass': 'PASS',
  'layer 1: fail': 'FAIL',
  'layer 1: skipped': null,
};
const LAYER_2: { readonly [on: string]: string | null } = {
  'evaluation: pass': 'PASS',
  'layer 2: fail': 'FAIL',
  'layer 3: fail': 'PASS',
  'evaluation: unclear': null,
};
const DECIDED: { readonly [on: string]: string } = {
  'verify: auto-fix': 'proposed',
  'patch: empty': 'rejected',
  'auto-fix: reject': 'rejected',
  'auto-fix: stop': 'rejected',
  'patch: refused': 'rejected',
  'patch: applied': 'applied',
};
/** Events that a run may stop on. */
const STOPS: readonly EventName[] = [
  'spec: stop',
  'verify: stop',
  'auto-fix: stop',
  'qa: stop',
  'failed',
  'verdict: none',
  'evaluation: void',
  'refused',
];
const CONVENTIONS: { readonly [on: string]: string | null } = {
  'conventions: found': 'file:.harness/conventions.md',
  'conventions: none': null,
  'conventions: skip': 'skipped',
  'scan: skip': 'skipped',
};

/** Counts answers and results on its own, over all runs. */
export function witnessOf(first: WorkflowFile) {
  const start = resolved(first);
  const now = {
    isConfirmed: start.phase !== 'plan_ready',
    isVerified: false,
    isPatched: false,
    proposals: 0,
    patches: 0,
    retries: start.verify.layer1_retries,
    layer1: start.verify.layer1_result as string | null,
    layer2: start.verify.layer2_result as string | null,
    layer2Retries: 0,
    round: start.round,
    conventions: start.conventions,
    applied: (start.autofix?.applied ?? null) as string | null,
    /** In a row, in one stage. */
    failures: 0,
    revisions: 0,
    sent: [] as string[],
    wasResumed: true,
  };
  const skipsVerify = isV1(first) && (first.verify ?? null) === null;

  function count(s: TableState, on: EventName): void {
    const { stage } = s.at;
    if (on === 'spec: proceed') now.isConfirmed = true;
    if (on === 'verify: continue') now.isVerified = true;
    if (on === 'verify: auto-fix') now.proposals += 1;
    if (on === 'patch: applied') Object.assign(now, { patches: now.patches + 1, isPatched: true, isVerified: false });
    if (on in DECIDED) now.applied = DECIDED[on] ?? null;
    if (stage === 'reverify' && on === 'layer 1: fail') now.applied = 'stopped';
    now.failures = on === 'failed' || on === 'evaluation: void' ? now.failures + 1 : 0;
    if (on === 'spec: modify') now.revisions += 1;
    if (on in LAYER_1)
      Object.assign(now, { layer1: LAYER_1[on], isVerified: on !== 'layer 1: fail', isPatched: false });
    if (on in LAYER_2) now.layer2 = LAYER_2[on] ?? null;
    if (on in CONVENTIONS) now.conventions = CONVENTIONS[on] ?? null;
    if (stage === 'scan') now.conventions = on === 'written' ? 'file:.harness/conventions.md' : now.conventions;
    if (on === 'begin') Object.assign(now, { sent: [], wasResumed: false });
    if (on === 'begin' && stage === 'evaluate-ready') now.layer2 = null;
    if (on === 'written') now.sent.push(stage);
    if (on === 'qa: fix')
      Object.assign(now, { round: now.round + 1, retries: 0, layer1: null, layer2: null, layer2Retries: 0 });
  }

  /** What must hold in a stage, however it was reached. */
  function holds(on: EventName | null, { file, at: { stage }, mem }: TableState): void {
    const state = resolved(file);
    const phase = phaseOf(stage);
    if (phase === 'planning') now.isConfirmed = false;
    if (phase === 'generating') Object.assign(now, { isVerified: false, isPatched: false });
    if (phase === 'generate_ready' || phase === 'generating')
      check(now.isConfirmed, 'code is written for a spec that was not confirmed');
    if (stage === 'evaluate-ready')
      check(now.isVerified || skipsVerify, 'it evaluates what Layer 1 did not pass and the user did not accept');
    if (stage === 'apply-patch') check(on === 'auto-fix: apply', 'a patch is applied without a choice of the user');
    if (stage === 'clean-up') {
      check(on?.startsWith('commit: ') === true || state.has_git === false, 'it finishes without a choice of the user');
      check(mem.finish === (on?.startsWith('commit: ') === true ? on.slice(8) : null), 'the choice is lost');
    }
    check(!(skipsVerify && phase?.startsWith('verif') === true), 'it verifies where there is no verify step');
    if (stage.startsWith('reverify')) check(now.isPatched, 'it verifies a patch that is not there');
    if (stage.startsWith('verify-ready') || stage === 'verify') check(!now.isPatched, 'it takes a patch for a retry');
    if (stage === 'verify-done' || stage === 'verify-gate')
      check(state.verify.layer1_result === (skipsVerify ? null : now.layer1), 'what Layer 1 found is not in the file');
    if ((stage === 'evaluate-done' || stage === 'verdict') && !isV1(file))
      check(state.verify.layer2_result === now.layer2, 'what Layer 2 found is not in the file');
    if (stage === 'plan-ready' && !isV1(file))
      check(state.conventions === now.conventions, 'conventions are not in the file');
    if (phase !== null && !skipsVerify)
      check(state.verify.layer1_retries === now.retries, 'Layer 1 retries are miscounted');
    check(state.round === now.round, 'rounds are miscounted');
    check((state.autofix?.applied ?? null) === now.applied, 'what became of the auto-fix is not in the file');
    if (now.wasResumed) return;
    if (stage === 'plan-done')
      check(now.sent.join(' ') === PLANNED[state.mode], `it planned with ${now.sent.join(' ')}`);
    if (stage === 'generate-done')
      check(now.sent.join(' ') === GENERATED[state.mode], `it wrote with ${now.sent.join(' ')}`);
    if (stage === 'retry-done') check(now.sent.at(-1) === 'retry', 'a retry sent no session');
  }

  function ended(s: TableState, on: EventName, to: TableState): void {
    const { stage } = to.at;
    if (on === 'failed' && s.at.stage !== 'scan')
      check(stage === s.at.stage || (stage === 'stopped' && now.failures === 3), 'what failed is taken for done');
    else if (on === 'evaluation: void')
      check(
        stage === (now.failures === 1 ? 'evaluate' : to.mem.style === 'auto' ? 'qa-gate' : 'stopped'),
        'a void verdict is taken for one',
      );
    else check(stage !== s.at.stage, `${stage} leads to itself`);
    if (on in LAYER_2) check(stage === 'evaluate-done', 'the evaluation is not recorded as done');
    if (stage === 'done') check(on === 'finished', `${on} is taken for the end`);
    if (stage === 'stopped') check(STOPS.includes(on) && to.mem.why !== '', `it stops on ${on}: ${to.mem.why}`);
    else check(!on.endsWith(': stop') && to.mem.why === '', 'it continues after a stop');
    if (stage === 'session-end') {
      check(
        to.mem.style !== 'auto' && (s.at.stage.endsWith('-done') || on === 'verify: continue'),
        'it ends in the middle',
      );
      check(!(s.at.stage === 'retry-done'), 'it ends in the middle of a retry');
    }
    if (on === 'proceed' && to.mem.style !== 'auto' && /^(plan|generate|evaluate)-done$/.test(s.at.stage))
      check(stage === 'session-end', 'it continues where its style ends');
    if (on === 'verify: continue') check(resolved(to.file).phase === 'evaluate_ready', 'the answer is lost');
  }

  return {
    saw(s: TableState, on: EventName, to: TableState): void {
      const [before, after] = [phaseOf(s.at.stage), phaseOf(to.at.stage)];
      const isArrow = after === null || before === after || ARROWS[before ?? '']?.includes(after) === true;
      check(isArrow || (skipsVerify && after === 'evaluate_ready'), `${String(before)} leads to ${String(after)}`);
      const isIdle = on === 'begin' && before === after;
      check(!isIdle, `${s.at.stage} begins nothing`);
      count(s, on);
      if (s.at.stage === 'generate-done' && to.at.stage !== 'session-end') now.retries = 0;
      if (to.at.stage === 'retry' && s.at.stage === 'verify-done') now.retries += 1;
      if (to.at.stage === 'retry' && s.at.stage === 'verdict') now.layer2Retries += 1;
      if (s.at.stage === 'scan' && on === 'failed' && to.at.stage === 'plan-ready') now.conventions = 'skipped';
      holds(on, to);
      check(now.proposals <= 1 && now.patches <= 1, 'auto-fix is tried more than once in a session');
      check(now.retries <= 3, 'Layer 1 is retried more than three times');
      check(now.layer2Retries <= 2, 'Layer 2 is retried more than twice in a round');
      check(now.round <= start.max_rounds, 'there are more rounds than max_rounds');
      check(now.failures <= 3 && now.revisions <= 10, 'it tries for ever');
      ended(s, on, to);
      if (to.at.stage === 'completed' && s.at.stage !== 'completed') {
        const failedLayer2 = now.layer2 === 'FAIL' && !isV1(to.file);
        const isLast = now.round === start.max_rounds && (now.layer2Retries === 2 || !failedLayer2);
        const isPassed = on === 'verdict: pass' && !failedLayer2;
        check(isPassed || on === 'qa: accept' || (on === 'verdict: fail' && isLast), `${on} completes it`);
      }
    },
    resumed(s: TableState, to: TableState): void {
      const { autofix, verify, phase, conventions } = resolved(s.file);
      const { stage } = to.at;
      if (stage === 'plan-ready' || stage === 'spec-gate') now.isConfirmed = false;
      if (stage === 'verify-ready') Object.assign(now, { retries: 0, isPatched: false });
      if (stage === 'verify-gate') now.retries = Math.min(now.retries, 3);
      if (stage === 'reverify-ready') {
        check(autofix?.applied === 'applied', 'it verifies a patch that was not applied');
        check(resolved(to.file).verify.layer1_retries === verify.layer1_retries, 'retries are reset after a patch');
        now.isPatched = true;
      }
      Object.assign(now, { wasResumed: true, failures: 0, revisions: 0 });
      now.conventions = conventions;
      if (isV1(s.file)) now.layer2 = null;
      holds(null, to);
      if (phase === 'verify_done' && autofix?.applied === 'proposed')
        check(['auto-fix-gate', 'propose-fix'].includes(stage), 'I3: an open 2nd gate is not gone back to');
    },
  };
}
