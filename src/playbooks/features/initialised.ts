// What an initializer made, looked at by the harness itself (F01): every mistake as a Problem that can be sent back.
import type { Failure, Params } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import type { Problem } from '../../model/verdict.ts';
import type { World } from '../../model/world.ts';
import { DEFAULT_SIZE_RULES, sizeFlags, type SizeFlag } from './granularity.ts';
import { initialisedInput } from './inputs.ts';
import { hasLintConfig } from './lint-config.ts';
import { hasEntry } from './progress.ts';
import { readFeatures } from './read.ts';
import { scriptState } from '../session/scripts.ts';
import type { Feature } from './schema.ts';

export type Initialised = {
  /** What only the agent can mend. */
  readonly problems: readonly Problem[];
  /** What the `init` edit mends by itself: the progress log, the line in .gitignore. */
  readonly mends: readonly Problem[];
  readonly notes: readonly { readonly id: string; readonly flags: readonly SizeFlag[] }[];
  readonly total: number;
  /** Each feature with the test that must fail until it is done. */
  readonly features: readonly { readonly id: string; readonly testFile: string | null }[];
};

const STATS_AT_ONCE = 32;

export async function initialised(world: World, input: Json): Promise<Initialised> {
  const given = initialisedInput.parse(input);
  const problems: Problem[] = [];
  const text = await world.read(given.backlog);
  const read = text === null ? null : readFeatures(text, given.backlog, given);
  if (read === null) problems.push({ code: 'init-backlog-missing', params: { file: given.backlog } });
  else if (!read.ok) problems.push(...causesOf(read.failure));
  const features = read?.ok === true ? read.value.features : [];
  if (read?.ok === true && features.length === 0) {
    problems.push({ code: 'init-backlog-empty', params: { file: given.backlog } });
  }
  const rules = { ...DEFAULT_SIZE_RULES, maxSteps: given.maxSteps };
  const sized = features.map((f) => ({ id: String(f.id), flags: sizeFlags({ ...f, size_accepted: false }, rules) }));
  for (const { id, flags } of sized) {
    for (const { flag, weight, params } of flags) {
      if (weight === 'split') problems.push({ code: 'init-feature-too-large', params: { item: id, flag, ...params } });
    }
  }
  problems.push(...decisions(features), ...(await missingTests(world, features)));
  for (const command of [given.init, given.reset]) {
    const { is, path } = await scriptState(world, command);
    if (is === 'missing') problems.push({ code: 'init-script-missing', params: { file: path } });
    if (is === 'not-executable') problems.push({ code: 'init-script-not-executable', params: { file: path } });
  }
  if (given.lintCommand === null && !(await hasLintConfig(world))) {
    problems.push({ code: 'init-lint-config-missing', params: {} });
  }
  return {
    problems,
    mends: await mends(world, given),
    notes: sized.filter(({ flags }) => flags.length > 0),
    total: features.length,
    features: features.map((f) => ({ id: String(f.id), testFile: f.test_file ?? null })),
  };
}

function causesOf(failure: Failure): Problem[] {
  return (failure.causes ?? [failure]).map((cause) => {
    const { file = '', line = 0, column = 0, key = '' } = cause.at ?? {};
    const params: Params = { ...cause.params, reason: cause.reason, file, line, column, key };
    return { code: 'init-backlog-invalid', params };
  });
}

/** Nothing may pass yet, and what only a person decides may not be decided. */
function decisions(features: readonly Feature[]): Problem[] {
  const found: Problem[] = [];
  const passing = features.filter((f) => f.passes).map((f) => String(f.id));
  if (passing.length > 0) {
    found.push({ code: 'init-feature-passing', params: { count: passing.length }, ids: passing });
  }
  for (const field of ['skipped', 'override', 'size_accepted', 'failing'] as const) {
    const ids = features.filter((f) => f[field]).map((f) => String(f.id));
    if (ids.length > 0) found.push({ code: 'decision-forged', params: { field, count: ids.length }, ids });
  }
  return found;
}

async function missingTests(world: World, features: readonly Feature[]): Promise<Problem[]> {
  const users = new Map<string, string[]>();
  for (const f of features) {
    if (typeof f.test_file !== 'string') continue;
    const ids = users.get(f.test_file);
    if (ids === undefined) users.set(f.test_file, [String(f.id)]);
    else ids.push(String(f.id));
  }
  const files = [...users.keys()];
  const problems: Problem[] = [];
  for (let at = 0; at < files.length; at += STATS_AT_ONCE) {
    const some = files.slice(at, at + STATS_AT_ONCE);
    const stats = await Promise.all(some.map((file) => world.stat(file)));
    for (const [place, file] of some.entries()) {
      if (stats[place]?.kind === 'file') continue;
      problems.push({ code: 'init-test-missing', params: { file }, ids: users.get(file) ?? [] });
    }
  }
  return problems;
}

async function mends(
  world: World,
  given: { readonly progress: string; readonly stateDir: string },
): Promise<readonly Problem[]> {
  const found: Problem[] = [];
  if (!hasEntry(await world.read(given.progress), 0)) {
    found.push({ code: 'init-progress-missing', params: { file: given.progress } });
  }
  if (!ignores(await world.read('.gitignore'), given.stateDir)) {
    found.push({ code: 'init-gitignore-missing', params: { line: `${given.stateDir}/` } });
  }
  return found;
}

/** Whether a .gitignore names the folder on a line of its own. */
export function ignores(gitignore: string | null, folder: string): boolean {
  const forms = new Set([folder, `${folder}/`, `/${folder}`, `/${folder}/`, `${folder}/*`, `${folder}/**`]);
  return (gitignore ?? '').split(/\r?\n/).some((line) => forms.has(line.trim()));
}
