// Whole lives of a workflow by chance: sessions that end, die at any moment and begin anew from the file alone. A mood biases a walk, since
// uniform choices stay shallow. What must hold is kept by the witness.
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { broken } from '../../src/playbooks/workflow/table/invariants.ts';
import { entered, type Interpreter, type S } from '../../src/playbooks/workflow/table/next.ts';
import { resumed, styleOf, type Facts } from '../../src/playbooks/workflow/table/resume.ts';
import { freshMem, STEPS } from '../../src/playbooks/workflow/table/mem.ts';
import {
  heardIn,
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

/** What a mood would rather have happen, anywhere or in one stage. */
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
const MOODS: { readonly [mood: string]: readonly Wish[] } = {
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
  unclear: ['evaluation: unclear', 'layer 1: skipped', 'verdict: fail', ...GOOD],
};

/** Fresh sessions, those of v1, and some that a person confirmed the spec of before. */
const BEGINS: readonly (readonly [StageName, WorkflowFile])[] = [
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
/** Everything that a session could have left lies there, or nothing of it. */
export const allOrNothing = (all: boolean): Facts => ({
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
  readonly begin: number;
  readonly mood: string;
  readonly picks: readonly number[];
  /** At these steps the session dies, and when it first comes to this stage. */
  readonly deaths: readonly number[];
  readonly diesIn: StageName;
  readonly facts: readonly Facts[];
  readonly steps: readonly (null | (typeof STEPS)[number])[];
};
/** Where a death is worth more than elsewhere. */
const RARE: readonly StageName[] = [
  'propose-fix',
  'auto-fix-gate',
  'apply-patch',
  'reverify-ready',
  'reverify',
  'evaluate',
];
export const WALKS: fc.Arbitrary<Walk> = fc.record({
  begin: fc.nat(BEGINS.length - 1),
  mood: fc.constantFrom(...Object.keys(MOODS)),
  picks: fc.array(fc.nat(999), { minLength: 60, maxLength: 60 }),
  deaths: fc.array(fc.nat(150), { maxLength: 4 }),
  diesIn: fc.constantFrom(...STAGE_NAMES, ...RARE, ...RARE),
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

export type Came = {
  readonly stages: Map<StageName, number>;
  readonly events: Map<string, number>;
  /** Where sessions went on from the file alone. */
  readonly resumed: Map<string, number>;
  steps: number;
  longest: number;
};
export const nothingCame = (): Came => ({
  stages: new Map(),
  events: new Map(),
  resumed: new Map(),
  steps: 0,
  longest: 0,
});
const count = <K>(map: Map<K, number>, key: K): void => void map.set(key, (map.get(key) ?? 0) + 1);

/** Sessions of a walk, at most. */
const SESSIONS = 8;
/** No session of three rounds takes more steps, whatever happens (longestLife). */
export const BOUND = 281;

/** Plays a walk; throws an InvariantViolation where something does not hold. */
export function walk(machine: Interpreter, given: Walk, came: Came): void {
  const [stage, first] = BEGINS[given.begin % BEGINS.length] as (typeof BEGINS)[number];
  let s = entered(first, stage, freshMem(styleOf(first, null)));
  const witness = witnessOf(first);
  let n = 0;
  let hasDied = false;
  const dies = (): boolean => {
    const isThere = s.at.stage === given.diesIn && !hasDied;
    hasDied ||= isThere;
    return isThere || given.deaths.includes(n);
  };
  for (let session = 0; session < SESSIONS; session += 1) {
    let steps = 0;
    while (phaseOf(s.at.stage) !== null && !dies()) {
      const pick = given.picks[n % given.picks.length] ?? 0;
      const on = chosen(machine, s, given.mood, pick);
      const after = machine.next(s, { on, at: NOW, line: 'said' });
      check('state' in after, `${s.at.stage} has no way on: ${on} is refused`);
      if (!('state' in after)) return;
      refusesStrangers(machine, s, pick);
      witness.saw(s, on, after.state);
      sound(machine, after.state);
      s = after.state;
      n += 1;
      steps += 1;
      came.steps += 1;
      count(came.stages, s.at.stage);
      count(came.events, `${on} → ${s.at.stage}`);
      if (on === 'verdict: fail' && resolved(s.file).verify.layer2_retries === 2)
        count(came.events, 'Layer 2 exhausted');
      if (on === 'qa: fix' && resolved(s.file).round === 3) count(came.events, 'a third round');
      check(steps <= BOUND, `a session did not end within ${BOUND} steps, now in ${s.at.stage}`);
    }
    came.longest = Math.max(came.longest, steps);
    if (s.at.stage === 'done') return;
    n += 1; // a death at this step is over
    const facts = given.facts[session % given.facts.length] ?? THERE;
    const again = resumed(s.file, facts, given.steps[session % given.steps.length] ?? null);
    if (typeof again === 'string') {
      if (again === 'set-up') return;
      continue; // the step needs another first
    }
    witness.resumed(s, again.s);
    sound(machine, again.s);
    count(
      came.resumed,
      `${resolved(s.file).phase} ${resolved(s.file).autofix?.applied ?? 'none'} → ${again.s.at.stage}`,
    );
    ({ s } = again);
  }
}

function chosen(machine: Interpreter, s: S, mood: string, pick: number): EventName {
  const heard = heardIn(s.at.stage);
  const open = heard.filter((on) => 'state' in machine.next(s, { on, at: NOW }));
  check(open.length > 0, `${s.at.stage} is stuck`);
  const hidden = heard.filter((on) => !open.includes(on));
  const known: readonly string[] = ['spec: modify', 'verify: auto-fix', 'qa: fix'];
  check(
    hidden.every((on) => known.includes(on)),
    `${s.at.stage} does not take ${hidden.join()}`,
  );
  const wishes: readonly string[] = pick % 10 < 9 ? (MOODS[mood] ?? []) : [];
  const rank = (on: EventName): number => wishes.findIndex((wish) => wish === on || wish === `${s.at.stage} > ${on}`);
  const [wished] = open.filter((on) => rank(on) >= 0).sort((a, b) => rank(a) - rank(b));
  return wished ?? (open[pick % open.length] as EventName);
}

/** An event that does not belong here is refused and changes nothing: a stale answer passes no gate. */
function refusesStrangers(machine: Interpreter, s: S, pick: number): void {
  const stage = STAGE_NAMES[pick % STAGE_NAMES.length] as StageName;
  for (const on of heardIn(stage)) {
    if (heardIn(s.at.stage).includes(on)) continue;
    check('refused' in machine.next(s, { on, at: NOW }), `${s.at.stage} takes ${on}, which is no event of its own`);
  }
}

function sound(machine: Interpreter, s: S): void {
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
  const want = machine.wanted(s);
  check(isDeepStrictEqual(machine.wanted(s), want), `in ${at.stage} it wants something else when asked again`);
  if (want.do !== 'ask' || want.gate !== 'verify') return;
  const { verify, autofix } = resolved(file);
  const isOffered = !isV1(file) && !verify.autofix_attempted && autofix === null;
  check(want.options.includes('auto-fix') === isOffered, `I2: auto-fix is ${isOffered ? 'hidden' : 'offered'}`);
}
