// `file_sizes.json`, and its copy in `.harness/`: how many lines the tracked files have, and since which session.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { ok, type Result } from '../../model/result.ts';
import {
  countLines,
  linesOf,
  nextSizes,
  readSizes,
  sizeWarnings,
  writeSizes,
  type LineCounts,
} from '../../verify/sizes.ts';
import { stagedFiles } from '../../repos/index.ts';
import { keptPath, shownPath } from '../../repos/records.ts';
import { keepMeasured } from './measured.ts';
import type { RunEvents, RunHost, RunRepository, RunSettings } from '../run-context.ts';

/** Counts only files whose blob changed since the last time. `evidence`: the folder of the checks of what landed; null: there is none. */
export async function takeSizes(
  context: RunRepository & RunSettings & RunHost & RunEvents,
  session: number,
  evidence: string | null,
): Promise<Result<string>> {
  const listed = await stagedFiles(context.git);
  if (!listed.ok) return listed;
  const files = listed.value.flatMap(({ path, mode, id }) => (mode.startsWith('100') ? [{ path, stamp: id }] : []));
  const cache = join(context.workspaceDir, 'line-counts.json');
  const counts = countLines(context.root, files, knownCounts(cache));
  const file = keptPath(context, 'file_sizes.json');
  const before = readSizes(file);
  if (!before.ok) return before;
  const now = nextSizes(before.value, session, linesOf(counts));
  for (const warning of sizeWarnings(before.value, now, context.config.quality.maxFileLines))
    context.notify({ type: 'file-size', level: 'routine', session, data: warning });
  context.io.replace(cache, JSON.stringify(counts), 'may-be-lost');
  writeSizes(context.io, file, now);
  const shown = shownPath(context, 'file_sizes.json');
  writeSizes(context.io, shown, now, 'may-be-lost');
  if (evidence !== null) keepMeasured(context, now, evidence);
  return ok(shown);
}

const lineCounts = z.record(z.string(), z.object({ stamp: z.string(), lines: z.nullable(z.number()) }));

function knownCounts(cache: string): LineCounts {
  if (!existsSync(cache)) return {};
  try {
    return lineCounts.parse(JSON.parse(readFileSync(cache, 'utf8')));
  } catch {
    return {}; // a cache: what it does not say is counted again
  }
}
