// Random walks through the table: runs that end, crash at any moment and restart from the file alone. A bias makes a walk reach deep states, since
// uniform choices stay shallow. The witness checks what must hold.
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { broken } from './workflow-invariants.ts';
import { entered, type Interpreter, type TableState } from '../../src/playbooks/workflow/table/next.ts';
import { resumed, styleOf, type StartFacts } from '../../src/playbooks/workflow/table/resume.ts';
import { newCounters } from '../../src/playbooks/workflow/table/counters.ts';
import {
  eventsIn,
  phaseOf,
  STAGE_NAMES,
  type EventName,
  type StageName,
} from '../../src/playbooks/workflow/table/stages.ts';
import {
  isV1,
  MODES,
  resolved,
  workflowFileSchema,
  type WorkflowFile,
} from '../../src/playbooks/workflow/file/state.ts';
import { check, witnessOf } from './workflow-witness.ts';
import { NOW, stateIn, v1In } from './workflow.ts';
import { STEPS } from '../../src/playbooks/workflow/file/run-options.ts';

/** Events that a biased walk prefers, in any stage or in one. */
type Wish = EventName | `${StageName} > ${EventName}`;
const GOOD: readonly Wish[] = [
  'written',
  'spec: proceed',
  'layer 1: pass',
  'evaluation: pass',
  'verdict: pass',
  'patch: written',
  'patch: applied',
  'auto-fix: apply',
];
const BIASES: { readonly [bias: string]: readonly Wish[] } = {
  good: GOOD,
  'Layer 1 fails': ['layer 1: fail', 'verify: continue', 'verdict: fail', 'layer 3: fail', 'qa: fix', ...GOOD],
  'auto-fix helps': [
    'reverify > layer 1: pass',
    'layer 1: fail',
    'verify: auto-fix',
    'layer 3: fail',
    'qa: fix',
    ...GOOD,
  ],
  'auto-fix does not help': ['layer 1: fail', 'verify: auto-fix', 'verify: continue', 'verdict: fail', ...GOOD],
  'auto-fix is refused': ['layer 1: fail', 'verify: auto-fix', 'auto-fix: reject', 'verify: continue', ...GOOD],
  'auto-fix does not fit': ['layer 1: fail', 'verify: auto-fix', 'patch: written', 'patch: refused', ...GOOD],
  'auto-fix is empty': ['layer 1: fail', 'verify: auto-fix', 'patch: empty', 'verify: continue', ...GOOD],
  'a person stops': ['layer 1: fail', 'verify: auto-fix', 'auto-fix: stop', 'verify: stop', ...GOOD],
  'a person modifies': ['spec: modify', ...GOOD],
  'line and report differ': ['layer 2: fail', 'verdict: pass', ...GOOD],
  'Layer 2 fails': ['layer 2: fail', 'verdict: fail', 'qa: fix', ...GOOD],
  'Layer 3 fails': ['layer 3: fail', 'verdict: fail', 'qa: fix', ...GOOD],
  'nothing is written': ['failed', 'scan: retry', 'conventions: none', 'conventions: scan', 'spec: modify', ...GOOD],
  'the evaluator changes the work': ['evaluation: void', 'qa: fix', ...GOOD],
  unclear: ['evaluation: unclear', 'layer 1: skipped', 'verdict: fail', ...GOOD],
};

/** New tasks, those of version 1, and some whose spec is confirmed. */
const STARTS: readonly (readonly [StageName, WorkflowFile])[] = [
  ...MODES.flatMap((mode): [StageName, WorkflowFile][] => [
    ['conventions', stateIn('plan_ready', { mode, conventions: null })],
    ['conventions', stateIn('plan_ready', { mode, conventions: null, run_style: 'phase', max_rounds: 2 })],
    ['generate-ready', stateIn('generate_ready', { mode, max_rounds: 2 })],
    ['verify-ready', stateIn('verify_ready', { mode, verify: { layer1_retries: 2 } })],
    ['verify-gate', stateIn('verify_done', { mode, verify: { layer1_result: 'FAIL', layer1_retries: 3 } })],
  ]),
  ['conventions', stateIn('plan_ready', { has_git: false, max_rounds: 2 })],
  ['plan-ready', v1In('plan_ready')],
  ['plan-ready', v1In('plan_ready', { verify: null })],
];
/** All documents of a session exist, or none. */
export const allOrNothing = (all: boolean): StartFacts => ({
  spec: all,
  changes: all,
  verifyReport: all,
  report: all,
  conventions: all,
  patch: all,
  hasGit: true,
  isDocsPathValid: true,
});
const THERE = allOrNothing(true);

export type Walk = {
  readonly start: number;
  readonly bias: string;
  readonly picks: readonly number[];
  /** The run crashes at these steps, and when it first comes to this stage. */
  readonly crashes: readonly number[];
  readonly crashesIn: StageName;
  readonly facts: readonly StartFacts[];
  readonly steps: readonly (null | (typeof STEPS)[number])[];
};
/** Stages where a crash is of more interest than elsewhere. */
const RARE: readonly StageName[] = [
  'propose-fix',
  'auto-fix-gate',
  'apply-patch',
  'reverify-ready',
  'reverify',
  'evaluate',
];
export const WALKS: fc.Arbitrary<Walk> = fc.record({
  start: fc.nat(STARTS.length - 1),
  bias: fc.constantFrom(...Object.keys(BIASES)),
  picks: fc.array(fc.nat(999), { minLength: 60, maxLength: 60 }),
  crashes: fc.array(fc.nat(150), { maxLength: 4 }),
  crashesIn: fc.constantFrom(...STAGE_NAMES, ...RARE, ...RARE),
  facts: fc.array(
    fc
      .record({ spec: fc.boolean(), report: fc.boolean(), conventions: fc.boolean(), patch: fc.boolean() })
      .map((some) => ({
        ...THERE,
        ...some,
      })),
    { minLength: 3, maxLength: 3 },
  ),
  steps: fc.array(fc.constantFrom(null, null, null, ...STEPS), { minLength: 3, maxLength: 3 }),
});

export type Coverage = {
  readonly stages: Map<StageName, number>;
  readonly events: Map<string, number>;
  /** Where runs continued from the file alone. */
  readonly resumed: Map<string, number>;
  steps: number;
  longest: number;
};
export const noCoverage = (): Coverage => ({
  stages: new Map(),
  events: new Map(),
  resumed: new Map(),
  steps: 0,
  longest: 0,
});
const count = <K>(map: Map<K, number>, key: K): void => void map.set(key, (map.get(key) ?? 0) + 1);

/** Runs of a walk, at most. */
const SESSIONS = 8;
/** No run of three rounds has more steps (longestRun). */
export const BOUND = 281;

/** Plays a walk; throws an InvariantViolation where something does not hold. */
export function walk(machine: Interpreter, given: Walk, coverage: Coverage): void {
  const [stage, first] = STARTS[given.start % STARTS.length] as (typeof STARTS)[number];
  let s = entered(first, stage, newCounters(styleOf(first, null)));
  const witness = witnessOf(first);
  let n = 0;
  let hasCrashed = false;
  const doesCrash = (): boolean => {
    const isThere = s.at.stage === given.crashesIn && !hasCrashed;
    hasCrashed ||= isThere;
    return isThere || given.crashes.includes(n);
  };
  for (let session = 0; session < SESSIONS; session += 1) {
    let steps = 0;
    while (phaseOf(s.at.stage) !== null && !doesCrash()) {
      const pick = given.picks[n % given.picks.length] ?? 0;
      const on = chosen(machine, s, given.bias, pick);
      const after = machine.next(s, { on, at: NOW, line: 'said' });
      check('state' in after, `${s.at.stage} has no way on: ${on} is refused`);
      if (!('state' in after)) return;
      refusesOthers(machine, s, pick);
      witness.saw(s, on, after.state);
      sound(machine, after.state);
      s = after.state;
      n += 1;
      steps += 1;
      coverage.steps += 1;
      count(coverage.stages, s.at.stage);
      count(coverage.events, `${on} → ${s.at.stage}`);
      if (on === 'verdict: fail' && resolved(s.file).verify.layer2_retries === 2)
        count(coverage.events, 'Layer 2 exhausted');
      if (on === 'qa: fix' && resolved(s.file).round === 3) count(coverage.events, 'a third round');
      check(steps <= BOUND, `a session did not end within ${BOUND} steps, now in ${s.at.stage}`);
    }
    coverage.longest = Math.max(coverage.longest, steps);
    if (s.at.stage === 'done') return;
    n += 1; // the crash of this step is over
    const facts = given.facts[session % given.facts.length] ?? THERE;
    const again = resumed(s.file, facts, given.steps[session % given.steps.length] ?? null);
    if (typeof again === 'string') {
      if (again === 'set-up') return;
      continue; // the step needs another first
    }
    witness.resumed(s, again.s);
    sound(machine, again.s);
    count(
      coverage.resumed,
      `${resolved(s.file).phase} ${resolved(s.file).autofix?.applied ?? 'none'} → ${again.s.at.stage}`,
    );
    ({ s } = again);
  }
}

function chosen(machine: Interpreter, s: TableState, bias: string, pick: number): EventName {
  const events = eventsIn(s.at.stage);
  const open = events.filter((on) => 'state' in machine.next(s, { on, at: NOW }));
  check(open.length > 0, `${s.at.stage} is stuck`);
  const hidden = events.filter((on) => !open.includes(on));
  const known: readonly string[] = ['spec: modify', 'verify: auto-fix', 'qa: fix', 'qa: stop'];
  check(
    hidden.every((on) => known.includes(on)),
    `${s.at.stage} does not take ${hidden.join()}`,
  );
  const wishes: readonly string[] = pick % 10 < 9 ? (BIASES[bias] ?? []) : [];
  const rank = (on: EventName): number => wishes.findIndex((wish) => wish === on || wish === `${s.at.stage} > ${on}`);
  const [wished] = open.filter((on) => rank(on) >= 0).sort((a, b) => rank(a) - rank(b));
  return wished ?? (open[pick % open.length] as EventName);
}

/** An event of another stage is refused and changes nothing: a late answer passes no gate. */
function refusesOthers(machine: Interpreter, s: TableState, pick: number): void {
  const stage = STAGE_NAMES[pick % STAGE_NAMES.length] as StageName;
  for (const on of eventsIn(stage)) {
    if (eventsIn(s.at.stage).includes(on)) continue;
    check('refused' in machine.next(s, { on, at: NOW }), `${s.at.stage} takes ${on}, which is no event of its own`);
  }
}

function sound(machine: Interpreter, s: TableState): void {
  const { file, at } = s;
  const claims = isV1(file) ? [] : broken(file);
  check(claims.length === 0, `in ${at.stage}: ${claims.join('; ')}`);
  check(
    isDeepStrictEqual(workflowFileSchema.parse(file), file),
    `in ${at.stage} the file is not what the schema reads`,
  );
  const phase = phaseOf(at.stage);
  if (phase !== null && !isV1(file)) check(file.phase === phase, `in ${at.stage} the file says ${String(file.phase)}`);
  if (isV1(file)) check(!('version' in file) && !('autofix' in file), 'a v1 file became one of 2.0');
  const asked = machine.question(s);
  check(isDeepStrictEqual(machine.question(s), asked), `in ${at.stage} the same state has another question`);
  if (asked?.gate !== 'verify') return;
  const { verify, autofix } = resolved(file);
  const isOffered = !isV1(file) && !verify.autofix_attempted && autofix === null;
  check(asked.options.includes('auto-fix') === isOffered, `I2: auto-fix is ${isOffered ? 'hidden' : 'offered'}`);
}
