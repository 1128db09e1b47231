// Facts a machine of this playbook asks for. Each reads through the World and decides nothing beyond what it read.
import type { Survey } from '../../engine/playbook.ts';
import { asJson } from '../session/surveys.ts';
import { checkClaim } from './claim.ts';
import { initialised } from './initialised.ts';
import { claimInput, harnessFilesInput } from './inputs.ts';
import { scriptState } from '../session/scripts.ts';

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
  claim,
  'harness-files': harnessFiles,
  initialised: async (world, input) => asJson(await initialised(world, input)),
} as const satisfies { readonly [name: string]: Survey };
