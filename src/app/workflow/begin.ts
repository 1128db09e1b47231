// How a workflow is begun, gone on with or left: what lies there, what was said and what is answered decide (playbooks/workflow/session-recovery.ts).
// Nothing is deleted without an answer, and nothing that was refused has changed anything.
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import {
  decisionAfter,
  START_GATES,
  startDecision,
  type StartDecision,
  type StartGate,
} from '../../playbooks/workflow/session-recovery.ts';
import type { NamedStep } from '../../playbooks/workflow/table/counters.ts';
import { STYLE_OF_STEP } from '../../playbooks/workflow/table/resume.ts';
import {
  isV1,
  resolved,
  type RunStyle,
  type StateFile,
  type WorkflowFile,
} from '../../playbooks/workflow/file/state.ts';
import { closedBy } from '../closed.ts';
import type { Watcher } from '../lane.ts';
import { withLane } from '../life.ts';
import { runName } from '../run-name.ts';
import type { Target } from '../target.ts';
import type { Asks } from './choices.ts';
import { clearSession, fileOf, lookAtSession, type Found } from './session.ts';
import { outputBase, setUp, usable, type SetUp } from './set-up.ts';
import type { Wanted } from './wanted.ts';

export type Person = Asks & {
  /** null: nobody can be asked, or nothing was said. */
  session(file: WorkflowFile, options: readonly string[]): Promise<string | null>;
  conflict(skill: string, options: readonly string[]): Promise<string | null>;
  /** What happens on the way. */
  tell(what: 'resumed-set-up' | { readonly invalid: string }): void;
};
/** `style`: what this call asks for; null: the session's own. */
export type Begun =
  | ({ readonly do: 'set-up'; readonly style: RunStyle | null } & SetUp)
  | { readonly do: 'go-on'; readonly style: RunStyle | null; readonly file: WorkflowFile }
  | { readonly do: 'halt'; readonly deleted: boolean };

const COMMAND = 'harness workflow';

/** `likely`: the language of whoever writes what says nothing. */
export async function beginWorkflow(
  target: Target,
  wanted: Wanted,
  likely: string,
  person: Person,
  watcher: Watcher,
): Promise<Result<Begun>> {
  const closed = closedBy(target, { work: true });
  if (closed !== null) return err(closed);
  const found = await lookAtSession(target);
  if (!found.ok) return found;
  const base = wanted.outputDir === null ? ok(null) : await outputBase(target, wanted.outputDir);
  if (!base.ok) return base;
  const to = await openingOf(found.value, wanted, person);
  if (!to.ok) return to;
  const file = fileOf(found.value);
  switch (to.value.do) {
    case 'continue':
      return ok({ do: 'go-on', style: styleFor(wanted.step), file: to.value.s.file });
    case 'refuse':
      return err(first(wanted.step, to.value.first, to.value.missing));
    case 'refuse-path': {
      const refused = await usable(target, to.value.path);
      return refused.ok ? err(failure('workflow-moved', { file: target.config.paths.backlog })) : refused;
    }
    case 'halt': {
      if (!to.value.deletes) return ok({ do: 'halt', deleted: false });
      return underLock(target, found.value, watcher, async () => {
        const cleared = await clearSession(target, 'workflow-stopped');
        return cleared.ok ? ok({ do: 'halt', deleted: true }) : cleared;
      });
    }
    case 'restart':
      if (to.value.why === 'docs-path-invalid' && file !== null) person.tell({ invalid: resolved(file).docs_path });
      return settingUp(target, wanted, { found: found.value, known: null, isRestart: true, likely }, person, watcher);
    case 'set-up': {
      const { known } = to.value;
      if (known !== null) person.tell('resumed-set-up');
      return settingUp(target, wanted, { found: found.value, known, isRestart: false, likely }, person, watcher);
    }
    case 'ask':
      return err(failure('workflow-moved', { file: target.config.paths.backlog })); // every question was answered
  }
}

const styleFor = (step: NamedStep | null): RunStyle | null => (step === null ? null : STYLE_OF_STEP[step]);

/** What is to be done, with the questions answered. */
async function openingOf(found: Found, wanted: Wanted, person: Person): Promise<Result<StartDecision>> {
  const { step, task } = wanted;
  const file = fileOf(found);
  // Whoever gives the same command again after it died has said already what is wanted.
  const isAgain = file !== null && isUnfinished(file) && task === file.task && wanted.answers.session === null;
  if (isAgain) return ok(decisionAfter('session: resume', file, step, found.facts));
  const to = startDecision(found.state, { step, hasTask: task !== null }, found.facts);
  if (to.do !== 'ask') return ok(to);
  if (to.gate === 'conflict' || file === null) {
    const skill = found.state?.kind === 'foreign' ? found.state.skill : '';
    const said = wanted.answers.conflict ?? (await person.conflict(skill, START_GATES.conflict.options));
    if (!isAnswer('conflict', said)) return err(failure('workflow-conflict', { skill }));
    return ok(decisionAfter(`conflict: ${said}`, null, step, found.facts));
  }
  const said = wanted.answers.session ?? (await person.session(file, START_GATES.session.options));
  const { task: its, phase } = resolved(file);
  if (!isAnswer('session', said)) return err(failure('workflow-under-way', { task: its, phase: phase ?? 'setup' }));
  return ok(decisionAfter(`session: ${said}`, file, step, found.facts));
}

const isUnfinished = (file: WorkflowFile): file is StateFile => !isV1(file) && resolved(file).phase === null;

type AnswerTo<G extends StartGate> = (typeof START_GATES)[G]['options'][number];
const isAnswer = <G extends StartGate>(gate: G, said: string | null): said is AnswerTo<G> =>
  START_GATES[gate].options.some((one) => one === said);

const first = (step: NamedStep | null, before: NamedStep, missing: readonly string[]) =>
  failure('workflow-step-first', { step: step ?? 'plan', first: before, missing: missing.join(', ') });

async function settingUp(
  target: Target,
  wanted: Wanted,
  ask: Pick<Parameters<typeof setUp>[2], 'found' | 'known' | 'isRestart' | 'likely'>,
  person: Person,
  watcher: Watcher,
): Promise<Result<Begun>> {
  const file = fileOf(ask.found);
  const { step } = wanted;
  // Begun anew there is nothing that these could work on.
  if (step === 'generate' || step === 'verify' || step === 'evaluate') return err(first(step, 'plan', []));
  const task = wanted.task ?? (ask.isRestart ? (file?.task ?? null) : null);
  if (ask.known === null && task === null)
    return err(failure('usage', { what: 'a new workflow wants a task', hint: 'harness workflow "TASK"' }));
  return underLock(target, ask.found, watcher, async (lane) => {
    const made = await setUp(target, lane, { ...ask, wanted: { ...wanted, task } }, person);
    return made.ok ? ok({ do: 'set-up', style: styleFor(step), ...made.value }) : made;
  });
}

type Use = (lane: Parameters<typeof setUp>[1]) => Promise<Result<Begun>>;

/** What was decided was decided over what was read: it must be there still. */
const underLock = (target: Target, found: Found, watcher: Watcher, use: Use): Promise<Result<Begun>> =>
  withLane(target, runName(target.clock, 'c'), COMMAND, 'no-box', watcher, async ({ lane }) => {
    const now = await lookAtSession(target);
    if (!now.ok) return now;
    if (now.value.text !== found.text) return err(failure('workflow-moved', { file: target.config.paths.backlog }));
    return use(lane);
  });
