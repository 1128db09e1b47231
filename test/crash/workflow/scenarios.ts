// The ways in which a workflow can go, as data: what state.json says at first, what agents do, what a person answers, and how it must end.
import { RICH_LINES } from '../../../src/playbooks/workflow/conventions.ts';
import { PATCH_FILE } from '../../../src/playbooks/workflow/rules.ts';
import type { Mode, StateFile } from '../../../src/playbooks/workflow/state.ts';
import type { About, Turn } from '../quick/agents.ts';
import type { QuickScenario } from '../quick/scenarios.ts';
import type { Shop } from '../shop.ts';
import { beginWorkflow, builds, deskFiles, diffOf, DOCS, honest, judges, listIn, proposes, put } from './desk.ts';

export type WorkflowScenario = QuickScenario & {
  /** Of each question the subject and the answer, in the order in which they are asked. */
  readonly asked: readonly (readonly [subject: string, option: string])[];
  /** What is on the branch afterwards, on top of what was there; null: nothing was committed. */
  readonly lands: { readonly [path: string]: string } | null;
  /** Its commit is proved by the checks of the harness. */
  readonly isProved: boolean;
  /** The phase in which it stands still; null: it is over, and its state.json is gone. */
  readonly phase: string | null;
  /** What happens at a death is another life: numbers and counts may differ from those of an undisturbed one. */
  readonly isLoose: boolean;
  /** An agent of it lies in the files that the harness keeps: they are no truth before the next life has put them back. */
  readonly isRogue: boolean;
};

type Parts = {
  readonly name: string;
  readonly play?: (about: About) => Turn;
  /** `subject/option`, with a note after `: `. */
  readonly answers: readonly string[];
  readonly fields?: Partial<StateFile>;
  readonly lands?: WorkflowScenario['lands'];
  readonly reason?: string;
  readonly config?: string;
  readonly files?: { readonly [path: string]: string };
  readonly unproved?: true;
  readonly phase?: string;
  readonly loose?: true;
  readonly rogue?: true;
  readonly again?: readonly string[];
  readonly hands?: (shop: Shop) => void;
};

const SORTED = { 'list.txt': 'sorted\n' };
const scenario = ({ name, play = honest, answers, ...more }: Parts): WorkflowScenario => ({
  name,
  script: play,
  reason: more.reason ?? 'nothing-left',
  files: deskFiles(more.config, more.files),
  answers: answers.map((one) => one.slice(one.indexOf('/') + 1)),
  asked: answers.map((one) => {
    const [subject = '', rest = ''] = one.split('/');
    return [SUBJECT[subject] ?? `workflow-${subject}`, rest.split(': ')[0] ?? ''];
  }),
  lands: more.lands === undefined ? SORTED : more.lands,
  isProved: more.unproved !== true,
  phase: more.phase ?? null,
  isLoose: more.loose === true,
  isRogue: more.rogue === true,
  ...(more.again === undefined ? {} : { again: more.again }),
  before(shop) {
    beginWorkflow(shop, more.fields);
    more.hands?.(shop);
  },
});
const SUBJECT: { readonly [short: string]: string } = { budget: 'budget-exceeded' };

const through = (mode: Mode): Partial<StateFile> => ({ mode });
const SPEC = 'spec/proceed';
const COMMIT = 'commit/code-only';
const has = (about: About, name: string): boolean => about.shop.read(`${DOCS}${name}`) !== null;
const by =
  (role: string, turn: (about: About) => Turn) =>
  (about: About): Turn =>
    about.role === role ? turn(about) : honest(about);
/** The first turn of all is another than those after it. */
const first =
  (turn: (about: About) => Turn) =>
  (about: About): Turn =>
    about.played === 0 ? turn(about) : honest(about);
/** Whoever finds it unsorted mixes it up; whoever finds it so sorts it. */
const atSecond = (about: About): Turn => builds(about, listIn(about.shop) === 'unsorted\n' ? 'mixed up\n' : 'sorted\n');
const never = by('generator', (about) => builds(about, 'mixed up\n'));
const besides = (play: (about: About) => Turn, role: string, turn: (about: About) => Turn) => (about: About) =>
  about.role === role ? turn(about) : play(about);
const CLAUDE = `${Array.from({ length: RICH_LINES + 5 }, (_, n) => `Rule ${n}`).join('\n')}\n`;
const PAPERS = {
  [`${DOCS}spec.md`]: '# Spec\n\nSort the list.\n',
  [`${DOCS}changes.md`]: '# Changes\n\n- `list.txt` — sorted\n',
  [`${DOCS}verify_report.md`]: '',
  [`${DOCS}qa_report.md`]: '# QA\n\n### Verdict: PASS\n\n## Fix Instructions\n\n- sort it\n',
};
/** Judged by a file that only who is sent after a report adds. */
const untested = (said: string) => (about: About) =>
  about.role === 'evaluator' && about.shop.read('list.test') === null
    ? judges(about, 'FAIL', said)
    : about.role === 'generator'
      ? builds(about, 'sorted\n', has(about, 'qa_report.md') ? { 'list.test': 'tested\n' } : {})
      : honest(about);
const TESTED = { ...SORTED, 'list.test': 'tested\n' };

/** What lies there where a life begins in the middle, without a journal: the resume table decides (reference 004, Session Recovery). */
const found = (
  name: string,
  phase: StateFile['phase'],
  papers: { readonly [path: string]: string },
  answers: readonly string[],
  more: {
    readonly fields?: Partial<StateFile>;
    readonly lands?: WorkflowScenario['lands'];
    readonly unproved?: true;
  } = {},
): WorkflowScenario =>
  scenario({
    ...more,
    name: `found: ${name}`,
    fields: { phase, ...more.fields },
    answers,
    hands(shop) {
      for (const [path, text] of Object.entries(papers)) put(shop, path, text);
    },
  });
const WRITTEN = { [`${DOCS}spec.md`]: PAPERS[`${DOCS}spec.md`] ?? '' };
const MIXED = { ...WRITTEN, [`${DOCS}changes.md`]: PAPERS[`${DOCS}changes.md`] ?? '', 'list.txt': 'mixed up\n' };
const FAILED = { ...MIXED, [`${DOCS}verify_report.md`]: 'FAIL\n' };
const REPORTED = { ...FAILED, [`${DOCS}qa_report.md`]: '# QA\n\n### Verdict: FAIL\n\n## Fix Instructions\n\n- sort\n' };
const FIX = {
  [PATCH_FILE]: `Confidence: High\n\n\`\`\`diff\n${diffOf('list.txt', 'mixed up', 'sorted')}\`\`\`\n`,
};
const afterFix = (applied: 'proposed' | 'stopped'): Partial<StateFile> => ({
  autofix: { last_patch_path: PATCH_FILE, applied, triggered_at: '2026-01-01T00:00:00.000Z' },
  verify: {
    layer1_result: 'FAIL',
    layer1_retries: 3,
    layer2_result: null,
    layer2_retries: 0,
    todo_blocking: false,
    autofix_attempted: applied !== 'proposed',
  },
});

export const WORKFLOWS: readonly WorkflowScenario[] = [
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
    name: 'paused in the middle of a session',
    play: first((about) => ({ ...honest(about), pauses: true, end: 'aborted' })),
    answers: [SPEC, COMMIT],
    again: ['asked', 'user_pause', 'paused'],
    loose: true,
  }),
  scenario({
    name: 'paused while it builds',
    play: by('generator', (about) =>
      listIn(about.shop) === 'unsorted\n'
        ? { write: { 'list.txt': 'mixed up\n' }, pauses: true, end: 'aborted' }
        : honest(about),
    ),
    answers: [SPEC, COMMIT],
    again: ['asked', 'user_pause', 'paused'],
    loose: true,
  }),
  scenario({
    name: 'a planner that changes code',
    play: by('planner', (about) => {
      const turn = honest(about);
      return { ...turn, write: { ...turn.write, 'README.md': 'mine now\n', 'junk.txt': 'junk\n' } };
    }),
    answers: [SPEC, COMMIT],
  }),
  scenario({
    name: 'a planner that commits',
    play: first((about) => ({ ...honest(about), commits: 'all of it' })),
    answers: [SPEC, COMMIT],
  }),
  scenario({
    name: 'a generator that commits',
    play: by('generator', (about) => ({
      ...honest(about),
      ...(about.session === 2 ? { commits: 'all of it' } : {}),
    })),
    answers: [SPEC, COMMIT],
  }),
  scenario({
    name: 'a generator that writes state.json',
    play: by('generator', (about) => {
      const turn = honest(about);
      return about.session > 2 ? turn : { ...turn, write: { ...turn.write, '.harness/state.json': '{ "ver' } };
    }),
    answers: [SPEC, COMMIT],
    rogue: true,
  }),
  scenario({
    name: 'a planner that writes nothing, twice',
    play: by('planner', (about) => (about.session < 3 ? { said: 'FAIL — no idea' } : honest(about))),
    answers: [SPEC, COMMIT],
  }),
  scenario({
    name: 'a generator that goes beyond its files',
    fields: { max_files: 1 },
    play: by('generator', (about) => builds(about, 'sorted\n', about.session > 2 ? {} : { 'more.txt': 'more\n' })),
    answers: [SPEC, COMMIT],
  }),
  scenario({
    name: 'a budget that is used up, and raised',
    config: 'costs: { total_project_usd: 1 }\n',
    play: by('planner', (about) => ({ ...honest(about), usd: 2 })),
    answers: [SPEC, 'budget/increase', COMMIT],
  }),
  scenario({
    name: 'refused for an hour',
    play: first((about) => ({ ...honest(about), fail: ['agent-rate-limited', { retryAfterMs: 3_600_000 }] })),
    answers: [SPEC, COMMIT],
    loose: true,
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
  scenario({
    name: 'paused while two plan side by side',
    fields: through('standard'),
    play: (about) => ({ ...honest(about), ...(about.played === 1 ? { pauses: true, end: 'aborted' } : {}) }),
    answers: [SPEC, COMMIT],
    again: ['asked', 'user_pause', 'paused'],
    loose: true,
  }),
  found('a spec nobody has said anything to', 'plan_done', WRITTEN, [SPEC, COMMIT]),
  found('a report of work that is not good enough', 'evaluate_done', REPORTED, ['qa/fix', COMMIT], {
    fields: { round: 2, verify: { ...afterFix('proposed').verify, layer1_result: 'PASS' } },
  }),
  found('a fix that nobody has decided about', 'verify_done', { ...FAILED, ...FIX }, ['auto-fix/apply', COMMIT], {
    fields: afterFix('proposed'),
  }),
  found('a fix that did not help', 'verify_done', { ...FAILED, ...FIX }, ['verify/continue', COMMIT], {
    fields: afterFix('stopped'),
    lands: { 'list.txt': 'mixed up\n' },
    unproved: true,
  }),
];
