// `harness workflow`: begins a workflow, goes on with the one that is there, or leaves it; then the run is a run like any other.
import { askedFor } from '../../app/workflow/asked.ts';
import { beginWorkflow, type Begun } from '../../app/workflow/begin.ts';
import { openTarget, type Target } from '../../app/target.ts';
import { otherList } from '../../app/workflow/other-list.ts';
import { wantedOf, type Wanted } from '../../app/workflow/wanted.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { textOf, type Answer, type Call, type Caller, type CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { narrator } from '../show/narrator.ts';
import { setUpLines } from '../show/workflow.ts';
import { workflowPerson } from '../workflow-person.ts';
import { drive } from './run.ts';

export const workflow: CommandSpec = {
  name: 'workflow',
  args: '[step-or-task] [task]',
  options: [
    { flags: '--mode <name>', about: 'single, standard (recommended) or multi' },
    {
      flags: '--model-config <preset>',
      about: 'default, all-opus, balanced (recommended), economy, or executor:MODEL,…',
    },
    { flags: '--verifier-model <model>', about: 'haiku (the default), sonnet or opus' },
    { flags: '--lint-cmd <command>', about: 'instead of what is found in the project; empty: none' },
    { flags: '--type-check-cmd <command>', about: 'the same for types' },
    { flags: '--output-dir <folder>', about: 'where its documents go (default: docs/harness)' },
    { flags: '--scope <globs>', about: 'what a session may change, patterns with commas between' },
    { flags: '--max-files <n>', about: 'how many files a session may change (default: 20)' },
    { flags: '--max-rounds <n>', about: 'how often a failed evaluation may be mended (default: 3)' },
    { flags: '--on-session <answer>', about: 'where a session is there already: resume, restart or stop' },
    { flags: '--on-conflict <answer>', about: 'where another skill has one there: delete or cancel' },
  ],
  examples: ['harness workflow "Fix the login"', 'harness workflow plan "Add a cart"', 'harness workflow verify'],
  async run(call) {
    const { caller } = call;
    const wanted = wantedOf(call.args, flagsOf(call));
    if (!wanted.ok) return wanted;
    const target = await openTarget({ ...caller, playbook: 'workflow' });
    if (!target.ok) return target;
    const { playbook, source } = target.value.config;
    if (playbook.machine !== 'workflow') {
      const what = `${source ?? 'the configuration'} says playbook: ${playbook.machine}`;
      return err(failure('usage', { what, hint: 'playbook: workflow   (in the configuration)' }));
    }
    const other = await otherList(target.value, caller.configFile);
    if (!other.ok) return other;
    if (other.value !== null) {
      const what = `${other.value} is here, and no configuration says that this is a workflow's repository`;
      return err(failure('usage', { what, hint: 'playbook: workflow   (in .harness.yaml)' }));
    }
    const begun = await beginWorkflow(
      target.value,
      wanted.value,
      caller.language,
      workflowPerson(caller),
      narrator(caller),
    );
    return begun.ok ? goOn(target.value, wanted.value, begun.value, caller) : begun;
  },
};

const flagsOf = (call: Call): Parameters<typeof wantedOf>[1] => ({
  mode: textOf(call, 'mode'),
  modelConfig: textOf(call, 'modelConfig'),
  verifierModel: textOf(call, 'verifierModel'),
  lintCmd: textOf(call, 'lintCmd'),
  typeCheckCmd: textOf(call, 'typeCheckCmd'),
  outputDir: textOf(call, 'outputDir'),
  scope: textOf(call, 'scope'),
  maxFiles: textOf(call, 'maxFiles'),
  maxRounds: textOf(call, 'maxRounds'),
  onSession: textOf(call, 'onSession'),
  onConflict: textOf(call, 'onConflict'),
});

async function goOn(target: Target, { step }: Wanted, begun: Begun, asking: Caller): Promise<Result<Answer>> {
  if (begun.do === 'halt') {
    const said = asking.catalogue.text(begun.deleted ? 'workflow.stopped' : 'workflow.halted');
    return ok({ exit: EXIT.done, json: { result: begun.deleted ? 'stopped' : 'halted' }, lines: [said] });
  }
  const caller = await asking.asSpoken();
  if (begun.do === 'set-up') for (const line of setUpLines(begun, caller)) caller.say(line);
  const asked = askedFor(target, step, begun.style);
  const mode = {
    work: true,
    only: null,
    untilDone: target.machine.runs === 'until-done',
    maxSessions: null,
    maxItems: null,
  };
  const answer = await drive(asked, mode, 'harness workflow', caller);
  if (!answer.ok || begun.do !== 'set-up' || answer.value.json === null) return answer;
  const { branch = null, docs_path: docs = null } = begun.file;
  const made = { branch, docs_path: docs, assumed: begun.assumed };
  return ok({ ...answer.value, json: { ...answer.value.json, set_up: made } });
}
