// Facts a machine of this playbook asks for. Each reads through the World and decides nothing beyond what it read.
import type { Survey } from '../../engine/playbook.ts';
import { failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { checkClaim } from './claim.ts';
import { DEFAULT_SIZE_RULES, sizeFlags, splitAdvice } from './granularity.ts';
import { initialised } from './initialised.ts';
import { backlogInput, claimInput, harnessFilesInput } from './inputs.ts';
import { readFeatures } from './read.ts';
import { scriptState } from '../session/scripts.ts';
import { dependentsOf, select } from './select.ts';
import { dependenciesOf, stepsOf, verificationOf, type Feature } from './schema.ts';

/** Whatever is JSON in fact, as JSON in type; undefined members vanish. */
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/**
 * The next item and the totals: `{ok: true, next, feature, flags, split, dependents, remaining, passing, skipped, total}`
 * or `{ok: false, failure}` with `backlog-missing` or `backlog-invalid`. `feature` tells of `item`, else of the next one.
 */
const backlog: Survey = async (world, input) => {
  const { backlog: file, prefer, item, maxSteps, requireTestFile } = backlogInput.parse(input);
  const text = await world.read(file);
  if (text === null) {
    return asJson({ ok: false, failure: failure('backlog-missing', { file }, { at: { file } }) });
  }
  const read = readFeatures(text, file, { requireTestFile });
  if (!read.ok) return asJson({ ok: false, failure: read.failure });
  const { features } = read.value;
  const { next, ...totals } = select(features, prefer === null ? null : Number(prefer));
  const shown = item === null ? next : (features.find((f) => String(f.id) === item) ?? null);
  const rules = { ...DEFAULT_SIZE_RULES, maxSteps };
  return asJson({
    ok: true,
    next: next === null ? null : String(next.id),
    title: next?.description ?? '',
    feature: shown === null ? null : about(shown),
    flags: shown === null ? [] : sizeFlags(shown, rules),
    split: shown === null ? [] : splitAdvice(shown, rules),
    dependents: shown === null ? [] : dependentsOf(features, shown.id).map(String),
    ...totals,
  });
};

const about = (f: Feature) => ({
  id: String(f.id),
  title: f.description,
  testFile: f.test_file ?? null,
  steps: stepsOf(f),
  dependsOn: dependenciesOf(f).map(String),
  verification: verificationOf(f),
  automatedChecks: f.automated_checks ?? [],
  manualChecks: f.manual_checks ?? [],
  passes: f.passes,
  skipped: f.skipped ?? null,
  override: f.override ?? null,
  failing: f.failing ?? null,
});

/** `{holds, problems, claimed}`: features.json at the checkpoint against the work tree. */
const claim: Survey = async (world, input) => {
  const { backlog: file, before, item } = claimInput.parse(input);
  const was = await world.readAt(before, file);
  if (was === null) {
    const problems = [{ code: 'backlog-unreadable', params: { why: 'missing-before' } }];
    return asJson({ holds: false, problems, claimed: [] });
  }
  const { problems, claimed } = checkClaim(was, await world.read(file), item);
  return asJson({ holds: problems.length === 0, problems, claimed });
};

/** Preflight 2: `{missing: paths, notExecutable: paths}`. */
const harnessFiles: Survey = async (world, input) => {
  const given = harnessFilesInput.parse(input);
  const missing: string[] = [];
  const notExecutable: string[] = [];
  for (const path of [given.config, given.backlog, given.progress]) {
    if (path !== null && (await world.stat(path))?.kind !== 'file') missing.push(path);
  }
  for (const command of [given.init, given.reset]) {
    const state = await scriptState(world, command);
    if (state.is === 'missing') missing.push(state.path);
    if (state.is === 'not-executable') notExecutable.push(state.path);
  }
  return asJson({ missing, notExecutable });
};

export const surveys = {
  backlog,
  claim,
  'harness-files': harnessFiles,
  initialised: async (world, input) => asJson(await initialised(world, input)),
} as const satisfies { readonly [name: string]: Survey };
