// Mode and models of a new session (reference 004, Step 1.9 to 1.10.5): what the command line says, else what a person says, else what is
// recommended, and then it is noted that nobody was asked.
import {
  chosenModels,
  MODEL_RETRIES,
  RECOMMENDED_PRESET,
  type ModelChoice,
  type ModelConfig,
} from '../../playbooks/workflow/sessions/models.ts';
import { Bug } from '../../model/bug.ts';
import type { Mode } from '../../playbooks/workflow/file/state.ts';
import type { Wanted } from './wanted.ts';

export type Wrong = ModelChoice & { readonly ok: false };
/** How a person is asked. Each answers null where nobody can be. */
export type Asks = {
  /** From here on they are spoken to in this language, ISO 639-1. */
  speak(lang: string): Promise<void>;
  mode(recommended: Mode): Promise<Mode | null>;
  /** `wrong`: what could not be read of the last answer, and what can. */
  models(recommended: string, wrong: Wrong | null): Promise<string | null>;
};
export type Choices = {
  readonly mode: Mode;
  readonly models: ModelConfig;
  readonly assumed: { readonly [question: string]: string };
};

export const RECOMMENDED_MODE: Mode = 'standard';

export async function choices(wanted: Wanted, asks: Asks): Promise<Choices> {
  const mode = wanted.mode ?? (await asks.mode(RECOMMENDED_MODE));
  const models =
    wanted.models === null ? await askedModels(wanted, asks) : chosenModels(wanted.models, wanted.verifier);
  const config = models ?? chosenModels(RECOMMENDED_PRESET, wanted.verifier);
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

/** null: nobody could be asked, or what they said could not be read once too often. */
async function askedModels({ verifier }: Wanted, asks: Asks): Promise<ModelChoice | null> {
  let wrong: Wrong | null = null;
  for (let asked = 0; asked <= MODEL_RETRIES; asked += 1) {
    const said = await asks.models(RECOMMENDED_PRESET, wrong);
    const choice: ModelChoice | null = said === null ? null : chosenModels(said, verifier);
    if (choice === null || choice.ok) return choice;
    wrong = choice;
  }
  return null;
}
