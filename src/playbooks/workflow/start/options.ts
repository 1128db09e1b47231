// What the command line asks for: words and options, each checked before anything is started.
import type { ModelName } from '../../../model/config.ts';
import { failure, type Failure } from '../../../model/failure.ts';
import { err, ok, type Result } from '../../../model/result.ts';
import { nearest } from '../../../model/nearest.ts';
import { chosenModels, verifierOf } from '../sessions/models.ts';
import { START_GATES, type StartGate } from '../session-recovery.ts';
import { MODES, type Mode } from '../file/state.ts';
import { STEPS, type NamedStep } from '../file/run-options.ts';

/** As typed; null: not given. */
export type StartOptions = {
  readonly mode: string | null;
  readonly modelConfig: string | null;
  readonly verifierModel: string | null;
  readonly lintCmd: string | null;
  readonly typeCheckCmd: string | null;
  readonly outputDir: string | null;
  readonly scope: string | null;
  readonly maxFiles: string | null;
  readonly maxRounds: string | null;
  readonly onSession: string | null;
  readonly onConflict: string | null;
};

/** null: not given. */
export type StartInput = {
  readonly step: NamedStep | null;
  readonly task: string | null;
  readonly mode: Mode | null;
  /** A preset or a custom choice that can be read. */
  readonly models: string | null;
  readonly verifier: ModelName | null;
  readonly lintCmd: string | null;
  readonly typeCheckCmd: string | null;
  /** Not checked yet: what is at this path may change until it is used. */
  readonly outputDir: string | null;
  readonly scope: string | null;
  readonly maxFiles: number | null;
  readonly maxRounds: number | null;
  /** Answers given in advance. */
  readonly answers: { readonly [G in StartGate]: string | null };
};

const EXAMPLE = 'harness workflow "TASK"';
const MOST_FILES = 10_000;
const MOST_ROUNDS = 100;

/** Every mistake at once: the first is the failure, the others are its causes. */
export function readStartInput(words: readonly string[], flags: StartOptions): Result<StartInput> {
  const wrong: Failure[] = [];
  const refuse = (what: string, hint: string): null => {
    wrong.push(failure('usage', { what, hint }));
    return null;
  };
  const oneOf = <T extends string>(flag: string, said: string | null, allowed: readonly T[], hint: string): T | null =>
    said === null
      ? null
      : (allowed.find((one) => one === said) ?? refuse(`${flag} wants one of ${allowed.join(', ')}`, hint));
  const number = (flag: string, said: string | null, most: number): number | null => {
    if (said === null) return null;
    const n = Number(said);
    if (/^\d+$/.test(said) && n >= 1 && n <= most) return n;
    return refuse(`${flag} wants a whole number from 1 to ${most}`, `${EXAMPLE} ${flag} 3`);
  };
  const [first = null, second = null] = words;
  const step = STEPS.find((name) => name === first) ?? null;
  // One word that is almost a step is a typing mistake, not a task.
  const meant = step === null && first !== null && /^\w+$/.test(first) ? nearest(first.toLowerCase(), STEPS) : '';
  if (meant !== '') refuse(`'${first}' is no step; was ${meant} meant?`, `harness workflow ${meant}`);
  else if (step === null && second !== null) refuse(`'${first}' is no step; allowed: ${STEPS.join(', ')}`, EXAMPLE);
  const task = step === null ? first : second;
  if (task !== null && !/[\p{L}\p{N}]/u.test(task)) refuse('the task is empty', EXAMPLE);
  if (task?.includes('\0') === true) refuse('the task contains a NUL character', EXAMPLE);
  const mode = oneOf('--mode', flags.mode, MODES, `${EXAMPLE} --mode standard`);
  const verifier = flags.verifierModel === null ? null : verifierOf(flags.verifierModel);
  if (verifier?.ok === false)
    refuse(`--verifier-model wants one of ${verifier.allowed.join(', ')}`, `${EXAMPLE} --verifier-model haiku`);
  const models = flags.modelConfig === null ? null : chosenModels(flags.modelConfig, null);
  if (models?.ok === false)
    refuse(
      `--model-config: ${models.wrong.join(', ')}; allowed: ${models.allowed.join(', ')}`,
      `${EXAMPLE} --model-config balanced`,
    );
  const scope = flags.scope === null ? null : scopeOf(flags.scope);
  if (flags.scope !== null && scope === null)
    refuse('--scope wants patterns of paths inside the repository', `${EXAMPLE} --scope 'src/**,test/**'`);
  const input: StartInput = {
    step,
    task: task?.trim() ?? null,
    mode,
    models: models?.ok === true ? flags.modelConfig : null,
    verifier: verifier?.ok === true ? verifier.model : null,
    lintCmd: flags.lintCmd,
    typeCheckCmd: flags.typeCheckCmd,
    outputDir: flags.outputDir,
    scope,
    maxFiles: number('--max-files', flags.maxFiles, MOST_FILES),
    maxRounds: number('--max-rounds', flags.maxRounds, MOST_ROUNDS),
    answers: {
      session: oneOf(
        '--on-session',
        flags.onSession,
        START_GATES.session.options,
        'harness workflow --on-session resume',
      ),
      conflict: oneOf(
        '--on-conflict',
        flags.onConflict,
        START_GATES.conflict.options,
        `${EXAMPLE} --on-conflict delete`,
      ),
    },
  };
  const [worst, ...others] = wrong;
  return worst === undefined ? ok(input) : err(others.length === 0 ? worst : { ...worst, causes: others });
}

/** Patterns as state.json has them, separated by commas; null: one of them leads outside the repository, or there is none. */
function scopeOf(said: string): string | null {
  const patterns = said.split(',').map((one) => one.trim().replace(/^(?:\.\/)+/, ''));
  const isFit = (one: string): boolean =>
    one !== '' && !/^[/~!-]|^[A-Za-z]:|[\\\p{Cc}]/u.test(one) && !one.split('/').includes('..');
  return patterns.every(isFit) ? patterns.join(',') : null;
}
