// Mode and models of a new session: from the command line, else the user's answer, else the recommendation, which is then recorded as such.
import type { StartUser } from '../../../engine/start.ts';
import { Bug } from '../../../model/bug.ts';
import { MODES, type Mode } from '../file/state.ts';
import {
  chosenModels,
  MODEL_RETRIES,
  PRESETS,
  RECOMMENDED_PRESET,
  type ModelChoice,
  type ModelConfig,
} from '../sessions/models.ts';
import type { StartInput } from './options.ts';

export type Choices = {
  readonly mode: Mode;
  readonly models: ModelConfig;
  readonly assumed: { readonly [question: string]: string };
};

export const RECOMMENDED_MODE: Mode = 'standard';
/** In the order in which they are shown. */
const SHOWN_MODES: readonly Mode[] = [RECOMMENDED_MODE, ...MODES.filter((mode) => mode !== RECOMMENDED_MODE)];

export async function choices(input: StartInput, user: StartUser): Promise<Choices> {
  const mode = input.mode ?? (await askMode(user));
  const models = input.models === null ? await askModels(input, user) : chosenModels(input.models, input.verifier);
  const config = models ?? chosenModels(RECOMMENDED_PRESET, input.verifier);
  if (!config.ok) throw new Bug(`models that were checked: ${config.wrong.join(', ')}`);
  return {
    mode: mode ?? RECOMMENDED_MODE,
    models: config.config,
    assumed: {
      ...(mode === null ? { mode: RECOMMENDED_MODE } : {}),
      ...(models === null ? { models: RECOMMENDED_PRESET } : {}),
    },
  };
}

/** null: the user cannot be asked. */
async function askMode(user: StartUser): Promise<Mode | null> {
  if (!user.canBeAsked) return null;
  const params = { recommended: RECOMMENDED_MODE };
  const answer = await user.choose({ key: 'workflow.mode', choices: SHOWN_MODES, params });
  return MODES.find((mode) => mode === answer) ?? RECOMMENDED_MODE;
}

/** null: the user cannot be asked, or gave too many answers that are not understood. */
async function askModels({ verifier }: StartInput, user: StartUser): Promise<ModelChoice | null> {
  if (!user.canBeAsked) return null;
  const params = { recommended: RECOMMENDED_PRESET };
  const question = { key: 'workflow.models', choices: Object.keys(PRESETS), params, other: true } as const;
  for (let asked = 0; asked <= MODEL_RETRIES; asked += 1) {
    const choice = chosenModels((await user.choose(question)) ?? RECOMMENDED_PRESET, verifier);
    if (choice.ok) return choice;
    if (asked < MODEL_RETRIES)
      user.say('workflow.models-wrong', { wrong: choice.wrong.join(', '), allowed: choice.allowed.join(', ') });
  }
  return null;
}
