// Who is sent in a stage, by mode: role, and the file that must exist afterwards (reference 004, Steps 1.5, 2, 4, 5, 6). Those of one
// stage work side by side and know nothing of each other.
import type { Role } from './roles.ts';
import { CONVENTIONS_FILE, PATCH_FILE } from './rules.ts';
import type { StageName } from './stages.ts';
import type { Mode } from '../file/state.ts';

/** `persona`: on whose behalf a critic speaks. */
export type SessionSpec = { readonly role: Role; readonly persona: Persona | null; readonly output: string };
const PERSONAS = ['architect', 'senior-developer', 'qa-specialist'] as const;
export type Persona = (typeof PERSONAS)[number];

type Plan = { readonly [M in Mode]: (docs: string) => readonly SessionSpec[] };
const one = (role: Role, output: string, persona: Persona | null = null): SessionSpec => ({ role, persona, output });
const inAll = (plan: Plan[Mode]): Plan => ({ single: plan, standard: plan, multi: plan });
const none = (): readonly SessionSpec[] => [];

/** Files are named with underscores. */
const proposal = (persona: Persona): SessionSpec =>
  one(persona, `.harness/planner/proposal_${persona.replaceAll('-', '_')}.md`);
const critique = (persona: Persona): SessionSpec =>
  one('critic', `.harness/planner/critique_${persona.replaceAll('-', '_')}.md`, persona);
const review = (role: Role, name: string): SessionSpec => one(role, `.harness/generator/review_${name}.md`);
const design = [one('lead-developer', '.harness/generator/plan.md')];
const planner = (docs: string): readonly SessionSpec[] => [one('planner', `${docs}spec.md`)];
const synthesis = (docs: string): readonly SessionSpec[] => [one('synthesis', `${docs}spec.md`)];
const generator = (docs: string): readonly SessionSpec[] => [one('generator', `${docs}changes.md`)];

const SENT: { readonly [N in StageName]?: Plan } = {
  scan: inAll(() => [one('convention-scanner', CONVENTIONS_FILE)]),
  plan: inAll(planner),
  propose: {
    single: none,
    standard: () => PERSONAS.slice(0, 2).map(proposal),
    multi: () => PERSONAS.map(proposal),
  },
  critique: { single: none, standard: none, multi: () => PERSONAS.map(critique) },
  synthesise: inAll(synthesis),
  'revise-spec': { single: planner, standard: synthesis, multi: synthesis },
  design: inAll(() => design),
  review: {
    single: none,
    standard: () => [review('combined-advisor', 'combined')],
    multi: () => [review('code-quality-advisor', 'code_quality'), review('test-stability-advisor', 'test_stability')],
  },
  implement: inAll(generator),
  retry: inAll(generator),
  'propose-fix': inAll(() => [one('auto-fix-proposer', PATCH_FILE)]),
  evaluate: inAll((docs) => [one('evaluator', `${docs}qa_report.md`)]),
};

/** It words what Layer 1 found; it writes nothing and decides nothing, and is sent only where something failed. */
export const VERIFIER: SessionSpec = one('verifier', '');

export const sessionsOf = (stage: StageName, mode: Mode, docs: string): readonly SessionSpec[] =>
  SENT[stage]?.[mode](docs) ?? [];
