// Resolves the configuration of a target: find, parse, check, fill in.
import { DEFAULT_PLAYBOOK, type Config, type PlaybookName } from '../../model/config.ts';
import { DEFAULT_PATHS } from '../../model/config/paths.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { TargetFiles } from '../../model/target-files.ts';
import type { AgentChoice } from './agents.ts';
import { folderFiles } from './files.ts';
import { fill } from './fill.ts';
import { findConfig } from './find.ts';
import { dotted, type ConfigMistake, notSupported, shown, type Path } from './mistake.ts';
import { detectPlaybook, listPath } from '../../playbooks/registry.ts';
import { readTree, type ConfigTree } from './read.ts';
import { configSchema } from './schema.ts';
import type { Inferred } from './testing.ts';
import { inOneSpelling, isMap, valueAt, type Duplicate, coreOf, snakeCase } from './written.ts';
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { KEYS, type Unsupported } from '../../model/config/values.ts';

export type Resolution = {
  readonly config: Config;
  /** Written keys that have no effect in this version; shown to the user. */
  readonly inert: readonly string[];
  /** Values inferred from the target; shown to the user. */
  readonly inferred: readonly Inferred[];
  /** What is missing before a run can start; read-only commands work without. */
  readonly needed: readonly Failure[];
};

export type ResolveOptions = {
  /** Replaces the target's own file; absolute, or relative to the root. */
  readonly configFile?: string | null;
  /** Files to infer defaults from; by default the work tree. */
  readonly files?: TargetFiles;
  /** The choice on the command line; left out: as written. */
  readonly agents?: AgentChoice;
  /** The playbook if none is written. */
  readonly playbook?: PlaybookName;
};

/** Resolves the configuration of the target in folder `root`. Fails as `findConfig`, and with `config-invalid` (one cause per mistake). */
export async function resolveConfig(root: string, options: ResolveOptions = {}): Promise<Result<Resolution>> {
  const { configFile = null, files = folderFiles(root), agents, playbook } = options;
  const found = findConfig(root, configFile);
  return found.ok ? resolveText(root, found.value, files, agents, playbook) : found;
}

/** The same for a text that is not in the work tree. Null: defaults only. */
export async function resolveText(
  root: string,
  source: { readonly file: string; readonly text: string } | null,
  files: TargetFiles,
  agents?: AgentChoice,
  playbook?: PlaybookName,
): Promise<Result<Resolution>> {
  const file = source?.file ?? null;
  const tree = source === null ? ok(null) : readTree(source.file, source.text);
  if (!tree.ok) {
    const at = tree.failure.at ?? { file: file ?? '' };
    return err(failure('config-invalid', { file: file ?? '', count: 1 }, { at, causes: [tree.failure] }));
  }
  const duplicates: Duplicate[] = [];
  const spelled = inOneSpelling(configSchema, tree.value?.value ?? {}, duplicates);
  const asked = withPlaybook(spelled, playbook);
  const detected = detectedIn(asked, files);
  const written = withPlaybook(asked, detected?.value);
  const unsupported = unsupportedIn(configSchema, written);
  const parsed = configSchema.safeParse(written);
  const mistakes: ConfigMistake[] = [];
  if (!parsed.success || duplicates.length > 0) {
    const { explain, explainDuplicate } = await import('./explain.ts');
    mistakes.push(...duplicates.map(explainDuplicate), ...explain(parsed.error?.issues ?? [], written));
  }
  const wrong = mistakes.map(({ path }) => dotted(path));
  // An invalid value says nothing about the user's intention.
  const isWrong = (key: string): boolean => wrong.some((one) => one === key || one.startsWith(`${key}.`));
  for (const one of unsupported)
    if (one.mark.effect === 'refused' && !isWrong(dotted(one.path))) mistakes.push(unsupportedMistake(one));
  const filled = parsed.success ? fill(root, file, parsed.data, files, mistakes, agents) : null;
  if (mistakes.length > 0 || filled === null) return err(invalidConfig(file ?? '', mistakes, tree.value));
  return ok({
    config: filled.config,
    inert: unsupported.map(({ path }) => dotted(path)),
    inferred: [...(detected === null ? [] : [detected]), ...filled.inferred],
    needed: filled.needed.map((mistake) => placed(file ?? '.harness.yaml', mistake, tree.value)),
  });
}

/** Values that are not maps are left for the schema to reject. */
const withPlaybook = (written: unknown, playbook: string | undefined): unknown =>
  playbook === undefined || !isMap(written) || Object.hasOwn(written, 'playbook') ? written : { ...written, playbook };

/** The playbook detected from files; null: it is written, or the default. */
function detectedIn(written: unknown, files: TargetFiles): Inferred | null {
  if (!isMap(written) || Object.hasOwn(written, 'playbook')) return null;
  const path = valueAt(written, ['paths', 'features']);
  const features = typeof path === 'string' ? path : DEFAULT_PATHS.features;
  const value = detectPlaybook(files, features);
  return value === DEFAULT_PLAYBOOK ? null : { key: 'playbook', value, from: listPath(value, features) };
}

/** More than a user fixes at once; `count` has the total. */
const MAX_CAUSES = 50;

/** The mistakes in the order of their positions, one per key. */
function invalidConfig(file: string, mistakes: readonly ConfigMistake[], tree: ConfigTree | null): Failure {
  const byKey = new Map<string, ConfigMistake>();
  for (const mistake of mistakes) if (!byKey.has(dotted(mistake.path))) byKey.set(dotted(mistake.path), mistake);
  const causes = [...byKey.values()]
    .slice(0, MAX_CAUSES)
    .map((mistake) => placed(file, mistake, tree))
    .sort((a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0));
  return failure('config-invalid', { file, count: byKey.size }, { at: causes[0]?.at ?? { file }, causes });
}

function placed(file: string, { reason, path, point, params }: ConfigMistake, tree: ConfigTree | null): Failure {
  return failure(reason, params, { at: { file, ...tree?.place(path, point), key: dotted(path) } });
}

type UnsupportedKey = { readonly path: Path; readonly value: unknown; readonly mark: Unsupported };

/** Unsupported keys whose value differs from the supported behaviour: a key is effective, refused, or reported, never ignored. */
function unsupportedIn(root: z.core.$ZodType, written: unknown): readonly UnsupportedKey[] {
  const found: UnsupportedKey[] = [];
  const visit = (schema: z.core.$ZodType, value: unknown, path: Path): void => {
    const mark = KEYS.get(schema)?.unsupported;
    if (mark === undefined) {
      const def = coreOf(schema);
      if (def.type !== 'object' || !isMap(value)) return;
      for (const [key, inner] of Object.entries(def.shape))
        if (Object.hasOwn(value, key)) visit(inner, value[key], [...path, snakeCase(key)]);
      return;
    }
    const { except, unless } = mark;
    const isOneOf = (all: readonly unknown[], it: unknown): boolean => all.some((one) => isDeepStrictEqual(one, it));
    const isSupported =
      isOneOf(except, value) || (unless !== undefined && isOneOf(unless.in, valueAt(written, unless.key.split('.'))));
    if (!isSupported) found.push({ path, value, mark });
  };
  visit(root, written, []);
  return found;
}

const unsupportedMistake = ({ path, value, mark }: UnsupportedKey): ConfigMistake =>
  notSupported(path, value, mark.except.map((one) => shown(one, [])).join(' | ') || 'nothing', mark.part);
