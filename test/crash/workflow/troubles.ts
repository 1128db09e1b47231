// The scenarios in which a user pauses, an agent is refused, or a session does what it was not sent to do.
import { builds, DOCS, honest, listIn, put, STATE } from './desk.ts';
import { by, first } from './plays.ts';
import { COMMIT, scenario, SPEC, through, type WorkflowScenario } from './scenario.ts';

export const TROUBLES: readonly WorkflowScenario[] = [
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
    play: by('planner', (about) => ({ ...honest(about), ...(about.session === 1 ? { commits: 'all of it' } : {}) })),
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
    isAdversarial: true,
  }),
  scenario({
    name: 'a generator that writes the configuration',
    play: by('generator', (about) => {
      const turn = honest(about);
      return about.session > 2 ? turn : { ...turn, write: { ...turn.write, '.harness.yaml': 'playbook: none\n' } };
    }),
    answers: [SPEC, COMMIT],
    isAdversarial: true,
  }),
  scenario({
    name: 'two plan side by side, and one writes the configuration',
    fields: through('standard'),
    play: (about) => {
      const turn = honest(about);
      const isAdversarial = about.role !== 'generator' && about.session === 1;
      return isAdversarial ? { ...turn, write: { ...turn.write, '.harness.yaml': 'playbook: none\n' } } : turn;
    },
    answers: [SPEC, COMMIT],
    isAdversarial: true,
  }),
  scenario({
    name: 'what is to be committed does not hold without its papers: all is as before',
    fields: { test_cmd: `grep -qx sorted ${DOCS}changes.md` },
    play: by('generator', (about) => ({
      ...builds(about, 'sorted\n'),
      write: { 'list.txt': 'sorted\n', [about.output]: 'sorted\n' },
    })),
    answers: [SPEC, COMMIT],
    once: true,
    lands: null,
    phase: 'evaluate_done',
    reason: 'clean-up-refused',
  }),
  scenario({
    name: 'state.json written by hand while a question is open: its answer counts',
    meanwhile(shop, answered) {
      const text = shop.read(STATE) ?? '';
      if (answered === 0) put(shop, STATE, text.replace('"scope": "(no limit)"', '"scope": "*.txt"'));
    },
    answers: [SPEC, COMMIT],
  }),
  scenario({
    name: 'a planner that writes nothing, twice',
    play: by('planner', (about) => (about.session < 3 ? { said: 'FAIL — no idea' } : honest(about))),
    answers: [SPEC, COMMIT],
  }),
  scenario({
    name: 'a generator that goes beyond its files, whoever is sent',
    fields: { max_files: 1 },
    play: by('generator', (about) => builds(about, 'sorted\n', { 'more.txt': 'more\n' })),
    answers: [SPEC],
    once: true,
    lands: null,
    phase: 'generating',
    reason: 'too-many-files',
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
    name: 'paused while two plan side by side',
    fields: through('standard'),
    play: (about) => ({ ...honest(about), ...(about.played === 1 ? { pauses: true, end: 'aborted' } : {}) }),
    answers: [SPEC, COMMIT],
    again: ['asked', 'user_pause', 'paused'],
    loose: true,
  }),
];
