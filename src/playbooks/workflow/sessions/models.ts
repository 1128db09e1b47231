// Which model a role is given (reference 004, Model Selection; Step 1.10 and 10.5): presets, a custom choice, the verifier. null: whatever
// the parent session has.
import { MODEL_NAMES } from '../../../model/config.ts';
import type { Model, WorkflowState } from '../file/state.ts';
import type { Role } from '../table/roles.ts';

export const SLOTS = ['executor', 'advisor', 'evaluator'] as const;
export type Slot = (typeof SLOTS)[number];
type Chosen = { readonly [S in Slot]: Model | null };

export const PRESETS = {
  default: { executor: null, advisor: null, evaluator: null },
  'all-opus': { executor: 'opus', advisor: 'opus', evaluator: 'opus' },
  balanced: { executor: 'sonnet', advisor: 'opus', evaluator: 'opus' },
  economy: { executor: 'haiku', advisor: 'sonnet', evaluator: 'sonnet' },
} as const satisfies { readonly [preset: string]: Chosen };
export type Preset = keyof typeof PRESETS;
export const RECOMMENDED_PRESET: Preset = 'balanced';
/** The name of a choice that is none of them. */
export const CUSTOM = 'custom';
const DEFAULT_VERIFIER: Model = 'haiku';
/** A custom choice that cannot be read is asked for again at most so often, then it is the recommended preset. */
export const MODEL_RETRIES = 3;

/** `wrong`: every part that is no choice, as it was written. */
export type ModelConfig = WorkflowState['model_config'];
export type ModelChoice =
  | { readonly ok: true; readonly config: ModelConfig }
  | { readonly ok: false; readonly wrong: readonly string[]; readonly allowed: readonly string[] };

const isModel = (name: string): name is Model => MODEL_NAMES.some((one) => one === name);
const isSlot = (name: string): name is Slot => SLOTS.some((one) => one === name);
const isPreset = (name: string): name is Preset => Object.hasOwn(PRESETS, name);

/** A preset by its name, or `executor:<model>,advisor:<model>,evaluator:<model>`: roles that are left out are as in balanced. */
export function chosenModels(said: string, verifier: Model | null): ModelChoice {
  const name = said.trim().toLowerCase();
  const of = (preset: string, chosen: Chosen): ModelChoice => ({
    ok: true,
    config: { preset, ...chosen, verifier: verifier ?? DEFAULT_VERIFIER },
  });
  if (isPreset(name)) return of(name, PRESETS[name]);
  if (!name.includes(':'))
    return { ok: false, wrong: [said.trim()], allowed: [...Object.keys(PRESETS), 'executor:<model>,…'] };
  const parts = name.split(',').map((part) => part.trim());
  const chosen: { [S in Slot]: Model | null } = { ...PRESETS[RECOMMENDED_PRESET] };
  const taken = new Set<Slot>();
  const wrong = parts.filter((part) => {
    const [slot = '', model = '', ...more] = part.split(':').map((word) => word.trim());
    if (!isSlot(slot) || !isModel(model) || more.length > 0 || taken.has(slot)) return true;
    taken.add(slot);
    chosen[slot] = model;
    return false;
  });
  return wrong.length > 0 ? { ok: false, wrong, allowed: [...MODEL_NAMES] } : of(CUSTOM, chosen);
}

/** `asked`: how often it was asked for already. Once too often it is the recommended preset. */
export function orRecommended(choice: ModelChoice, asked: number, verifier: Model | null): ModelChoice {
  return choice.ok || asked < MODEL_RETRIES ? choice : chosenModels(RECOMMENDED_PRESET, verifier);
}

/** `--verifier-model`. Anything else halts: "Allowed: haiku, sonnet, opus." */
export const verifierOf = (
  flag: string,
): { readonly ok: true; readonly model: Model } | { readonly ok: false; readonly allowed: readonly Model[] } =>
  isModel(flag) ? { ok: true, model: flag } : { ok: false, allowed: MODEL_NAMES };

/** Layer 1 only runs commands and reads exit codes: a larger model is said to be dear for it. */
export const isVerifierDear = (model: Model): boolean => model !== DEFAULT_VERIFIER;

/** By role, the slot of its model. */
export const SLOT_OF: { readonly [R in Role]: Slot | 'verifier' | 'scanner' | 'proposer' } = {
  planner: 'advisor',
  architect: 'advisor',
  'senior-developer': 'advisor',
  'qa-specialist': 'advisor',
  critic: 'advisor',
  synthesis: 'advisor',
  'lead-developer': 'executor',
  'combined-advisor': 'advisor',
  'code-quality-advisor': 'advisor',
  'test-stability-advisor': 'advisor',
  generator: 'executor',
  evaluator: 'evaluator',
  verifier: 'verifier',
  'convention-scanner': 'scanner',
  'auto-fix-proposer': 'proposer',
};

/** null: no override. What state.json says counts, not what its preset would be today. */
export function modelFor(role: Role, config: ModelConfig): Model | null {
  const slot = SLOT_OF[role];
  const isDefault = config.preset === 'default';
  switch (slot) {
    case 'verifier':
      return config.verifier;
    case 'scanner': // "use advisor (or haiku for economy)"
      return isDefault ? null : config.preset === 'economy' ? 'haiku' : config.advisor;
    case 'proposer': // an explicit upgrade where nothing was chosen
      return (isDefault ? null : config.advisor) ?? 'opus';
    default:
      return isDefault ? null : config[slot];
  }
}
