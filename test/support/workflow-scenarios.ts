// Runs of a workflow, step by step, as specified: the event, the next stage, the fields of the file. Written independently of the table of
// transitions, so that a change of either is noticed.
import { newCounters } from '../../src/playbooks/workflow/table/counters.ts';
import { holds, knownOf } from '../../src/playbooks/workflow/table/rules.ts';
import { entered, type Interpreter, type TableState } from '../../src/playbooks/workflow/table/next.ts';
import type { EventName, StageName } from '../../src/playbooks/workflow/table/stages.ts';
import { resolved, type Phase, type StateFile, type WorkflowFile } from '../../src/playbooks/workflow/file/state.ts';
import { TRANSITIONS, type Row } from '../../src/playbooks/workflow/table/transitions.ts';
import { autofix, NOW, stateIn, v1In } from './workflow.ts';
import type { NamedStep, RunStyle } from '../../src/playbooks/workflow/file/run-options.ts';

export type Scenario = {
  readonly name: string;
  readonly from: StageName;
  readonly file?: WorkflowFile;
  readonly style?: RunStyle;
  readonly only?: NamedStep;
  /** `event → stage | phase | field=value field=value`; the last two where they matter. `-`: any phase; `refused` for a stage: nothing changes. */
  readonly steps: readonly string[];
};

const file = (more: Partial<StateFile>, phase: Phase = 'plan_ready'): StateFile => stateIn(phase, more);
const failed = (retries: number, more: Partial<StateFile> = {}): StateFile =>
  file({ ...more, verify: { layer1_result: 'FAIL', layer1_retries: retries, ...more.verify } }, 'verify_done');
/** `autofix` and `autofix_attempted` as I1 allows them. */
const proposed = failed(3, { autofix: autofix('proposed') });
const applied = failed(3, { autofix: autofix('applied'), verify: { layer1_result: null, autofix_attempted: true } });
const evaluated = (layer2_result: 'PASS' | 'FAIL', layer2_retries: number, round: number): StateFile =>
  file({ round, verify: { layer1_result: 'PASS', layer1_retries: 1, layer2_result, layer2_retries } }, 'evaluate_done');

const SENT_AGAIN: readonly StageName[] = [
  'plan',
  'propose',
  'critique',
  'synthesise',
  'revise-spec',
  'design',
  'review',
  'implement',
  'retry',
  'evaluate',
];

export const SCENARIOS: readonly Scenario[] = [
  // ---- Conventions
  {
    name: 'conventions of an earlier spec phase are taken',
    from: 'conventions',
    file: file({ conventions: null }),
    steps: ['conventions: found → plan-ready | plan_ready | conventions=file:.harness/conventions.md'],
  },
  {
    name: 'conventions that are settled stay as they are',
    from: 'conventions',
    steps: ['conventions: settled → plan-ready | plan_ready | conventions=skipped'],
  },
  {
    name: 'a scan that the user wants, and that fails once',
    from: 'conventions',
    file: file({ conventions: 'file:gone.md' }),
    steps: [
      'conventions: none → conventions-gate | plan_ready | conventions=null',
      'conventions: scan → scan',
      'failed → scan-gate | plan_ready | conventions=null',
      'scan: retry → scan',
      'written → plan-ready | plan_ready | conventions=file:.harness/conventions.md',
    ],
  },
  {
    name: 'a scan is repeated at most twice, then it is left out',
    from: 'scan',
    file: file({ conventions: null }),
    steps: [
      'failed → scan-gate',
      'scan: retry → scan',
      'failed → scan-gate',
      'scan: retry → scan',
      'failed → plan-ready | plan_ready | conventions=skipped',
    ],
  },
  {
    name: 'the user skips the scan',
    from: 'conventions-gate',
    file: file({ conventions: null }),
    steps: ['conventions: skip → plan-ready | plan_ready | conventions=skipped'],
  },
  {
    name: 'the user skips the second try',
    from: 'scan-gate',
    file: file({ conventions: null }),
    steps: ['scan: skip → plan-ready | plan_ready | conventions=skipped'],
  },

  // ---- Plan
  {
    name: 'single mode: one planner, one generator, everything passes',
    from: 'plan-ready',
    file: file({ mode: 'single' }),
    steps: [
      'begin → plan | planning',
      'written → plan-done | plan_done',
      'proceed → spec-gate | plan_done',
      'spec: proceed → generate-ready | generate_ready',
      'begin → implement | generating',
      'written → generate-done | generate_done',
      'proceed → verify-ready | verify_ready | layer1_result=null layer1_retries=0',
      'begin → verify | verifying',
      'layer 1: pass → verify-done | verify_done | layer1_result=PASS',
      'proceed → evaluate-ready | evaluate_ready',
      'begin → evaluate | evaluating | layer2_result=null',
      'evaluation: pass → evaluate-done | evaluate_done | layer2_result=PASS',
      'proceed → verdict | evaluate_done',
      'verdict: pass → completed | completed',
      'proceed → commit-gate | completed',
      'commit: code-only → clean-up | completed | finish=code-only',
      'finished → done | completed | why=',
    ],
  },
  {
    name: 'standard mode: two proposals and their synthesis, a plan and its review',
    from: 'plan-ready',
    file: file({ mode: 'standard' }),
    steps: [
      'begin → propose | planning',
      'written → synthesise | planning',
      'written → plan-done | plan_done',
      'proceed → spec-gate',
      'spec: proceed → generate-ready',
      'begin → design | generating',
      'written → review | generating',
      'written → implement | generating',
      'written → generate-done | generate_done',
    ],
  },
  {
    name: 'multi mode: proposals are criticised before the synthesis',
    from: 'plan-ready',
    file: file({ mode: 'multi' }),
    steps: [
      'begin → propose',
      'written → critique | planning',
      'written → synthesise',
      'written → plan-done | plan_done',
    ],
  },
  {
    name: 'style phase ends a run where a phase is done',
    from: 'plan-done',
    style: 'phase',
    steps: ['proceed → session-end | plan_done | why='],
  },
  {
    name: 'a spec is changed and shown again; only "Proceed" advances',
    from: 'spec-gate',
    steps: [
      'spec: modify → revise-spec | plan_done',
      'written → spec-gate | plan_done',
      'spec: proceed → generate-ready',
    ],
  },
  {
    name: 'a spec is revised at most ten times in one run',
    from: 'spec-gate',
    steps: [
      ...Array.from({ length: 10 }, () => ['spec: modify → revise-spec', 'written → spec-gate']).flat(),
      'spec: modify → refused',
      'spec: stop → stopped | plan_done | why=stopped-at-spec',
    ],
  },
  ...SENT_AGAIN.map((from) => ({
    name: `${from}: sessions that wrote nothing are sent again twice, then a person must look`,
    from,
    steps: [`failed → ${from}`, `failed → ${from}`, 'failed → stopped | - | why=output-missing'],
  })),

  // ---- Generate
  {
    name: 'style phase ends the run after the code is written',
    from: 'generate-done',
    style: 'phase',
    steps: ['proceed → session-end | generate_done'],
  },
  {
    name: 'a file of version 1 without a verify step has no Layer 1 and no Layer 2',
    from: 'implement',
    file: v1In('gen_ready', { verify: null }),
    steps: [
      'written → generate-done | generate_ready',
      'proceed → evaluate-ready | evaluate_ready | layer1_retries=0',
      'begin → evaluate | evaluate_ready',
      'layer 2: fail → evaluate-done | evaluate_ready | layer2_result=null',
      'proceed → verdict',
      'verdict: fail → qa-gate | evaluate_ready | layer2_retries=0',
      'qa: fix → generate-ready | generate_ready | round=2 layer2_retries=0',
    ],
  },

  // ---- Verify
  {
    name: 'Layer 1 fails four times: three retries of one session each, then the first hard gate',
    from: 'generate-done',
    steps: [
      'proceed → verify-ready',
      'begin → verify',
      'layer 1: fail → verify-done | verify_done | layer1_result=FAIL layer1_retries=0',
      'proceed → retry | generating | layer1_result=FAIL layer1_retries=1',
      'written → retry-done | generate_done',
      'proceed → verify-ready | verify_ready | layer1_result=null layer1_retries=1',
      'begin → verify',
      'layer 1: fail → verify-done',
      'proceed → retry | generating | layer1_retries=2',
      'written → retry-done',
      'proceed → verify-ready',
      'begin → verify',
      'layer 1: fail → verify-done',
      'proceed → retry | generating | layer1_retries=3',
      'written → retry-done',
      'proceed → verify-ready | verify_ready | layer1_retries=3',
      'begin → verify',
      'layer 1: fail → verify-done',
      'proceed → verify-gate | verify_done | layer1_retries=3',
      'verify: continue → evaluate-ready | evaluate_ready | layer1_result=FAIL applied=null',
    ],
  },
  {
    name: 'code of a new round is verified with a count of its own',
    from: 'generate-done',
    file: failed(3, { phase: 'generate_done' }),
    steps: ['proceed → verify-ready | verify_ready | layer1_result=null layer1_retries=0'],
  },
  {
    name: 'version 1 counts its retries as well, and is never offered an auto-fix',
    from: 'verify',
    file: v1In('verifying', { verify: { layer1_result: null, layer1_retries: 2 } }),
    steps: [
      'layer 1: fail → verify-done | verify_done | layer1_result=FAIL layer1_retries=2',
      'proceed → retry | generate_ready | layer1_retries=3',
      'written → retry-done',
      'proceed → verify-ready',
      'begin → verify',
      'layer 1: fail → verify-done',
      'proceed → verify-gate',
      'verify: auto-fix → refused',
      'verify: stop → stopped | verify_done | why=stopped-at-verify',
    ],
  },
  {
    name: 'where there is no command to run, Layer 1 was not executed',
    from: 'verify',
    steps: ['layer 1: skipped → verify-done | verify_done | layer1_result=null', 'proceed → evaluate-ready'],
  },
  {
    name: 'style phase ends the run after Layer 1 passed',
    from: 'verify-done',
    style: 'phase',
    file: file({ verify: { layer1_result: 'PASS' } }, 'verify_done'),
    steps: ['proceed → session-end | verify_done'],
  },
  {
    name: 'style phase retries within its run',
    from: 'verify-done',
    style: 'phase',
    file: failed(0),
    steps: ['proceed → retry', 'written → retry-done', 'proceed → verify-ready | verify_ready | layer1_retries=1'],
  },
  {
    name: 'style phase keeps the answer "Continue" for the next run',
    from: 'verify-gate',
    style: 'phase',
    file: failed(3),
    steps: ['verify: continue → session-end | evaluate_ready | layer1_result=FAIL'],
  },
  {
    name: 'a run that only verifies ends with the result, with or without retries left',
    from: 'verify-done',
    style: 'step',
    only: 'verify',
    file: failed(0),
    steps: ['proceed → session-end | verify_done | layer1_retries=0'],
  },
  {
    name: 'a run that only verifies does not evaluate, whatever the answer is',
    from: 'verify-gate',
    style: 'step',
    only: 'verify',
    file: failed(3),
    steps: ['verify: continue → session-end | evaluate_ready'],
  },
  {
    name: 'a run that only evaluates does so once the user chose to continue',
    from: 'verify-gate',
    style: 'step',
    only: 'evaluate',
    file: failed(1),
    steps: ['verify: continue → evaluate-ready | evaluate_ready'],
  },
  {
    name: 'an auto-fix that is applied and holds',
    from: 'verify-gate',
    file: failed(3),
    steps: [
      'verify: auto-fix → propose-fix | verify_done | applied=proposed attempted=false',
      'patch: written → auto-fix-gate | verify_done | applied=proposed attempted=false',
      'auto-fix: apply → apply-patch | verify_done | applied=proposed attempted=false',
      'patch: applied → reverify-ready | verify_ready | applied=applied attempted=true layer1_result=null layer1_retries=3',
      'begin → reverify | verifying | layer1_retries=3',
      'layer 1: pass → verify-done | verify_done | layer1_result=PASS applied=applied attempted=true',
      'proceed → evaluate-ready | evaluate_ready | applied=applied',
    ],
  },
  {
    name: 'an auto-fix that is applied and does not hold is the last one',
    from: 'reverify',
    file: applied,
    steps: [
      'layer 1: fail → verify-gate | verify_done | layer1_result=FAIL applied=stopped attempted=true layer1_retries=3',
      'verify: auto-fix → refused',
      'verify: continue → evaluate-ready',
    ],
  },
  {
    name: 'retries beyond the limit in the file are clamped (I4)',
    from: 'reverify',
    file: failed(7, { autofix: autofix('applied'), verify: { autofix_attempted: true, layer1_retries: 7 } }),
    steps: ['layer 1: fail → verify-gate | verify_done | applied=stopped layer1_retries=3'],
  },
  {
    name: 'a second verification with nothing to run continues',
    from: 'reverify',
    file: applied,
    steps: ['layer 1: skipped → verify-done | verify_done | layer1_result=null', 'proceed → evaluate-ready'],
  },
  {
    name: 'a rejected auto-fix goes back to a gate that does not offer it',
    from: 'auto-fix-gate',
    file: proposed,
    steps: [
      'auto-fix: reject → verify-gate | verify_done | applied=rejected attempted=true',
      'verify: auto-fix → refused',
      'verify: stop → stopped | verify_done | why=stopped-at-verify applied=rejected',
    ],
  },
  {
    name: 'Stop at the second hard gate rejects the proposal',
    from: 'auto-fix-gate',
    file: proposed,
    steps: ['auto-fix: stop → stopped | verify_done | applied=rejected attempted=true why=stopped-at-auto-fix'],
  },
  {
    name: 'an empty patch asks no question',
    from: 'propose-fix',
    file: proposed,
    steps: ['patch: empty → verify-gate | verify_done | applied=rejected attempted=true', 'verify: auto-fix → refused'],
  },
  {
    name: 'a patch whose path or hunk does not fit is rejected',
    from: 'apply-patch',
    file: proposed,
    steps: ['patch: refused → verify-gate | verify_done | applied=rejected attempted=true layer1_result=FAIL'],
  },

  // ---- Evaluate
  {
    name: 'Layer 2 fails three times: two retries without a question, then the QA gate',
    from: 'evaluate',
    file: file({ verify: { layer1_result: 'PASS', layer1_retries: 2 } }, 'evaluating'),
    steps: [
      'layer 2: fail → evaluate-done | evaluate_done | layer2_result=FAIL layer2_retries=0',
      'proceed → verdict',
      'verdict: fail → retry | generating | layer2_retries=1',
      'written → retry-done | generate_done',
      'proceed → verify-ready | verify_ready | layer1_result=null layer1_retries=2',
      'begin → verify',
      'layer 1: pass → verify-done',
      'proceed → evaluate-ready',
      'begin → evaluate | evaluating | layer2_result=null layer2_retries=1',
      'layer 2: fail → evaluate-done',
      'proceed → verdict',
      'verdict: fail → retry | generating | layer2_retries=2',
      'written → retry-done',
      'proceed → verify-ready',
      'begin → verify',
      'layer 1: pass → verify-done',
      'proceed → evaluate-ready',
      'begin → evaluate',
      'layer 2: fail → evaluate-done | evaluate_done | layer2_result=FAIL',
      'proceed → verdict',
      'verdict: fail → qa-gate | evaluate_done | layer2_retries=2',
      'qa: fix → generate-ready | generate_ready | round=2 layer1_retries=0 layer1_result=null layer2_retries=0 layer2_result=null',
    ],
  },
  {
    name: 'Layer 2 without retries in the last round completes, as Layer 3 does',
    from: 'verdict',
    file: evaluated('FAIL', 2, 3),
    steps: ['verdict: fail → completed | completed | round=3'],
  },
  {
    name: 'Layer 3 fails: the user chooses a fix, in a new round with a new plan',
    from: 'evaluate',
    file: file({ autofix: autofix('rejected'), verify: { layer1_retries: 3, autofix_attempted: true } }, 'evaluating'),
    steps: [
      'layer 3: fail → evaluate-done | evaluate_done | layer2_result=PASS',
      'proceed → verdict',
      'verdict: fail → qa-gate',
      'qa: fix → generate-ready | generate_ready | round=2 layer1_retries=0 layer2_result=null applied=rejected attempted=true',
      'begin → design | generating',
    ],
  },
  {
    name: 'Layer 3 fails: the user accepts it',
    from: 'qa-gate',
    file: evaluated('PASS', 0, 1),
    steps: ['qa: accept → completed | completed'],
  },
  {
    name: 'Layer 3 fails in the last round',
    from: 'verdict',
    file: evaluated('PASS', 0, 3),
    steps: ['verdict: fail → completed | completed'],
  },
  {
    name: 'a first line without a verdict leaves it to the report',
    from: 'evaluate',
    file: file({}, 'evaluating'),
    steps: ['evaluation: unclear → evaluate-done | evaluate_done | layer2_result=null', 'proceed → verdict'],
  },
  {
    name: 'a verdict of an evaluator that changed the work is void: another one is sent, then the user decides',
    from: 'evaluate',
    file: file({}, 'evaluating'),
    steps: [
      'evaluation: void → evaluate | evaluating',
      'evaluation: void → qa-gate | evaluate_done | layer2_result=null',
      'qa: fix → generate-ready | generate_ready',
    ],
  },
  {
    name: 'two void verdicts end the step evaluate: the next run evaluates again, and no generator is sent',
    from: 'evaluate',
    style: 'step',
    file: file({}, 'evaluating'),
    steps: ['evaluation: void → evaluate | evaluating', 'evaluation: void → stopped | - | why=verdict-missing'],
  },
  {
    name: 'a report that passes what Layer 2 failed is for the user to judge',
    from: 'verdict',
    file: evaluated('FAIL', 0, 1),
    steps: ['verdict: pass → qa-gate | evaluate_done', 'qa: accept → completed'],
  },
  {
    name: 'the same in the last round: no round is left for a fix',
    from: 'verdict',
    file: evaluated('FAIL', 0, 3),
    steps: ['verdict: pass → qa-gate', 'qa: fix → refused', 'qa: accept → completed'],
  },
  {
    name: 'in the last round nothing has to be accepted: it can be stopped, and in another round it cannot',
    from: 'verdict',
    file: evaluated('FAIL', 0, 3),
    steps: ['verdict: pass → qa-gate', 'qa: stop → stopped | - | why=stopped-at-qa'],
  },
  {
    name: 'while there are rounds the question is whether to fix or to accept',
    from: 'verdict',
    file: evaluated('FAIL', 0, 1),
    steps: ['verdict: pass → qa-gate', 'qa: stop → refused'],
  },
  {
    name: 'a report without a verdict stops the run',
    from: 'verdict',
    file: evaluated('PASS', 0, 1),
    steps: ['verdict: none → stopped | evaluate_done | why=verdict-missing'],
  },
  {
    name: 'style phase ends the run before the verdict',
    from: 'evaluate-done',
    style: 'phase',
    steps: ['proceed → session-end | - | why='],
  },

  // ---- Clean-up
  {
    name: 'without git there is no question about a commit',
    from: 'completed',
    file: file({ has_git: false }, 'completed'),
    steps: ['proceed → clean-up | completed | finish=null', 'finished → done'],
  },
  {
    name: 'where it is not known whether there is git, the user is asked',
    from: 'completed',
    file: file({ has_git: null }, 'completed'),
    steps: ['proceed → commit-gate', 'commit: all → clean-up | completed | finish=all'],
  },
  {
    name: 'a clean-up that the safety guard refuses changes nothing, and the next run asks again',
    from: 'commit-gate',
    file: file({}, 'completed'),
    steps: [
      'commit: none → clean-up | completed | finish=none',
      'refused → stopped | evaluate_done | why=clean-up-refused',
    ],
  },
];

/** `taken`: rows · `events`: with their stage. */
export type Played = {
  readonly taken: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
  readonly wrong: readonly string[];
};
export const rowKey = ({ from, on, when = [], to }: Row): string => `${from} · ${on} (${when.join(', ')}) → ${to}`;

/** The row that an event takes in the product's table. */
export const rowOf = ({ file: now, at, mem }: TableState, on: string): string => {
  const known = knownOf(now, mem);
  const row = TRANSITIONS.find(
    (one) => one.from === at.stage && one.on === on && (one.when ?? []).every((condition) => holds(condition, known)),
  );
  return row === undefined ? '' : rowKey(row);
};

export const startOf = ({ from, file: given, style = 'auto', only }: Scenario): TableState =>
  entered(given ?? file({}), from, newCounters(style, only ?? null));

/** Plays scenarios on a table. `wrong`: every difference from them. */
export function play(machine: Interpreter, scenarios: readonly Scenario[] = SCENARIOS): Played {
  const taken = new Set<string>();
  const events = new Set<string>();
  const wrong: string[] = [];
  for (const scenario of scenarios) {
    let s = startOf(scenario);
    for (const [n, step] of scenario.steps.entries()) {
      const [, on = '', to = '', phase = '-', fields = ''] =
        /^(.+) → (\S+)(?: \| (\S+)(?: \| (.+))?)?$/.exec(step) ?? [];
      taken.add(rowOf(s, on));
      events.add(`${s.at.stage} · ${on}`);
      let found: string;
      try {
        const after = machine.next(s, { on: on as EventName, at: NOW });
        if ('state' in after) {
          s = after.state;
          found = seen(s, phase, fields);
        } else found = 'refused';
      } catch (error) {
        found = String(error);
      }
      const expected = [to, phase, fields].filter((part) => part !== '' && part !== '-').join(' | ');
      if (found !== expected) {
        wrong.push(`${scenario.name}, step ${n + 1} (${on}): ${found} instead of ${expected}`);
        break;
      }
    }
  }
  return { taken, events, wrong };
}

/** The state in the notation of a step, as far as the step has it. */
function seen({ file: now, at, mem }: TableState, phase: string, fields: string): string {
  const state = resolved(now);
  const values: { readonly [name: string]: unknown } = {
    ...state.verify,
    attempted: state.verify.autofix_attempted,
    applied: state.autofix?.applied ?? null,
    round: state.round,
    conventions: state.conventions,
    why: mem.why,
    finish: mem.finish,
  };
  const names = fields === '' ? [] : fields.split(' ').map((field) => field.split('=')[0] ?? '');
  return [
    at.stage,
    phase === '-' ? '' : String(state.phase),
    names.map((name) => `${name}=${String(values[name])}`).join(' '),
  ]
    .filter((part) => part !== '')
    .join(' | ');
}
