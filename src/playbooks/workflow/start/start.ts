// `harness workflow`: sets up, continues or ends the session of a workflow. What is in the folder, what the command line says and what the user
// answers decide (../session-recovery.ts). Nothing is deleted without an answer, and a refused command has changed nothing.
import type { ReadStart, StartEffects, Started, StartHost } from '../../../engine/start.ts';
import { Bug } from '../../../model/bug.ts';
import { failure } from '../../../model/failure.ts';
import { err, ok, type Result } from '../../../model/result.ts';
import { isV1, resolved, type StateFile, type WorkflowFile } from '../file/state.ts';
import {
  decisionAfter,
  NEXT_STEP,
  START_GATES,
  startDecision,
  type StartDecision,
  type StartGate,
} from '../session-recovery.ts';
import { setupLines, statusOf } from '../status.ts';
import { STYLE_OF_STEP } from '../table/resume.ts';
import { readStartInput, type StartInput } from './options.ts';
import { fileOf, findSession, removeSession, type FoundSession } from './session.ts';
import { outputBase, setUp, usableDocsPath, type SetUp, type SetUpInput } from './set-up.ts';
import type { RunStyle, NamedStep } from '../file/run-options.ts';

export const readStart: ReadStart = (words, option) => {
  const input = readStartInput(words, {
    mode: option('mode'),
    modelConfig: option('modelConfig'),
    verifierModel: option('verifierModel'),
    lintCmd: option('lintCmd'),
    typeCheckCmd: option('typeCheckCmd'),
    outputDir: option('outputDir'),
    scope: option('scope'),
    maxFiles: option('maxFiles'),
    maxRounds: option('maxRounds'),
    onSession: option('onSession'),
    onConflict: option('onConflict'),
  });
  return input.ok ? ok(async (host) => startedBy(await startWorkflow(host, input.value), host, input.value)) : input;
};

/** `style`: what this call asks for; null: the session's own. */
export type WorkflowStart =
  | ({ readonly do: 'set-up'; readonly style: RunStyle | null } & SetUp)
  | { readonly do: 'continue'; readonly style: RunStyle | null; readonly file: WorkflowFile }
  | { readonly do: 'halt'; readonly deleted: boolean };

function startedBy(start: Result<WorkflowStart>, { user }: StartHost, { step }: StartInput): Result<Started> {
  if (!start.ok) return start;
  const { value } = start;
  if (value.do === 'halt')
    return ok(
      value.deleted
        ? { do: 'stop', text: 'workflow.stopped', result: 'stopped' }
        : { do: 'stop', text: 'workflow.halted', result: 'halted' },
    );
  const run = { do: 'run', runOptions: { phase: step, style: value.style } } as const;
  if (value.do === 'continue') return ok(run);
  const { file, assumed, taken } = value;
  const state = resolved(file);
  const { lines, warning } = setupLines(state, state.repo_path);
  user.show(lines, 'workflow.started');
  if (warning !== null) user.say('workflow.verifier-dear', { model: state.model_config.verifier }, 'warning');
  if (taken !== null) user.say('workflow.branch-other', { wanted: taken, branch: file.branch ?? '' }, 'warning');
  const names = Object.entries(assumed).map(([question, answer]) => `${question} ${answer}`);
  if (names.length > 0) user.say('workflow.assumed', { names: names.join(', ') }, 'warning');
  const { branch = null, docs_path = null } = file;
  return ok({ ...run, setUp: { branch, docs_path, assumed } });
}

export async function startWorkflow(host: StartHost, input: StartInput): Promise<Result<WorkflowStart>> {
  const found = await findSession(host);
  if (!found.ok) return found;
  const base = input.outputDir === null ? ok(null) : await outputBase(host, input.outputDir);
  if (!base.ok) return base;
  const decision = await decide(host, found.value, input);
  if (!decision.ok) return decision;
  const file = fileOf(found.value);
  switch (decision.value.do) {
    case 'continue':
      return ok({ do: 'continue', style: styleFor(input.step), file: decision.value.s.file });
    case 'refuse':
      return err(stepFirst(input.step, decision.value.first, decision.value.missing));
    case 'refuse-path': {
      const refused = await usableDocsPath(host, decision.value.path);
      return refused.ok ? err(failure('workflow-moved', { file: host.config.paths.backlog })) : refused;
    }
    case 'halt': {
      if (!decision.value.deletes) return ok({ do: 'halt', deleted: false });
      return whileUnchanged(host, found.value, async (effects) => {
        const removed = await removeSession(host, effects, 'workflow-stopped');
        return removed.ok ? ok({ do: 'halt', deleted: true }) : removed;
      });
    }
    case 'restart':
      if (decision.value.why === 'docs-path-invalid' && file !== null)
        host.user.say('workflow.docs-path-invalid', { path: resolved(file).docs_path }, 'warning');
      return settingUp(host, { input, found: found.value, known: null, isRestart: true });
    case 'set-up': {
      const { known } = decision.value;
      if (known !== null) host.user.say('workflow.resumed-set-up', {}, 'warning');
      return settingUp(host, { input, found: found.value, known, isRestart: false });
    }
    case 'ask':
      throw new Bug('a question was answered with a question');
  }
}

const styleFor = (step: NamedStep | null): RunStyle | null => (step === null ? null : STYLE_OF_STEP[step]);

/** What is to be done, with the questions answered. */
async function decide(
  { user }: StartHost,
  found: FoundSession,
  { step, task, answers }: StartInput,
): Promise<Result<StartDecision>> {
  const file = fileOf(found);
  // A user who repeats the command after a crash wants the same.
  const isAgain = file !== null && isUnfinished(file) && task === file.task && answers.session === null;
  if (isAgain) return ok(decisionAfter('session: resume', file, step, found.facts));
  const decision = startDecision(found.state, { step, hasTask: task !== null }, found.facts);
  if (decision.do !== 'ask') return ok(decision);
  if (decision.gate === 'conflict' || file === null) {
    const skill = found.state?.kind === 'foreign' ? found.state.skill : '';
    const answer =
      answers.conflict ??
      (await user.choose({ key: 'workflow.conflict', choices: START_GATES.conflict.options, params: { skill } }));
    if (!isAnswer('conflict', answer)) return err(failure('workflow-conflict', { skill }));
    return ok(decisionAfter(`conflict: ${answer}`, null, step, found.facts));
  }
  const answer = answers.session ?? (await askAboutSession(user, file));
  const { task: its, phase } = resolved(file);
  if (!isAnswer('session', answer)) return err(failure('workflow-under-way', { task: its, phase: phase ?? 'setup' }));
  return ok(decisionAfter(`session: ${answer}`, file, step, found.facts));
}

function askAboutSession(user: StartHost['user'], file: WorkflowFile): Promise<string | null> {
  const { phase } = resolved(file);
  // Version 1 has no named steps.
  const next = phase === null || isV1(file) ? null : NEXT_STEP[phase];
  user.show(statusOf(file).lines, isV1(file) ? 'workflow.there-v1' : 'workflow.there');
  user.say('workflow.next', { step: next ?? '' });
  const params = { phase: user.text(`workflow.line.${phase ?? 'setup'}`) };
  return user.choose({ key: 'workflow.session', choices: START_GATES.session.options, params });
}

const isUnfinished = (file: WorkflowFile): file is StateFile => !isV1(file) && resolved(file).phase === null;

type AnswerTo<G extends StartGate> = (typeof START_GATES)[G]['options'][number];
const isAnswer = <G extends StartGate>(gate: G, answer: string | null): answer is AnswerTo<G> =>
  START_GATES[gate].options.some((one) => one === answer);

const stepFirst = (step: NamedStep | null, before: NamedStep, missing: readonly string[]) =>
  failure('workflow-step-first', { step: step ?? 'plan', first: before, missing: missing.join(', ') });

async function settingUp(host: StartHost, ask: SetUpInput): Promise<Result<WorkflowStart>> {
  const { input, found, known, isRestart } = ask;
  const { step } = input;
  // In a new session these would have nothing to work on.
  if (step === 'generate' || step === 'verify' || step === 'evaluate') return err(stepFirst(step, 'plan', []));
  const task = input.task ?? (isRestart ? (fileOf(found)?.task ?? null) : null);
  if (known === null && task === null)
    return err(failure('usage', { what: 'a new workflow wants a task', hint: 'harness workflow "TASK"' }));
  return whileUnchanged(host, found, async (effects) => {
    const made = await setUp(host, effects, { ...ask, input: { ...input, task } });
    return made.ok ? ok({ do: 'set-up', style: styleFor(step), ...made.value }) : made;
  });
}

/** The decision rests on what was read: under the lock it must still be the same. */
const whileUnchanged = (
  host: StartHost,
  found: FoundSession,
  use: (effects: StartEffects) => Promise<Result<WorkflowStart>>,
): Promise<Result<WorkflowStart>> =>
  host.locked(async (effects) => {
    const now = await findSession(host);
    if (!now.ok) return now;
    if (now.value.text !== found.text) return err(failure('workflow-moved', { file: host.config.paths.backlog }));
    return use(effects);
  });
