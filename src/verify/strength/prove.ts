// Proves that a test is worth what it says: it fails without the work, what runs it tells the truth, small faults in the
// work are noticed, and the old tests hold over the new source under the old rules. All of it in copies that are thrown away.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { CheckSpec, Proof, StrengthAsk, StrengthOutcome } from '../../model/action.ts';
import { fileOfTest, type TestBaseline, type TestReport } from '../../model/report.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Clock } from '../../host/clock.ts';
import type { Io } from '../../host/io.ts';
import type { Box } from '../box.ts';
import { runCheck, shown } from '../checks.ts';
import { keepEvidence, masked, type Ran } from '../evidence.ts';
import { besides, canaryFor, canarySays } from './canary.ts';
import { isPartlyRunner, kindOf, ruledBy, rulesDiffer, type FileKind } from './files.ts';
import { familyOf } from './tokens.ts';
import {
  holdsBeside,
  isExempt,
  judgeStrength,
  judgeTexts,
  mutantEndOf,
  redOf,
  thrownIn,
  type MutantEnd,
  type Proofs,
  type Sorted,
} from './judge.ts';
import { mutantsOf, type Mutant } from './mutants.ts';

/** A folder with the files of a tree, the only writable one of its box. */
export type Copy = {
  readonly root: string;
  readonly box: Box;
  /** null removes the file. */
  write(path: string, text: string | null): void;
  close(): Promise<void>;
};
export type StrengthDeps = {
  readonly io: Io;
  readonly clock: Clock;
  /** The work tree, absolute. */
  readonly root: string;
  readonly scratch: string;
  /** The folder for the evidence of this very ask. */
  readonly evidence: string;
  readonly redact: (text: string) => string;
  readonly baseline: TestBaseline | null;
  /** Paths that differ between the trees. */
  readonly changed: readonly string[];
  /** Text of a file in a tree; null where there is none. */
  readAt(tree: string, path: string): Promise<Result<string | null>>;
  /** A copy of a tree, with these paths as another tree has them. */
  copy(tree: string, over: { readonly tree: string; readonly paths: readonly string[] } | null): Promise<Result<Copy>>;
};

/** Of source and of words; what tests and what rules them is read whatever there is of it. */
const MOST_READ = 400;
/** Characters. */
const MOST_TEXT = 512 * 1024;
const MOST_MUTANTS = 8;
/** All faults together take no longer than the checks themselves did, within these; the first that counts may take longer. */
const MUTATION_MS = { least: 2_000, most: 20_000, first: 60_000 } as const;

export async function proveStrength(ask: StrengthAsk, deps: StrengthDeps): Promise<Result<StrengthOutcome>> {
  const owners = new Set((deps.baseline?.passing_tests ?? []).map(fileOfTest));
  const sorted = await sort(ask, deps, owners);
  if (!sorted.ok) return sorted;
  const files = sorted.value;
  const stub = ask.testFile !== null && !owners.has(ask.testFile) ? ask.testFile : null;
  const texts = judgeTexts(ask, files, stub);
  const work = new Work(ask, deps, files, stub);
  try {
    const own = isExempt(ask) ? null : await work.ownTest();
    if (own !== null && !own.ok) return own;
    const frozen = await work.frozen();
    if (!frozen.ok) return frozen;
    const proofs: Proofs = { ...(own === null ? NOTHING : own.value), frozen: frozen.value };
    const judged = judgeStrength(ask, files, proofs, texts);
    const mask = (all: typeof judged.problems) => all.map((p) => masked(p, deps.redact));
    const outcome = {
      problems: mask(judged.problems),
      doubts: mask(judged.doubts),
      warnings: mask(judged.warnings),
      proofs: work.proofs,
      evidence: shown(deps.root, deps.evidence),
    };
    keep(ask, deps, work, { ...outcome, files, counts: texts.counts, changed: texts.changed });
    return ok(outcome);
  } finally {
    await work.close();
  }
}

async function sort(
  ask: StrengthAsk,
  deps: StrengthDeps,
  owners: ReadonlySet<string>,
): Promise<Result<readonly Sorted[]>> {
  const known = {
    tests: new Set([...owners, ...(ask.testFile === null ? [] : [ask.testFile])]),
    scripts: new Set(ask.scripts),
  };
  const kinds = deps.changed
    .filter((path) => !ask.passedBy.includes(path))
    .map((path) => ({ path, kind: kindOf(path, known) }));
  const isRest = ({ kind }: { readonly kind: FileKind }): boolean => kind === 'source' || kind === 'docs';
  const bySource = kinds.filter(isRest).sort((a, b) => Number(b.kind === 'source') - Number(a.kind === 'source'));
  const files: Sorted[] = [];
  for (const { path, kind } of [...kinds.filter((one) => !isRest(one)), ...bySource.slice(0, MOST_READ)]) {
    const before = await deps.readAt(ask.since, path);
    if (!before.ok) return before;
    const after = await deps.readAt(ask.tree, path);
    if (!after.ok) return after;
    files.push({ path, kind, before: before.value, after: after.value });
  }
  return ok(files);
}

/** A text that can be written anew with one place changed and nothing else. */
const canChange = ({ path, after }: Pick<Sorted, 'path' | 'after'>): boolean =>
  after !== null && familyOf(path) !== null && after.length <= MOST_TEXT && !after.includes('\uFFFD');

type Own = Omit<Proofs, 'frozen'>;
const NOTHING: Own = { canary: null, copyHolds: null, isAboutBehaviour: null, red: null, mutants: [] };
const reportOf = ({ read }: Ran): TestReport | null => (read.kind === 'read' ? read.report : null);

class Work {
  readonly proofs: Proof[] = [];
  readonly ran: Ran[] = [];
  readonly tried: (Omit<Mutant, 'text'> & { readonly end: MutantEnd })[] = [];
  private readonly ask: StrengthAsk;
  private readonly deps: StrengthDeps;
  private readonly files: readonly Sorted[];
  private readonly stub: string | null;
  private readonly copies: Copy[] = [];
  private readonly startedMs: number;
  sandbox = '';

  constructor(ask: StrengthAsk, deps: StrengthDeps, files: readonly Sorted[], stub: string | null) {
    this.ask = ask;
    this.deps = deps;
    this.files = files;
    this.stub = stub;
    this.startedMs = deps.clock.now();
  }

  async close(): Promise<void> {
    await Promise.all(this.copies.map((copy) => copy.close()));
  }

  private async copy(tree: string, over: Parameters<StrengthDeps['copy']>[1]): Promise<Result<Copy>> {
    const made = await this.deps.copy(tree, over);
    if (made.ok) {
      this.copies.push(made.value);
      this.sandbox = made.value.box.level;
    }
    return made;
  }

  private async run(copy: Copy, spec: CheckSpec, name: string, tookMs: number): Promise<Ran> {
    const timeoutMs = Math.min(spec.timeoutMs, 10_000 + 5 * tookMs);
    const { deps } = this;
    const ran = await runCheck(
      { ...spec, name, timeoutMs },
      { ...deps, box: copy.box, root: copy.root, tree: this.ask.tree },
    );
    this.ran.push(ran);
    return ran;
  }

  private tell(proof: Proof['proof'], came: Proof['came'], ran: Ran | null, params: Proof['params'] = {}): void {
    this.proofs.push({
      proof,
      came,
      command: ran === null ? '' : this.deps.redact(ran.spec.command),
      ms: ran?.exit.ms ?? 0,
      params,
    });
  }

  /** The item's own test: with the work and a canary behind it, without the work, and over small faults in it. */
  async ownTest(): Promise<Result<Own>> {
    const { ask, files } = this;
    const { testFile, feature } = ask;
    if (testFile === null || feature === null) return ok(NOTHING);
    const text = await this.deps.readAt(ask.tree, testFile);
    if (!text.ok) return text;
    const now = await this.copy(ask.tree, null);
    if (!now.ok) return now;
    const side = files
      .filter((f) => f.kind === 'test' || f.kind === 'support' || f.kind === 'runner')
      .map((f) => f.path);
    const before = await this.copy(ask.since, { tree: ask.tree, paths: [...new Set([...side, testFile])] });
    if (!before.ok) return before;
    for (const f of files.filter((one) => isPartlyRunner(one.path) && one.before !== null))
      before.value.write(f.path, ruledBy(f.path, f.before, f.after));

    const word = `c${randomBytes(6).toString('hex')}`;
    const canary = canaryFor(feature.runner ?? 'command', testFile, text.value ?? '', word);
    const plain = (): void => now.value.write(testFile, text.value);
    const comment = this.comment(now.value, word);
    if (canary !== null && text.value !== null) now.value.write(testFile, text.value + canary.lines);
    const [first, old] = await Promise.all([
      this.run(now.value, feature, 'canary', ask.tookMs.feature),
      this.run(before.value, feature, 'red', ask.tookMs.feature),
    ]);
    let says = canary === null || first.read.kind === 'none' ? null : canarySays(reportOf(first), word);
    let copyHolds = holdsBeside(first, says === null ? null : word);
    plain();
    if (canary !== null && says === 'silent') {
      // Nothing can be written behind this file: the canary runs beside it.
      const beside = besides(testFile, word);
      now.value.write(beside, canary.alone);
      const command = feature.command.replaceAll(testFile, beside);
      says = canarySays(
        reportOf(await this.run(now.value, { ...feature, command }, 'canary-beside', ask.tookMs.feature)),
        word,
      );
      now.value.write(beside, null);
    }
    // Where the canary or the comment may have stood in its way, the test runs as it is.
    let isAboutBehaviour: boolean | null = null;
    if (!copyHolds) copyHolds = holdsBeside(await this.run(now.value, feature, 'green', ask.tookMs.feature), null);
    else if (comment.isThere) isAboutBehaviour = true;
    comment.takeAway();
    if (!copyHolds && comment.isThere) {
      copyHolds = holdsBeside(await this.run(now.value, feature, 'green-as-it-is', ask.tookMs.feature), null);
      if (copyHolds) isAboutBehaviour = false;
    }
    const green = first;
    this.tell('canary', says === null ? 'not-possible' : says === 'true' ? 'held' : 'failed', green, {
      runner: feature.runner ?? 'command',
    });
    const red = redOf(old, this.thrown());
    this.tell('red', red === 'green' ? 'failed' : 'held', old, { how: red });
    const mutants = copyHolds ? await this.mutants(now.value, feature, red) : [];
    return ok({ canary: says, copyHolds, isAboutBehaviour, red, mutants });
  }

  private thrown(): readonly string[] {
    return thrownIn(this.files.flatMap((f) => (f.kind === 'source' ? [f.before ?? '', f.after ?? ''] : [])));
  }

  /** A comment behind every changed source that has them: a test of what a program does cannot notice. */
  private comment(copy: Copy, word: string): { readonly isThere: boolean; takeAway(): void } {
    const sources = this.files.filter((f) => f.kind === 'source' && canChange(f));
    for (const { path, after } of sources)
      copy.write(path, `${after ?? ''}\n${familyOf(path) === 'py' ? '#' : '//'} ${word}\n`);
    return {
      isThere: sources.length > 0,
      takeAway: () => {
        for (const { path, after } of sources) copy.write(path, after);
      },
    };
  }

  private async mutants(copy: Copy, feature: CheckSpec, red: Own['red']): Promise<readonly MutantEnd[]> {
    const { ask } = this;
    const sources = this.files.flatMap(({ path, kind, before, after }) =>
      kind === 'source' && after !== null && canChange({ path, after }) ? [{ path, before, after }] : [],
    );
    const all = mutantsOf(sources, MOST_MUTANTS);
    const mustNotice = red !== 'red';
    if (all.length === 0 || (ask.rules.mutation === 'off' && !mustNotice)) {
      this.tell('mutation', 'not-possible', null, { tried: 0 });
      return [];
    }
    const beganMs = this.deps.clock.now();
    const budgetMs = Math.min(MUTATION_MS.most, Math.max(MUTATION_MS.least, ask.tookMs.feature + ask.tookMs.full));
    const ends: MutantEnd[] = [];
    let ms = 0;
    for (const [i, { text, ...mutant }] of all.entries()) {
      const spentMs = this.deps.clock.now() - beganMs;
      const isEnough = !mustNotice || ends.includes('noticed');
      if (spentMs > (isEnough ? budgetMs : MUTATION_MS.first) && ends.length > 0) break;
      if (ask.rules.mutation === 'off' && ends.includes('noticed')) break;
      copy.write(mutant.file, text);
      const ran = await this.run(copy, feature, `mutant-${i + 1}`, ask.tookMs.feature);
      copy.write(mutant.file, sources.find((s) => s.path === mutant.file)?.after ?? null);
      const end = mutantEndOf(ran, this.thrown());
      ends.push(end);
      this.tried.push({ ...mutant, end });
      ms += ran.exit.ms;
    }
    const noticed = ends.filter((e) => e !== 'unnoticed').length;
    this.proofs.push({
      proof: 'mutation',
      came: noticed > 0 ? 'held' : 'failed',
      command: feature.command,
      ms,
      params: { tried: ends.length, noticed },
    });
    return ends;
  }

  /** Old tests under old rules over the new source, where any of these changed. */
  async frozen(): Promise<Result<Proofs['frozen']>> {
    const { ask, files } = this;
    const old = files.filter(
      (f) => f.before !== null && (f.kind === 'test' || f.kind === 'support') && f.path !== this.stub,
    );
    const ruling = files.filter(
      (f) => f.kind === 'runner' || (isPartlyRunner(f.path) && rulesDiffer(f.path, f.before, f.after)),
    );
    if (old.length + ruling.length === 0) return ok(null);
    if (ask.full === null) {
      this.tell('frozen', 'not-possible', null, { files: old.length + ruling.length });
      return ok(null);
    }
    const whole = [...old, ...ruling.filter((f) => !isPartlyRunner(f.path))].map((f) => f.path);
    const copy = await this.copy(ask.tree, { tree: ask.since, paths: whole });
    if (!copy.ok) return copy;
    for (const f of ruling.filter((one) => isPartlyRunner(one.path)))
      copy.value.write(f.path, ruledBy(f.path, f.after, f.before));
    let ran = await this.run(copy.value, ask.full, 'frozen', ask.tookMs.full);
    // Once more: a test that fails now and then must not look like a changed one.
    if (ran.findings.problems.length > 0) ran = await this.run(copy.value, ask.full, 'frozen-again', ask.tookMs.full);
    // A rule that makes the item's own test pass is a rule that was changed for it.
    const own = ruling.length > 0 && ask.feature !== null && !isExempt(ask) ? ask.feature : null;
    const ruled = own === null ? null : await this.run(copy.value, own, 'frozen-own', ask.tookMs.feature);
    const holds = ran.findings.problems.length === 0 && (ruled === null || holdsBeside(ruled, null));
    this.tell('frozen', holds ? 'held' : 'failed', ran, { files: old.length + ruling.length });
    return ok({ holds, ids: ran.findings.regressions });
  }

  get ms(): number {
    return this.deps.clock.now() - this.startedMs;
  }
}

function keep(
  ask: StrengthAsk,
  deps: StrengthDeps,
  work: Work,
  about: StrengthOutcome & { readonly files: readonly Sorted[]; readonly counts: object; readonly changed: object },
): void {
  const { io, redact, evidence } = deps;
  const { files, ...rest } = about;
  keepEvidence(
    { purpose: 'strength', session: ask.session, checks: [] },
    { io, redact, evidence, tree: ask.tree, sandbox: work.sandbox },
    work.ran,
    null,
  );
  const summary = {
    schema: 1,
    since: ask.since,
    tree: ask.tree,
    item: ask.item,
    ms: work.ms,
    ...rest,
    files: files.map(({ path, kind }) => ({ path, kind })),
    mutants: work.tried,
  };
  io.replace(join(evidence, 'strength.json'), `${redact(JSON.stringify(summary, null, 2))}\n`);
}
