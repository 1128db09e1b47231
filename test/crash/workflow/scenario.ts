// One way in which a workflow can go, as data: what state.json says at first, what agents do, what a person answers, and how it must end.
import type { Mode, StateFile } from '../../../src/playbooks/workflow/file/state.ts';
import type { About, Turn } from '../quick/agents.ts';
import type { QuickScenario } from '../quick/scenarios.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { beginWorkflow, deskFiles, honest } from './desk.ts';

export type WorkflowScenario = QuickScenario & {
  /** Of each question the subject and the answer, in the order in which they are asked. */
  readonly asked: readonly (readonly [subject: string, option: string])[];
  /** What is on the branch afterwards, on top of what was there; null: nothing was committed. */
  readonly lands: { readonly [path: string]: string } | null;
  /** Its commit is proved by the checks of the harness. */
  readonly isProved: boolean;
  /** The phase in which it waits; null: it is over, and its state.json is gone. */
  readonly phase: string | null;
  /** What happens at a death is another run: numbers and counts may differ from those of an undisturbed one. */
  readonly isLoose: boolean;
  /** An agent of it lies in the files that the harness keeps: they are no truth before the next run has put them back. */
  readonly isAdversarial: boolean;
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
  readonly isAdversarial?: true;
  readonly again?: readonly string[];
  /** A person starts each session: the run ends with what came of it. */
  readonly once?: true;
  readonly hands?: (shop: FixtureProject) => void;
  readonly meanwhile?: (shop: FixtureProject, answered: number) => void;
};

export const SORTED = { 'list.txt': 'sorted\n' };
export const scenario = ({ name, play = honest, answers, ...more }: Parts): WorkflowScenario => ({
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
  isAdversarial: more.isAdversarial === true,
  ...(more.again === undefined ? {} : { again: more.again }),
  ...(more.meanwhile === undefined ? {} : { meanwhile: more.meanwhile }),
  ...(more.once ? { mode: { untilDone: false, maxSessions: 1 } } : {}),
  before(shop) {
    beginWorkflow(shop, more.fields);
    more.hands?.(shop);
  },
});
const SUBJECT: { readonly [short: string]: string } = { budget: 'budget-exceeded' };

export const through = (mode: Mode): Partial<StateFile> => ({ mode });

/** Of nearly all of them the first question and the last. */
export const SPEC = 'spec/proceed';
export const COMMIT = 'commit/code-only';
