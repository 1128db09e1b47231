// Runs the item's test on mutants of the changed source, within a time limit.
import type { CheckSpec } from '../../model/action.ts';
import { mutantEndOf, type MutantEnd, type Proofs } from './judge.ts';
import { canChange, type Copy, type Lab } from './lab.ts';
import { mutantsOf } from './mutants.ts';

const MOST_MUTANTS = 8;
/** Time limit for all mutants: the duration of the checks, within these bounds; the first mutant may take longer. */
const MUTATION_MS = { least: 2_000, most: 20_000, first: 60_000 } as const;

export async function proveByMutants(
  lab: Lab,
  copy: Copy,
  feature: CheckSpec,
  red: Proofs['red'],
): Promise<readonly MutantEnd[]> {
  const { ask } = lab;
  const sources = lab.files.flatMap(({ path, kind, before, after }) =>
    kind === 'source' && after !== null && canChange({ path, after }) ? [{ path, before, after }] : [],
  );
  const all = mutantsOf(sources, MOST_MUTANTS);
  const mustNotice = red !== 'red';
  if (all.length === 0 || (ask.rules.mutation === 'off' && !mustNotice)) {
    lab.tell('mutation', 'not-possible', null, { tried: 0 });
    return [];
  }
  const beganMs = lab.deps.clock.now();
  const budgetMs = Math.min(MUTATION_MS.most, Math.max(MUTATION_MS.least, ask.tookMs.feature + ask.tookMs.full));
  const ends: MutantEnd[] = [];
  let ms = 0;
  for (const [i, { text, ...mutant }] of all.entries()) {
    const spentMs = lab.deps.clock.now() - beganMs;
    const isEnough = !mustNotice || ends.includes('noticed');
    if (spentMs > (isEnough ? budgetMs : MUTATION_MS.first) && ends.length > 0) break;
    if (ask.rules.mutation === 'off' && ends.includes('noticed')) break;
    copy.write(mutant.file, text);
    const ran = await lab.run(copy, feature, `mutant-${i + 1}`, ask.tookMs.feature);
    copy.write(mutant.file, sources.find((s) => s.path === mutant.file)?.after ?? null);
    const end = mutantEndOf(ran, lab.thrown());
    ends.push(end);
    lab.tried.push({ ...mutant, end });
    ms += ran.exit.ms;
  }
  const noticed = ends.filter((e) => e !== 'unnoticed').length;
  lab.proofs.push({
    proof: 'mutation',
    came: noticed > 0 ? 'held' : 'failed',
    command: feature.command,
    ms,
    params: { tried: ends.length, noticed },
  });
  return ends;
}
