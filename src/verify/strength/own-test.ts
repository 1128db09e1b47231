// Proves the item's own test in two copies: with the work and a canary, without the work, and on mutants.
import type { TestReport } from '../../model/report.ts';
import { ok, type Result } from '../../model/result.ts';
import type { CheckRun } from '../evidence.ts';
import { runnerNamed } from '../runners/all.ts';
import { besides, canaryResult, exitLines, failingLines, mayEndEarly, newWord, MADE_EXIT } from './canary.ts';
import { isPartlyRunner, ruledBy } from './files.ts';
import { holdsBeside, redOf, type Proofs, mutantEndOf, type MutantEnd } from './judge.ts';
import { canChange, type Copy, type Lab } from './lab.ts';
import { familyOf } from './tokens.ts';
import type { CheckSpec } from '../../model/action.ts';
import { mutantsOf, withoutTypeCheck } from './mutants.ts';

export type Own = Pick<Proofs, 'canary' | 'copyHolds' | 'isAboutBehaviour' | 'red' | 'mutants'>;
export const NOTHING: Own = { canary: null, copyHolds: null, isAboutBehaviour: null, red: null, mutants: [] };
const reportOf = ({ read }: CheckRun): TestReport | null => (read.kind === 'read' ? read.report : null);

/** The results of the item's own test: with the work and a canary, without the work, and on mutants. */
export async function proveOwnTest(lab: Lab): Promise<Result<Own>> {
  const { ask, files } = lab;
  const { testFile, feature } = ask;
  if (feature === null) return ok(NOTHING);
  const read = testFile === null ? ok([]) : await lab.deps.read([{ tree: ask.tree, path: testFile }]);
  if (!read.ok) return read;
  const text = read.value[0] ?? null;
  const now = await lab.copy(ask.tree, null);
  if (!now.ok) return now;
  const side = files.filter((f) => f.kind === 'test' || f.kind === 'support' || f.kind === 'runner').map((f) => f.path);
  const before = await lab.copy(ask.since, {
    tree: ask.tree,
    paths: [...new Set([...side, ...(testFile === null ? [] : [testFile])])],
  });
  if (!before.ok) return before;
  for (const f of files.filter((one) => isPartlyRunner(one.path) && one.before !== null))
    before.value.write(f.path, ruledBy(f.path, f.before, f.after));

  const word = newWord();
  const canary = testFile === null ? null : (runnerNamed(feature.runner)?.canary?.(testFile, text ?? '', word) ?? null);
  const plain = (): void => (testFile === null ? undefined : now.value.write(testFile, text));
  const comment = commentIn(lab, now.value, word);
  if (canary !== null && text !== null && testFile !== null) now.value.write(testFile, text + canary.lines);
  const [first, old] = await Promise.all([
    lab.run(now.value, feature, 'canary', ask.tookMs.feature),
    lab.run(before.value, feature, 'red', ask.tookMs.feature),
  ]);
  let says = canary === null || first.read.kind === 'none' ? null : canaryResult(reportOf(first), word);
  let copyHolds = holdsBeside(first, says === null ? null : word);
  plain();
  if (canary !== null && says === 'silent' && testFile !== null) {
    // Nothing can be appended to this file: the canary is a separate file.
    const beside = besides(testFile, word);
    now.value.write(beside, canary.alone);
    const command = feature.command.replaceAll(testFile, beside);
    says = canaryResult(
      reportOf(await lab.run(now.value, { ...feature, command }, 'canary-beside', ask.tookMs.feature)),
      word,
    );
    now.value.write(beside, null);
  }
  // If the canary or the comment may have broken the test, it runs unchanged.
  let isAboutBehaviour: boolean | null = null;
  if (!copyHolds) copyHolds = holdsBeside(await lab.run(now.value, feature, 'green', ask.tookMs.feature), null);
  else if (comment.isThere) isAboutBehaviour = true;
  comment.takeAway();
  if (!copyHolds && comment.isThere) {
    copyHolds = holdsBeside(await lab.run(now.value, feature, 'green-as-it-is', ask.tookMs.feature), null);
    if (copyHolds) isAboutBehaviour = false;
  }
  const red = redOf(old, lab.thrown());
  lab.record('red', red === 'green' ? 'failed' : 'held', old, { how: red });
  const broken =
    canary === null && copyHolds ? await provedBroken(lab, now.value, { testFile, text, word, feature }) : null;
  const mutants = copyHolds ? await proveByMutants(lab, now.value, feature, red) : [];
  // A file that ends its own run is no liar, unless nothing else shows that it can fail.
  if (broken !== null) says = broken === 'early' ? (mutants.includes('noticed') ? null : 'silent') : broken;
  lab.record('canary', says === null ? 'not-possible' : says === 'true' ? 'held' : 'failed', first, {
    runner: feature.runner ?? 'command',
    ...(broken === null ? {} : { how: 'exit-code' }),
  });
  return ok({ canary: says, copyHolds, isAboutBehaviour, red, mutants });
}

/**
 * Where the runner has no canary of its own: runs the item's test with a failure at its end, then with another exit code. `early`: it passes,
 * and may have ended before. null: not possible.
 */
async function provedBroken(
  lab: Lab,
  copy: Copy,
  own: {
    readonly testFile: string | null;
    readonly text: string | null;
    readonly word: string;
    readonly feature: CheckSpec;
  },
): Promise<'true' | 'lies' | 'early' | null> {
  const { testFile, text, word, feature } = own;
  const failing = testFile === null ? null : failingLines(testFile, word);
  if (testFile === null || text === null || failing === null) return null;
  const lied = mayEndEarly(text) ? 'early' : 'lies';
  const run = async (name: string, file: string, content: string): Promise<CheckRun> => {
    copy.write(file, content);
    const command = file === testFile ? feature.command : feature.command.replaceAll(testFile, file);
    const ran = await lab.run(copy, { ...feature, command }, name, lab.ask.tookMs.feature);
    copy.write(file, file === testFile ? text : null);
    return ran;
  };
  if ((await run('canary-broken', testFile, text + failing)).findings.problems.length === 0) return lied;
  const told = exitLines(testFile);
  if (told === null || (await run('canary-exit', testFile, text + told)).exit.code !== 0) return 'true';
  // Whether this runner hands on an exit code at all shows a file that uses nothing of the project.
  const alone = await run('canary-exit-alone', besides(testFile, word), told);
  return alone.exit.code === MADE_EXIT ? lied : 'true';
}

/** Appends a comment to every changed source file: a test of behaviour cannot detect it. */
function commentIn(lab: Lab, copy: Copy, word: string): { readonly isThere: boolean; takeAway(): void } {
  const sources = lab.files.filter((f) => f.kind === 'source' && canChange(f));
  for (const { path, after } of sources)
    copy.write(path, `${after ?? ''}\n${familyOf(path) === 'py' ? '#' : '//'} ${word}\n`);
  return {
    isThere: sources.length > 0,
    takeAway: () => {
      for (const { path, after } of sources) copy.write(path, after);
    },
  };
}

const MOST_MUTANTS = 8;
/** Time limit for all mutants: the duration of the checks, within these bounds; the first mutant may take longer. */
const MUTATION_MS = { least: 2_000, most: 20_000, first: 60_000 } as const;

/** Runs the item's test on mutants of the changed source, within the time limit. */
async function proveByMutants(
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
    lab.record('mutation', 'not-possible', null, { tried: 0 });
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
    copy.write(mutant.file, withoutTypeCheck(mutant.file, text));
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
