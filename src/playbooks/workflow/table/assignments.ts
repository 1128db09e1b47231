// Which sessions a stage has in each mode: their role, and the file that must exist afterwards. The sessions of one stage run in parallel and
// do not see each other's work.
import { z } from 'zod';
import type { Mode } from '../file/state.ts';
import { ROLES, type WorkflowRole } from './roles.ts';
import { CONVENTIONS_FILE, PATCH_FILE } from './rules.ts';
import type { StageName } from './stages.ts';

export const PERSONAS = ['architect', 'senior-developer', 'qa-specialist'] as const;
export type Persona = (typeof PERSONAS)[number];
/** `persona`: whose view a critic takes; null: the role has none. `output`: repository-relative; '': it writes no file. */
export const assignmentSchema = z.object({
  role: z.enum(ROLES),
  persona: z.enum(PERSONAS).nullable(),
  output: z.string(),
});
export type Assignment = z.output<typeof assignmentSchema>;

type OfDocs = (docs: string) => readonly Assignment[];
const one = (role: WorkflowRole, output: string, persona: Persona | null = null): Assignment => ({
  role,
  persona,
  output,
});
const inAllModes = (sent: OfDocs): { readonly [M in Mode]: OfDocs } => ({ single: sent, standard: sent, multi: sent });

/** File names have underscores. */
const fileName = (persona: Persona): string => persona.replaceAll('-', '_');
const proposal = (persona: Persona) => one(persona, `.harness/planner/proposal_${fileName(persona)}.md`);
const critique = (persona: Persona) => one('critic', `.harness/planner/critique_${fileName(persona)}.md`, persona);
const review = (role: WorkflowRole, name: string) => one(role, `.harness/generator/review_${name}.md`);
const planner: OfDocs = (docs) => [one('planner', `${docs}spec.md`)];
const synthesis: OfDocs = (docs) => [one('synthesis', `${docs}spec.md`)];
const generator = inAllModes((docs) => [one('generator', `${docs}changes.md`)]);

const ASSIGNMENTS: { readonly [N in StageName]?: { readonly [M in Mode]?: OfDocs } } = {
  scan: inAllModes(() => [one('convention-scanner', CONVENTIONS_FILE)]),
  plan: inAllModes(planner),
  propose: { standard: () => PERSONAS.slice(0, 2).map(proposal), multi: () => PERSONAS.map(proposal) },
  critique: { multi: () => PERSONAS.map(critique) },
  synthesise: inAllModes(synthesis),
  'revise-spec': { single: planner, standard: synthesis, multi: synthesis },
  design: inAllModes(() => [one('lead-developer', '.harness/generator/plan.md')]),
  review: {
    standard: () => [review('combined-advisor', 'combined')],
    multi: () => [review('code-quality-advisor', 'code_quality'), review('test-stability-advisor', 'test_stability')],
  },
  implement: generator,
  retry: generator,
  'propose-fix': inAllModes(() => [one('auto-fix-proposer', PATCH_FILE)]),
  evaluate: inAllModes((docs) => [one('evaluator', `${docs}qa_report.md`)]),
};

/** Words what Layer 1 found. It writes nothing and decides nothing, and is sent only where something failed. */
export const VERIFIER: Assignment = one('verifier', '');

export const assignmentsOf = (stage: StageName, mode: Mode, docs: string): readonly Assignment[] =>
  ASSIGNMENTS[stage]?.[mode]?.(docs) ?? [];
