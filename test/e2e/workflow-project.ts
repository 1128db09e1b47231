// A repository with one workflow under way, and agents of every role that follow a scenario outside of it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StateFile } from '../../src/playbooks/workflow/file/state.ts';
import { makeRepo, OF_FEATURES, type Ran, type Repo } from '../support/repo.ts';
import { SORT_BRANCH, SORT_DOCS, sortTheList } from '../support/workflow.ts';

import { startProgram, type Live, type Steps } from './workshop.ts';

export type Part = {
  readonly role: string;
  readonly session?: number;
  readonly attempt?: string;
  readonly turns: readonly Steps[];
};

export const DOCS = SORT_DOCS;
export const writes = (text: string): Steps[number] => ({ write: { path: '{{OUTPUT}}', text } });
export const part = (role: string, ...turn: Steps): Part => ({ role, turns: [turn] });
/** What its own test asks for. */
export const SORTED: Steps[number] = { write: { path: 'src/list.txt', text: 'sorted\n' } };
/** What its own test refuses. */
export const WRONG: Steps[number] = { write: { path: 'src/list.txt', text: 'mixed up\n' } };
const CHANGES = writes('# Changes\n\n- `src/list.txt` — THE-REASON-OF-THE-GENERATOR\n');
export const generator = (...steps: Steps): Part =>
  part('generator', ...steps, CHANGES, { say: 'list changed — it is sorted' });
export const evaluator = (verdict: 'PASS' | 'FAIL', line: string): Part =>
  part('evaluator', writes(`# QA\n\n### Verdict: ${verdict}\n\n## Fix Instructions\n\n- sort it\n`), { say: line });
/** Everybody does what they are sent for. */
export const HONEST: readonly Part[] = [
  part('planner', writes('# Spec\n\nSort the list.\n'), { say: 'spec written — the list is sorted' }),
  part('architect', writes('PROPOSAL-OF-THE-ARCHITECT\n'), { say: 'proposal written — one sort' }),
  part('senior-developer', writes('PROPOSAL-OF-THE-SENIOR\n'), { say: 'proposal written — in place' }),
  part('qa-specialist', writes('PROPOSAL-OF-QA\n'), { say: 'proposal written — with a test' }),
  part('critic', writes('CRITIQUE\n'), { say: 'critique written — mostly fine' }),
  part('synthesis', writes('# Spec\n\nSort the list, from proposals.\n'), { say: 'spec written — from all' }),
  part('lead-developer', writes('PLAN-OF-THE-LEAD\n'), { say: 'plan written — one file' }),
  part('combined-advisor', writes('REVIEW-OF-THE-ADVISOR\n'), { say: 'review written — fine' }),
  part('code-quality-advisor', writes('REVIEW-OF-QUALITY\n'), { say: 'review written — fine' }),
  part('test-stability-advisor', writes('REVIEW-OF-STABILITY\n'), { say: 'review written — fine' }),
  part('convention-scanner', writes('CONVENTIONS-OF-THE-SCAN\n'), { say: 'conventions written — few' }),
  part('verifier', { say: 'FAIL — the list is not sorted' }),
  generator(SORTED),
  evaluator('PASS', 'PASS — it is sorted'),
];

export type Asked = {
  readonly id: string;
  readonly subject: string;
  readonly options: readonly { readonly id: string }[];
  readonly [field: string]: unknown;
};

export type WorkflowProject = Repo & {
  readonly around: string;
  play(parts: readonly Part[]): void;
  start(...args: string[]): Live;
  /** state.json; null: it is gone. */
  state(): StateFile | null;
  /** Writes a document of the task, as an earlier session left it. */
  paper(name: string, text: string): void;
  /** The one question that is open; null: none is. */
  asked(): Promise<Asked | null>;
  /** Answers it without a run. */
  answer(option: string, note?: string): Promise<Ran>;
  /** Roles that were sent so far, in their order. */
  sent(): readonly string[];
  /** First prompts of all sessions so far, by number. */
  prompts(): readonly { readonly role: string; readonly text: string }[];
  /** Runs without anybody to ask, then answers the one open question; as often as there are answers. Every answer is given after its question. */
  through(...answers: readonly string[]): Promise<Ran>;
};

export function workflowProject(
  fields: Partial<StateFile> = {},
  options: {
    readonly parts?: readonly Part[];
    readonly files?: { readonly [path: string]: string };
    readonly config?: string;
  } = {},
): WorkflowProject {
  const repo = makeRepo(
    {
      '.harness.yaml': [
        'playbook: workflow',
        'agents: { default: { provider: scripted, scenario: ../scenario.json } }',
        options.config ?? '',
        '',
      ].join('\n'),
      'README.md': 'A project\n',
      'src/list.txt': 'unsorted\n',
      ...options.files,
    },
    OF_FEATURES,
  );
  const around = dirname(repo.root);
  const file = sortTheList('src/list.txt', { repo_path: repo.root, ...fields });
  repo.git('switch', '-q', '-c', SORT_BRANCH);
  repo.write('.harness/state.json', `${JSON.stringify(file, null, 2)}\n`);
  const play = (parts: readonly Part[]): void =>
    writeFileSync(
      join(around, 'scenario.json'),
      JSON.stringify({
        schema: 1,
        sessions: parts.map(({ role, session, attempt, turns }) => ({
          when: { role, ...(session === undefined ? {} : { session }), ...(attempt === undefined ? {} : { attempt }) },
          turns,
        })),
      }),
    );
  play([...(options.parts ?? []), ...HONEST]);
  const statePath = join(repo.root, '.harness/state.json');
  const sessions = join(repo.root, '.harness/sessions');
  const prompts: WorkflowProject['prompts'] = () =>
    (existsSync(sessions) ? readdirSync(sessions) : [])
      .toSorted((a, b) => Number(a) - Number(b))
      .map((n) => join(sessions, n, 'prompt-1.md'))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8'))
      .map((text) => ({ role: /^ROLE=(.*)$/m.exec(text)?.[1] ?? '', text }));
  const asked = async (): Promise<Asked | null> => {
    const { gates } = (await repo.harness('gates', '--json')).json() as { gates: readonly Asked[] };
    return gates[0] ?? null;
  };
  const answer = async (option: string, note?: string): Promise<Ran> =>
    repo.harness('answer', (await asked())?.id ?? '', option, ...(note === undefined ? [] : ['-m', note]));
  return {
    ...repo,
    around,
    asked,
    answer,
    prompts,
    sent: () => prompts().map(({ role }) => role),
    paper: (name, text) => repo.write(`${DOCS}${name}`, text),
    play: (parts) => play([...parts, ...HONEST]),
    start: (...args) => startProgram(repo, args),
    state: () => (existsSync(statePath) ? (JSON.parse(readFileSync(statePath, 'utf8')) as StateFile) : null),
    async through(...answers) {
      let ran = await repo.harness('run', '--no-input', '--json');
      for (const given of answers) {
        const [option = '', note] = given.split(': ');
        await answer(option, note);
        ran = await repo.harness('run', '--no-input', '--json');
      }
      return ran;
    },
  };
}
