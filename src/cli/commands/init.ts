// `harness init`: sets up a repository, from a spec with an agent, or as an empty frame.
import { initFromSpec } from '../../app/setup/from-spec.ts';
import { initByHand, type InitReport } from '../../app/setup/init.ts';
import { installSkills, type Installed } from '../../app/setup/skill.ts';
import { hasItems, openTarget, type Target } from '../../app/open/target.ts';
import { DEFAULT_PLAYBOOK } from '../../model/config.ts';
import { toJson } from '../../model/json.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { PLAYBOOKS } from '../../playbooks/registry.ts';
import { stoppable, textOf, type Answer, type Caller, type CommandSpec } from '../command.ts';
import { EXIT, exitOf } from '../exit-codes.ts';
import { showNotices } from '../notices.ts';
import { narrator } from '../show/narrator.ts';

const NAMES = PLAYBOOKS.map(({ name }) => name);
const [, OTHER = DEFAULT_PLAYBOOK] = NAMES;

export const init: CommandSpec = {
  name: 'init',
  args: '',
  options: [
    { flags: '--playbook <name>', about: `one of ${NAMES.join(', ')} (default: ${DEFAULT_PLAYBOOK})` },
    { flags: '--skill', about: 'only install the skills /harness and /workflow for other agents' },
    { flags: '--spec <file>', about: 'what to build: an agent turns it into features, scripts and failing test stubs' },
    { flags: '--no-suite', about: 'do not run the test suite, which shows what passes only in your work tree' },
  ],
  examples: ['harness init --spec docs/requirements.md', 'harness init', `harness init --playbook ${OTHER}`],
  async run(call) {
    const { caller } = call;
    const playbook = NAMES.find((name) => name === (textOf(call, 'playbook') ?? DEFAULT_PLAYBOOK));
    if (playbook === undefined)
      return err(
        failure('usage', {
          what: `--playbook must be one of ${NAMES.join(', ')}`,
          hint: `harness init --playbook ${OTHER}`,
        }),
      );
    const target = await openTarget({ ...caller, playbook });
    if (!target.ok) return target;
    if (call.options['skill'] === true) {
      const installed = await installSkills(target.value, narrator(caller));
      return installed.ok ? ok(skillAnswer(installed.value, caller)) : installed;
    }
    const { source } = target.value.config;
    if (textOf(call, 'playbook') !== null && target.value.machine.name !== playbook) {
      const what = `${source ?? 'the configuration'} says playbook: ${target.value.machine.name}`;
      return err(failure('usage', { what, hint: 'harness init' }));
    }
    const spec = textOf(call, 'spec');
    if (spec !== null) showNotices(target.value, caller);
    const watcher = narrator(caller);
    const made = await stoppable(caller, (stop) => {
      const how = { stop, withSuite: call.options['suite'] !== false };
      return spec === null
        ? initByHand(target.value, how, watcher)
        : initFromSpec(target.value, spec, caller.cwd, how, watcher);
    });
    if (!made.ok) return made;
    const missing = spec === null ? target.value.needed : [];
    const isReady = spec !== null || (await hasItems(target.value));
    return ok(answerOf(made.value, missing, caller, readyLine(target.value, isReady, caller)));
  },
};

/** `isReady`: there are items, so that a run has something to do. */
export function readyLine({ playbook }: Target, isReady: boolean, { catalogue: { text } }: Caller): string {
  const { oneTask, specFile } = playbook;
  if (oneTask !== undefined) return text(oneTask.readyText);
  if (isReady) return text('init.ready');
  return specFile === undefined ? text('init.ready-empty') : text('init.ready-spec', { file: specFile });
}

function skillAnswer({ made, commit }: Installed, { catalogue: { text } }: Caller): Answer {
  const json = { made, commit, result: commit === null ? 'already' : 'applied' };
  const lines =
    commit === null
      ? [text('init.skill-there')]
      : [...made.map((path) => `  ${path}`), text('init.commit', { commit: commit.slice(0, 10) })];
  return { exit: EXIT.done, json, lines };
}

/** What stops a run although the frame is there, in the words of the failure that it would end with. */
const obstacle = (why: Failure, { catalogue }: Caller): readonly string[] => {
  const { title, fix } = catalogue.failure(why);
  return [title, ...fix.map((line) => `  → ${line}`)];
};

/** `missing`: settings that could not be inferred · `ready`: the last line where it worked. */
export function answerOf(
  report: InitReport,
  missing: readonly Failure[],
  caller: Caller,
  ready: string,
  rejected: 'init.rejected' | 'plan.rejected' = 'init.rejected',
): Answer {
  const { text, problem, outcome } = caller.catalogue;
  const json = {
    commit: report.commit,
    made: report.made,
    reason: report.reason,
    problems: toJson(report.problems),
    suite: report.suite,
    suite_failure: report.why === null ? null : toJson(report.why),
    needed: toJson(missing),
  };
  if (report.commit !== null) {
    const lines = [
      ...report.made.map((path) => `  ${path}`),
      text('init.commit', { commit: report.commit.slice(0, 10) }),
      ...(report.suite === 'fails' ? [text('init.suite-fails')] : []),
      ...(report.why === null ? [] : obstacle(report.why, caller)),
      ...missing.flatMap((why) => obstacle(why, caller)),
      ...(report.failure === null ? [ready] : []),
    ];
    return {
      exit: report.failure === null ? EXIT.done : exitOf(report.failure),
      json: { ...json, result: 'landed' },
      lines: [text('init.made', { count: report.made.length }), ...lines],
      failure: report.failure,
    };
  }
  if (report.failure)
    return {
      exit: exitOf(report.failure),
      json: { ...json, result: 'blocked' },
      lines: [text('init.undone')],
      failure: report.failure,
    };
  const found = report.problems.flatMap((p) =>
    problem(p)
      .split('\n')
      .map((line) => `  ${line}`),
  );
  return {
    exit: EXIT.verification,
    json: { ...json, result: 'rejected' },
    lines: [text(rejected, { reason: outcome(report.reason) }), ...found, text('init.undone')],
  };
}
