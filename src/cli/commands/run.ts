// `harness run`: one session by default, all items with --until-done, nothing with --dry-run.
import { resolve } from 'node:path';
import { durationMs } from '../../model/duration.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { failure } from '../../model/failure.ts';
import { createControl, runLoop } from '../../app/run/run.ts';
import type { AgentChoice } from '../../app/config/agents.ts';
import type { TapeRequest } from '../../app/run/tape.ts';
import type { Watcher } from '../../app/open/run-context.ts';
import { userLanguage } from '../../app/open/language.ts';
import { openTarget, type Target } from '../../app/open/target.ts';
import { planFirst } from '../../app/run/plan-first.ts';
import { dryRun } from '../../app/run/dry-run.ts';
import { findItem } from '../../app/backlog/find-item.ts';
import { runSummary } from '../../app/run/run-summary.ts';
import { toJson } from '../../model/json.ts';
import { PROVIDERS } from '../../model/config.ts';
import type { RunMode } from '../../model/run.ts';
import { runOptionFlags, withRunOptions } from '../run-options.ts';
import { stoppable, textOf, type Answer, type CommandCall, type Caller, type CommandSpec } from '../command.ts';
import { exitOfRun, exitOfSignal } from '../exit-codes.ts';
import { canChoose, chooseWhatFollows, MAINTAIN_MS } from '../after-done.ts';
import { askOpenGates } from '../ask-gates.ts';
import { answerOf, readyLine } from './init.ts';
import { showNotices } from '../notices.ts';
import { showDryRun, showRun } from '../show/run.ts';
import { liveWatcher } from '../show/live/watch-run.ts';
import { narrator } from '../show/narrator.ts';

export const run: CommandSpec = {
  name: 'run',
  args: '[item]',
  options: [
    { flags: '--once', about: 'one session (the default)' },
    { flags: '--until-done', about: 'session after session until everything has landed or a user is needed' },
    { flags: '--max-sessions <n>', about: 'stop after this many sessions' },
    { flags: '--max-items <n>', about: 'stop after this many landed items' },
    { flags: '--lanes <n>', about: 'items worked on at the same time, instead of `lanes` of the configuration' },
    { flags: '--feature <n>', about: 'the item to work on' },
    { flags: '--i-accept-unsandboxed', about: 'with --until-done: run even if this machine has no sandbox' },
    { flags: '--maintain', about: 'until done, then check the project regularly; what breaks is the next item' },
    { flags: '--every <duration>', about: 'with --maintain: how often to check (default: 1h)' },
    { flags: '--provider <id>', about: 'agent of this run: claude, codex, acp, scripted or replay' },
    ...runOptionFlags(),
    { flags: '--look', about: 'follow the base branch and take over merges by others; begin no plan' },
    { flags: '--record', about: 'record the run, so that it can be replayed' },
    { flags: '--cassette <file>', about: 'with --record: the file to write; with --provider replay: the file to play' },
    { flags: '--dry-run', about: 'show the item and the prompt, change nothing' },
  ],
  examples: ['harness run', 'harness run --until-done', 'harness run 12 --dry-run'],
  async run(call) {
    const mode = modeOf(call);
    if (!mode.ok) return mode;
    const { caller } = call;
    const taped = tapeOf(call);
    if (!taped.ok) return taped;
    const { agents, tape } = taped.value;
    const target = await openTarget(agents === null ? caller : { ...caller, agents });
    if (!target.ok) return target;
    const laned = withLanes(target.value, call, tape);
    if (!laned.ok) return laned;
    const asked = withRunOptions(laned.value, call, mode.value.only !== null);
    if (!asked.ok) return asked;
    if (mode.value.only !== null) {
      const found = await findItem(target.value, mode.value.only);
      if (!found.ok) return found;
    }
    if (call.options['dryRun'] === true) {
      const plan = await dryRun(asked.value, mode.value.only);
      return plan.ok ? ok({ exit: 0, json: plan.value.json, lines: showDryRun(plan.value, caller) }) : plan;
    }
    if (mode.value.onlyLooks === true && target.value.playbook.tick === undefined)
      return err(
        failure('usage', { what: `the playbook ${target.value.playbook.name} has no --look`, hint: 'harness run' }),
      );
    const planned = await plan(asked.value, caller);
    if (!planned.ok) return planned;
    if (planned.value !== null) return ok(planned.value);
    return drive(asked.value, withDefaults(asked.value, mode.value, call), 'harness run', caller, tape);
  },
};

/** null: the plan is there. Otherwise why the run ends here. */
async function plan(target: Target, caller: Caller): Promise<Result<Answer | null>> {
  const made = await stoppable(caller, (signal) => planFirst(target, signal, narrator(caller)));
  if (!made.ok) return made;
  if (made.value === null) return ok(null);
  const answer = answerOf(made.value, [], caller, readyLine(target, true, caller));
  if (made.value.commit === null || made.value.failure !== null) return ok(answer);
  for (const line of answer.lines) caller.say(line);
  return ok(null);
}

/** Fails with `usage` where the playbook has one task, or one agent after another is recorded or played. */
function withLanes(target: Target, call: CommandCall, tape: TapeRequest): Result<Target> {
  const written = number(call, 'lanes');
  const lanes = written ?? target.config.lanes;
  const refused = (what: string) => err(failure('usage', { what, hint: 'harness run --lanes 1' }));
  if (!Number.isSafeInteger(lanes) || lanes < 1 || lanes > MOST_LANES)
    return refused(`--lanes must be a whole number from 1 to ${MOST_LANES}`);
  if (lanes === 1) return ok({ ...target, config: { ...target.config, lanes } });
  if (target.playbook.oneTask !== undefined)
    return refused(`the playbook ${target.playbook.name} has one task: it needs one lane`);
  const isTaped = tape.record || target.config.agents.default.provider === 'replay';
  if (isTaped) return refused('one session after another is recorded and played: it needs one lane');
  return ok({ ...target, config: { ...target.config, lanes, isolation: 'worktree' } });
}
const MOST_LANES = 64;

/** Some machines run until done unless one session or one item was requested. */
function withDefaults({ machine, config }: Target, mode: RunMode, { options }: CommandCall): RunMode {
  if (machine.runs !== 'until-done' || mode.only !== null || options['once'] === true) return mode;
  return { ...mode, untilDone: true, maxSessions: mode.maxSessions ?? machine.mostSessions?.(config) ?? null };
}

/** A run with interrupts, questions at the terminal, the summary and the exit code; and the next one, where a person chooses so when everything is done. */
export async function drive(
  target: Target,
  mode: RunMode,
  command: string,
  caller: Caller,
  tape?: TapeRequest,
): Promise<Result<Answer>> {
  showNotices(target, caller);
  for (let next = mode; ;) {
    const ended = await driveOnce(target, next, command, caller, tape);
    if (!ended.ok) return ended;
    const { answer, isDone } = ended.value;
    const isAsked = isDone && next.only === null && (next.maintainMs ?? null) === null && tape?.record !== true;
    if (!isAsked || !canChoose(caller)) return ok(answer);
    const speaking = await caller.inUserLanguage();
    for (const line of answer.lines) caller.print(line);
    const chosen = await chooseWhatFollows(next, speaking);
    if (chosen === null) return ok({ ...answer, lines: [] });
    next = chosen;
  }
}

async function driveOnce(
  target: Target,
  mode: RunMode,
  command: string,
  caller: Caller,
  tape?: TapeRequest,
): Promise<Result<{ readonly answer: Answer; readonly isDone: boolean }>> {
  const control = createControl();
  let endedBy: 'SIGINT' | 'SIGTERM' | null = null;
  const release = caller.onInterrupt(
    () => {
      caller.say(caller.catalogue.text('interrupt.gentle'));
      control.messages.post({ type: 'pause' });
    },
    (signal) => {
      endedBy ??= signal;
      control.stop.abort();
    },
  );
  // The file that names the language is gone when a workflow has ended.
  const began = userLanguage(target.root);
  const inLanguage = () => caller.inUserLanguage(userLanguage(target.root) ?? began ?? undefined);
  let speaking = caller;
  const alone = { ...mode, isAlone: caller.noInput };
  let ended = await watched(caller, (watcher) => runLoop(target, alone, command, control, watcher, tape));
  while (ended.ok && ended.value.result === 'gate') {
    // The user of a workflow may have changed the language.
    speaking = await inLanguage();
    const answered = await askOpenGates(speaking, ended.value.gates);
    if (!answered.ok) return answered;
    if (!answered.value) break;
    ended = await watched(speaking, (watcher) => runLoop(target, mode, command, control, watcher, tape));
  }
  release();
  if (!ended.ok) return ended;
  speaking = await inLanguage();
  const summary = await runSummary(target, ended.value, speaking.catalogue);
  const own = exitOfRun(ended.value.result, { failure: summary.failure, gates: summary.asked });
  // It did what could be done; the caller hears that it was ended.
  const exit = ended.value.result === 'paused' ? exitOfSignal(endedBy, own) : own;
  const lines = showRun(summary, speaking);
  const { failure: why } = summary;
  const isDone = summary.canContinue && endedBy === null;
  if (why === null) return ok({ answer: { exit, json: { ...summary.json, exit }, lines }, isDone });
  const { title, fix } = speaking.catalogue.failure(why);
  const described = toJson({ ...why, message: title, hint: fix[0] ?? '' });
  const isError = ended.value.result === 'blocked' || ended.value.result === 'failed';
  const answer = { exit, json: { ...summary.json, failure: described, exit }, lines, failure: isError ? why : null };
  return ok({ answer, isDone });
}

/** With its lines on the screen, which are gone when it has ended. */
async function watched<T>(caller: Caller, run: (watcher: Watcher) => Promise<T>): Promise<T> {
  const live = await liveWatcher(caller, narrator(caller));
  try {
    return await run(live);
  } finally {
    live.close();
  }
}

function modeOf(call: CommandCall) {
  const numbers = { maxSessions: number(call, 'maxSessions'), maxItems: number(call, 'maxItems') };
  for (const [name, value] of Object.entries(numbers))
    if (value !== null && !(Number.isSafeInteger(value) && value > 0)) {
      const flag = name === 'maxSessions' ? '--max-sessions' : '--max-items';
      return err(failure('usage', { what: `${flag} must be a whole number above 0`, hint: `harness run ${flag} 3` }));
    }
  const maintainMs = maintenance(call);
  if (!maintainMs.ok) return maintainMs;
  const only = call.args[0] ?? textOf(call, 'feature');
  const mode: RunMode = {
    work: true,
    only: only?.replace(/^#/, '') ?? null,
    untilDone: call.options['untilDone'] === true || maintainMs.value !== null,
    maintainMs: maintainMs.value,
    ...numbers,
    ...(call.options['look'] === true ? { onlyLooks: true } : {}),
    acceptUnsandboxed: call.options['iAcceptUnsandboxed'] === true,
  };
  return ok(mode);
}

/** The options for the agent and for recording. */
function tapeOf(call: CommandCall): Result<{ readonly agents: AgentChoice | null; readonly tape: TapeRequest }> {
  const [provider, cassette] = [textOf(call, 'provider'), textOf(call, 'cassette')];
  const record = call.options['record'] === true;
  const file = cassette === null ? null : resolve(call.caller.cwd, cassette);
  const known = PROVIDERS.find((name) => name === provider) ?? null;
  if (provider !== null && known === null)
    return err(
      failure('usage', {
        what: `--provider must be one of ${PROVIDERS.join(', ')}`,
        hint: 'harness run --provider codex',
      }),
    );
  if (record && known === 'replay')
    return err(
      failure('usage', { what: '--record does not work with --provider replay', hint: 'harness run --record' }),
    );
  if (file !== null && !record && known !== 'replay')
    return err(
      failure('usage', {
        what: '--cassette needs --record or --provider replay',
        hint: 'harness run --provider replay --cassette FILE',
      }),
    );
  const agents = known === null ? null : { provider: known, scenario: known === 'replay' ? file : null };
  return ok({ agents, tape: { record, file: record ? file : null } });
}

/** The interval of maintenance in milliseconds; null: no maintenance. */
function maintenance(call: CommandCall): Result<number | null> {
  const every = textOf(call, 'every');
  const isAsked = call.options['maintain'] === true;
  if (every !== null && !isAsked)
    return err(failure('usage', { what: '--every needs --maintain', hint: 'harness run --maintain --every 30m' }));
  if (!isAsked) return ok(null);
  const ms = every === null ? MAINTAIN_MS : durationMs(every);
  return ms > 0
    ? ok(ms)
    : err(
        failure('usage', {
          what: '--every must be a duration: 90s, 30m, 4h, 2d',
          hint: 'harness run --maintain --every 30m',
        }),
      );
}

const number = (call: CommandCall, name: string): number | null => {
  const text = textOf(call, name);
  return text === null ? null : Number(text);
};
