// The model of each role: presets, a custom choice, the verifier. null: the role's model by the configuration.
import { MODEL_NAMES, type ModelName } from '../../../model/config.ts';
import type { WorkflowState } from '../file/state.ts';
import type { WorkflowRole } from '../table/roles.ts';

export const SLOTS = ['executor', 'advisor', 'evaluator'] as const;
export type Slot = (typeof SLOTS)[number];
type Chosen = { readonly [S in Slot]: ModelName | null };

export const PRESETS = {
  default: { executor: null, advisor: null, evaluator: null },
  'all-opus': { executor: 'opus', advisor: 'opus', evaluator: 'opus' },
  balanced: { executor: 'sonnet', advisor: 'opus', evaluator: 'opus' },
  economy: { executor: 'haiku', advisor: 'sonnet', evaluator: 'sonnet' },
} as const satisfies { readonly [preset: string]: Chosen };
export type Preset = keyof typeof PRESETS;
export const RECOMMENDED_PRESET: Preset = 'balanced';
/** The name of a choice that is not a preset. */
export const CUSTOM = 'custom';
const DEFAULT_VERIFIER: ModelName = 'haiku';
/** How often a custom choice that cannot be read is asked for again before the recommended preset is taken. */
export const MODEL_RETRIES = 3;

export type ModelConfig = WorkflowState['model_config'];
/** `wrong`: every part that cannot be read, as it was written. */
export type ModelChoice =
  | { readonly ok: true; readonly config: ModelConfig }
  | { readonly ok: false; readonly wrong: readonly string[]; readonly allowed: readonly string[] };

const isModel = (name: string): name is ModelName => MODEL_NAMES.some((one) => one === name);
const isSlot = (name: string): name is Slot => SLOTS.some((one) => one === name);
const isPreset = (name: string): name is Preset => Object.hasOwn(PRESETS, name);

/** A preset by its name, or `executor:<model>,advisor:<model>,evaluator:<model>`, where a missing one is as in balanced. */
export function chosenModels(said: string, verifier: ModelName | null): ModelChoice {
  const name = said.trim().toLowerCase();
  const of = (preset: string, chosen: Chosen): ModelChoice => ({
    ok: true,
    config: { preset, ...chosen, verifier: verifier ?? DEFAULT_VERIFIER },
  });
  if (isPreset(name)) return of(name, PRESETS[name]);
  if (!name.includes(':'))
    return { ok: false, wrong: [said.trim()], allowed: [...Object.keys(PRESETS), 'executor:<model>,…'] };
  const parts = name.split(',').map((part) => part.trim());
  const chosen: { [S in Slot]: ModelName | null } = { ...PRESETS[RECOMMENDED_PRESET] };
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

/** Of `--verifier-model`. */
export const verifierOf = (
  flag: string,
): { readonly ok: true; readonly model: ModelName } | { readonly ok: false; readonly allowed: readonly ModelName[] } =>
  isModel(flag) ? { ok: true, model: flag } : { ok: false, allowed: MODEL_NAMES };

/** The verifier only words results, so a larger model is warned about. */
export const isVerifierDear = (model: ModelName): boolean => model !== DEFAULT_VERIFIER;

/** Where the model of each role comes from. */
export const SLOT_OF: { readonly [R in WorkflowRole]: Slot | 'verifier' | 'scanner' | 'proposer' } = {
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

/** null: no override. The models in state.json count, not those of its preset today. */
export function modelFor(role: WorkflowRole, config: ModelConfig): ModelName | null {
  const slot = SLOT_OF[role];
  const isDefault = config.preset === 'default';
  switch (slot) {
    case 'verifier':
      return config.verifier;
    case 'scanner':
      return isDefault ? null : config.preset === 'economy' ? 'haiku' : config.advisor;
    case 'proposer': // the largest model where none was chosen
      return (isDefault ? null : config.advisor) ?? 'opus';
    default:
      return isDefault ? null : config[slot];
  }
}
