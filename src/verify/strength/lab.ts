// What all proofs share: workspaces with trees, runs in them, and the list of results.
import type { CheckSpec, Proof, StrengthAsk } from '../../model/action.ts';
import { fileOfTest, type TestBaseline } from '../../model/report.ts';
import type { Result } from '../../model/result.ts';
import type { Clock } from '../../host/clock.ts';
import type { Io } from '../../host/io.ts';
import type { CheckSandbox } from '../run-once.ts';
import { runCheck } from '../checks.ts';
import type { CheckRun } from '../evidence.ts';
import { familyOf } from './tokens.ts';
import { thrownIn, type MutantEnd, type ClassifiedFile } from './judge.ts';
import type { Mutant } from './mutants.ts';

/** A folder with the files of a tree, the only writable one of its sandbox. */
export type Copy = {
  readonly root: string;
  readonly box: CheckSandbox;
  /** null removes the file. */
  write(path: string, text: string | null): void;
  close(): Promise<void>;
};
export type StrengthDeps = {
  readonly io: Io;
  readonly clock: Clock;
  /** The work tree of the user, absolute: paths of evidence are relative to it. */
  readonly top: string;
  readonly scratch: string;
  /** The folder for the evidence of this call. */
  readonly evidence: string;
  readonly redact: (text: string) => string;
  readonly baseline: TestBaseline | null;
  /** The command that tests one file, with `{test_file}`; null: none is configured. */
  readonly ofFile: string | null;
  /** Paths that differ between the trees. */
  readonly changed: readonly string[];
  /** Installed files, ignored by git, that changed during agent sessions since the last landing. */
  readonly installed: readonly string[];
  /** Texts of files in trees, in this order; null: no such file. */
  read(asked: readonly { readonly tree: string; readonly path: string }[]): Promise<Result<readonly (string | null)[]>>;
  /** A workspace with the files of a tree, and these paths as another tree has them. */
  copy(tree: string, over: { readonly tree: string; readonly paths: readonly string[] } | null): Promise<Result<Copy>>;
};

/** Characters. */
const MOST_TEXT = 512 * 1024;

/** True if the text can be rewritten with a single change and no loss. */
export const canChange = ({ path, after }: Pick<ClassifiedFile, 'path' | 'after'>): boolean =>
  after !== null && familyOf(path) !== null && after.length <= MOST_TEXT && !after.includes('\uFFFD');

export class Lab {
  readonly proofs: Proof[] = [];
  readonly ran: CheckRun[] = [];
  readonly tried: (Omit<Mutant, 'text'> & { readonly end: MutantEnd })[] = [];
  readonly ask: StrengthAsk;
  readonly deps: StrengthDeps;
  /** The changed files with their kinds. */
  readonly files: readonly ClassifiedFile[];
  /** The file of the item's own test if it was a stub before; else null. */
  readonly stub: string | null;
  /** The sandbox level; '' before the first run. */
  sandbox = '';
  private copies: readonly Copy[] = [];
  private readonly startedMs: number;

  constructor(ask: StrengthAsk, deps: StrengthDeps, files: readonly ClassifiedFile[], stub: string | null) {
    this.ask = ask;
    this.deps = deps;
    this.files = files;
    this.stub = stub;
    this.startedMs = deps.clock.now();
  }

  get ms(): number {
    return this.deps.clock.now() - this.startedMs;
  }

  /** Of all copies so far: the next ones are made in their folders. */
  async close(): Promise<void> {
    const open = this.copies;
    this.copies = [];
    await Promise.all(open.map((copy) => copy.close()));
  }

  async copy(tree: string, over: Parameters<StrengthDeps['copy']>[1]): Promise<Result<Copy>> {
    const made = await this.deps.copy(tree, over);
    if (made.ok) {
      this.copies = [...this.copies, made.value];
      this.sandbox = made.value.box.level;
    }
    return made;
  }

  /** `only`: the tests of these files must hold; left out: all of the baseline. */
  async run(
    copy: Copy,
    spec: CheckSpec,
    name: string,
    tookMs: number,
    only: readonly string[] | null = null,
  ): Promise<CheckRun> {
    const timeoutMs = Math.min(spec.timeoutMs, 10_000 + 5 * tookMs);
    const { deps } = this;
    const baseline =
      only === null || deps.baseline === null
        ? deps.baseline
        : {
            ...deps.baseline,
            passing_tests: deps.baseline.passing_tests.filter((id) => only.includes(fileOfTest(id))),
          };
    const ran = await runCheck(
      { ...spec, name, timeoutMs },
      { ...deps, baseline, box: copy.box, root: copy.root, tree: this.ask.tree },
    );
    this.ran.push(ran);
    return ran;
  }

  record(proof: Proof['proof'], came: Proof['came'], ran: CheckRun | null, params: Proof['params'] = {}): void {
    this.proofs.push({
      proof,
      came,
      command: ran === null ? '' : this.deps.redact(ran.spec.command),
      ms: ran?.exit.ms ?? 0,
      params,
    });
  }

  /** Messages that the source throws. */
  thrown(): readonly string[] {
    return thrownIn(this.files.flatMap((f) => (f.kind === 'source' ? [f.before ?? '', f.after ?? ''] : [])));
  }
}
