// From a target to its resolved configuration: find, read, check, fill in. The one entry of this folder.
import type { Config, PlaybookName } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { chosenAgents, type AgentChoice } from './agents.ts';
import type { TargetFiles } from '../../model/target-files.ts';
import { folderFiles } from './files.ts';
import { fill } from './fill.ts';
import { findConfig } from './find.ts';
import { laterIn } from './later.ts';
import { dotted, notSupported, shown, type Mistake } from './mistake.ts';
import { backlogPath, STANDARD_PATHS, usualPlaybook } from './paths.ts';
import { readTree, type Tree } from './read.ts';
import { configSchema } from './schema.ts';
import { oneSpelling, type Twice } from './spelling.ts';
import type { Inferred } from './testing.ts';

export type Resolution = {
  readonly config: Config;
  /** Written keys that do not act yet; to be said aloud once. */
  readonly inert: readonly string[];
  /** Values nobody wrote that were worked out from the target; to be shown. */
  readonly inferred: readonly Inferred[];
  /** What is missing before work can start; commands that only look do without. */
  readonly needed: readonly Failure[];
};

export type ResolveOptions = {
  /** Another file than the target's own, absolute or relative to the root; null: the target's own. */
  readonly configFile?: string | null;
  /** Where defaults are worked out from; the work tree if not given. */
  readonly files?: TargetFiles;
  /** What the command line says of the agents; left out: what is written counts. */
  readonly agents?: AgentChoice;
  /** Where nobody wrote it. */
  readonly playbook?: PlaybookName;
};

/** Resolves the configuration of the target in folder `root`. Errors: those of `findConfig`, and `config-invalid` with one cause per mistake. */
export async function resolveConfig(root: string, options: ResolveOptions = {}): Promise<Result<Resolution>> {
  const found = findConfig(root, options.configFile ?? null);
  if (!found.ok) return found;
  const files = options.files ?? folderFiles(root);
  if (found.value === null && options.playbook !== undefined) {
    const written = { playbook: options.playbook };
    const whole = options.agents === undefined ? written : chosenAgents(written, options.agents);
    return checked(root, null, whole, [], files, null);
  }
  return resolveText(root, found.value, files, options.agents, options.playbook);
}

/** The same from a text at hand, for a configuration that is not in the work tree. Null: defaults only. */
export async function resolveText(
  root: string,
  source: { readonly file: string; readonly text: string } | null,
  files: TargetFiles,
  agents?: AgentChoice,
  playbook?: PlaybookName,
): Promise<Result<Resolution>> {
  const chosen = (as: unknown): unknown => (agents === undefined ? as : chosenAgents(as, agents));
  if (source === null) return checked(root, null, chosen({}), [], files, null);
  const tree = readTree(source.file, source.text);
  if (!tree.ok)
    return err(
      failure(
        'config-invalid',
        { file: source.file, count: 1 },
        { at: tree.failure.at ?? { file: source.file }, causes: [tree.failure] },
      ),
    );
  const twice: Twice[] = [];
  const written = oneSpelling(configSchema, tree.value.value ?? {}, twice);
  const whole = playbook === undefined || saysPlaybook(written) ? written : { ...(written as object), playbook };
  return checked(root, source.file, chosen(whole), twice, files, tree.value);
}

async function checked(
  root: string,
  file: string | null,
  written: unknown,
  twice: readonly Twice[],
  files: TargetFiles,
  tree: Tree | null,
): Promise<Result<Resolution>> {
  const usual = usualIn(written, files);
  const whole = usual === null ? written : { ...(written as object), playbook: usual.value };
  const later = laterIn(whole);
  const parsed = configSchema.safeParse(whole);
  const mistakes: Mistake[] = [];
  if (!parsed.success || twice.length > 0) {
    const { explain, explainTwice } = await import('./explain.ts');
    mistakes.push(...twice.map(explainTwice), ...explain(parsed.error?.issues ?? [], written));
  }
  const wrong = mistakes.map(({ path }) => dotted(path));
  for (const { row, value } of later)
    // A value that is wrong in itself says nothing about what the person wanted.
    if (row.otherwise === 'refused' && !wrong.some((key) => key === row.key || key.startsWith(`${row.key}.`)))
      mistakes.push(
        notSupported(
          row.key.split('.'),
          value,
          row.today.map((one) => shown(one, [])).join(' | ') || 'nothing',
          row.part,
        ),
      );
  const resolved = parsed.success ? fill(root, file, parsed.data, files, mistakes) : null;
  if (mistakes.length > 0 || resolved === null) return err(invalidConfig(file ?? '', mistakes, tree));
  return ok({
    config: resolved.config,
    inert: later.filter(({ row }) => row.otherwise === 'inert').map(({ row }) => row.key),
    inferred: [...(usual === null ? [] : [usual]), ...resolved.inferred],
    needed: resolved.needed.map((mistake) => placed(file ?? '.harness.yaml', mistake, tree)),
  });
}

/** So does what is no configuration at all: nothing is worked out for it. */
const saysPlaybook = (written: unknown): boolean =>
  typeof written !== 'object' || written === null || Array.isArray(written) || 'playbook' in written;

/** A list of tasks, or a workflow, and nothing that says what it is; null: it is said, or the list is that of features. */
function usualIn(written: unknown, files: TargetFiles): Inferred | null {
  if (saysPlaybook(written)) return null;
  const { paths } = written as { readonly paths?: { readonly features?: unknown } | null };
  const features = typeof paths?.features === 'string' ? paths.features : STANDARD_PATHS.features;
  const value = usualPlaybook(files, features);
  return value === 'features' ? null : { key: 'playbook', value, from: backlogPath(value, features) };
}

/** More than anybody mends in one go; `count` says how many were found. */
const MOST_CAUSES = 50;

/** The mistakes of a file in the order in which they stand in it, one for each key. */
function invalidConfig(file: string, mistakes: readonly Mistake[], tree: Tree | null): Failure {
  const byKey = new Map<string, Mistake>();
  for (const mistake of mistakes) if (!byKey.has(dotted(mistake.path))) byKey.set(dotted(mistake.path), mistake);
  const causes = [...byKey.values()]
    .slice(0, MOST_CAUSES)
    .map((mistake) => placed(file, mistake, tree))
    .sort((a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0));
  return failure('config-invalid', { file, count: byKey.size }, { at: causes[0]?.at ?? { file }, causes });
}

function placed(file: string, { reason, path, point, params }: Mistake, tree: Tree | null): Failure {
  return failure(reason, params, { at: { file, ...tree?.place(path, point), key: dotted(path) } });
}
