// What is read of the papers that a workflow may look into (reference 004, Architecture Principles 1), and no more of them than that.
import { z } from 'zod';
import type { Survey } from '../../engine/playbook.ts';
import { asJson } from '../session/surveys.ts';
import { verdictOf } from './project/artifacts.ts';
import type { Judged } from './layers/auto-fix.ts';
import { failingFiles } from './paths/named-files.ts';
import { judgedTargets, readPatch } from './paths/patch.ts';

const failingInput = z.object({ report: z.string(), docs: z.string(), root: z.string() });
export const failing: Survey = async (world, input) => {
  const { report, docs, root } = failingInput.parse(input);
  const text = (await world.read(report)) ?? '';
  const found = await failingFiles(world, text, { docsPath: docs, repoPath: root });
  return asJson({ files: found.files, dropped: found.dropped });
};

const patchInput = z.object({ file: z.string(), docs: z.string(), scope: z.string() });
/** Judged: what of the proposer's file may be applied. */
export const patch: Survey = async (world, input) => {
  const { file, docs, scope } = patchInput.parse(input);
  const read = readPatch((await world.read(file)) ?? '');
  if (read.isEmpty) {
    const why = read.part === '' ? read.why : `${read.why}: ${read.part}`;
    return asJson({ diff: null, targets: [], refused: null, why, summary: '' } satisfies Judged);
  }
  const { diff, targets, summary } = read;
  const judged = await judgedTargets(world, targets, { scope, docsPath: docs });
  const refused = judged.isAllowed ? null : { path: judged.path, rule: judged.rule };
  return asJson({ diff, targets, refused, why: '', summary } satisfies Judged);
};

const verdictInput = z.object({ report: z.string() });
/** `{on}`: an event of the table. */
export const verdict: Survey = async (world, input) => {
  const report = (await world.read(verdictInput.parse(input).report)) ?? '';
  return asJson({ on: verdictOf(report) });
};
