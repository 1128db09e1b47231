// The scenarios in which every session does what it is sent to do: modes, styles, layers that fail and are fixed, fixes, answers.
import { RICH_LINES } from '../../../src/playbooks/workflow/project/conventions.ts';
import { diffOf, judges, proposes } from './desk.ts';
import { atSecond, besides, by, never, PAPERS, TESTED, untested } from './plays.ts';
import { COMMIT, scenario, SORTED, SPEC, through, type WorkflowScenario } from './scenario.ts';

const CLAUDE = `${Array.from({ length: RICH_LINES + 5 }, (_, n) => `Rule ${n}`).join('\n')}\n`;

export const WAYS: readonly WorkflowScenario[] = [
  scenario({ name: 'plan to commit, the code alone', answers: [SPEC, COMMIT] }),
  scenario({ name: 'plan to commit, with its papers', answers: [SPEC, 'commit/all'], lands: { ...SORTED, ...PAPERS } }),
  scenario({ name: 'plan to the end, nothing committed', answers: [SPEC, 'commit/none'], lands: null }),
  scenario({ name: 'standard: two plan side by side', fields: through('standard'), answers: [SPEC, COMMIT] }),
  scenario({
    name: 'multi: three plan, three criticise, two review',
    fields: through('multi'),
    answers: [SPEC, COMMIT],
  }),
  scenario({ name: 'Layer 1 fails once', play: by('generator', atSecond), answers: [SPEC, COMMIT] }),
  scenario({
    name: 'a fix that is applied and helps',
    play: never,
    answers: [SPEC, 'verify/auto-fix', 'auto-fix/apply', COMMIT],
  }),
  scenario({
    name: 'a fix that is refused for where it would write',
    play: besides(never, 'auto-fix-proposer', (about) => proposes(about, diffOf('.git/config', '[core]', '[evil]'))),
    answers: [SPEC, 'verify/auto-fix', 'auto-fix/apply', 'verify/continue', COMMIT],
    lands: { 'list.txt': 'mixed up\n' },
    unproved: true,
  }),
  scenario({
    name: 'a fix that does not help',
    play: besides(never, 'auto-fix-proposer', (about) => proposes(about, diffOf('list.txt', 'mixed up', 'nearly'))),
    answers: [SPEC, 'verify/auto-fix', 'auto-fix/apply', 'verify/continue', COMMIT],
    lands: { 'list.txt': 'nearly\n' },
    unproved: true,
  }),
  scenario({
    name: 'a fix that a person rejects, and an end',
    play: never,
    answers: [SPEC, 'verify/auto-fix', 'auto-fix/reject', 'verify/stop'],
    lands: null,
    phase: 'verify_done',
    reason: 'stopped-at-verify',
  }),
  scenario({
    name: 'Layer 2 fails once',
    play: untested('FAIL L2 — no test'),
    answers: [SPEC, COMMIT],
    lands: TESTED,
  }),
  scenario({
    name: 'Layer 3 fails: another round',
    play: untested('FAIL L3 — no test'),
    answers: [SPEC, 'qa/fix', COMMIT],
    lands: TESTED,
  }),
  scenario({
    name: 'Layer 3 fails, and a person takes it as it is',
    play: by('evaluator', (about) => judges(about, 'FAIL', 'FAIL L3 — no test')),
    answers: [SPEC, 'qa/accept', COMMIT],
    unproved: true,
  }),
  scenario({
    name: 'a spec that is revised with a note',
    answers: ['spec/modify: Also the empty list.', SPEC, COMMIT],
  }),
  scenario({
    name: 'conventions that are copied',
    fields: { conventions: null },
    files: { 'CLAUDE.md': CLAUDE },
    answers: [SPEC, COMMIT],
  }),
  scenario({
    name: 'conventions that are scanned',
    fields: { conventions: null },
    answers: ['conventions/scan', SPEC, COMMIT],
  }),
  scenario({
    name: 'phase by phase',
    fields: { run_style: 'phase' },
    answers: [SPEC, COMMIT],
    again: ['workflow-phase-done', 'asked'],
    loose: true,
  }),
  scenario({
    name: 'nothing to verify it by',
    fields: { test_cmd: null },
    answers: [SPEC, COMMIT],
    unproved: true,
  }),
  scenario({
    name: 'stopped at the spec',
    answers: ['spec/stop'],
    lands: null,
    phase: 'plan_done',
    reason: 'stopped-at-spec',
  }),
];
