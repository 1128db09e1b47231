// `health.json`: what was measured of the project when work last landed, for `harness status`, which measures nothing itself. Features are counted
// when it is read.
import { join } from 'node:path';
import { z } from 'zod/mini';
import { textOrEmpty } from '../../host/files.ts';
import { healthOf, lintErrors, measuredParts, shareOf, type HealthStatus } from '../../verify/health.ts';
import { checksIn } from '../../verify/last-checks.ts';
import type { FileSizes } from '../../verify/sizes.ts';
import type { RunHost, RunRepository, RunSettings } from '../run-context.ts';

const FILE = 'health.json';
const share = z.nullable(z.number().check(z.gte(0), z.lte(1)));
const measured = z.object({ schema: z.literal(1), session: z.number(), tests: share, lint: share, files: share });
type Measured = z.output<typeof measured>;

/** Only people read it. `sizes`: of the files as they landed; `evidence`: the folder of the checks that the landing rests on. */
export function keepMeasured(
  context: Pick<RunRepository & RunSettings & RunHost, 'workspaceDir' | 'config' | 'io'>,
  { session, files }: FileSizes,
  evidence: string,
): void {
  const { full, lint } = checksIn(evidence);
  const now: Measured = {
    schema: 1,
    session,
    ...measuredParts({
      tests: full?.tests ?? null,
      lintErrors: lint === null ? null : lintErrors(lint.exit, lint.output),
      lines: Object.values(files).map((file) => file.lines),
      maxFileLines: context.config.quality.maxFileLines,
    }),
  };
  context.io.replace(join(context.workspaceDir, FILE), `${JSON.stringify(now)}\n`, 'may-be-lost');
}

export type StatusHealth = { readonly status: HealthStatus; readonly overall: number; readonly session: number };

/** null: nothing landed since this is measured. */
export function healthAt(
  workspaceDir: string,
  passing: { readonly landed: number; readonly total: number },
): StatusHealth | null {
  const text = textOrEmpty(join(workspaceDir, FILE));
  const kept = text === '' ? null : parsed(text);
  if (kept === null) return null;
  const { session, tests, lint, files } = kept;
  const features = shareOf(passing.landed, passing.total);
  const { status, overall } = healthOf({ features, tests, lint, files });
  return status === null || overall === null ? null : { status, overall, session };
}

function parsed(text: string): Measured | null {
  try {
    return measured.parse(JSON.parse(text));
  } catch {
    return null; // measured again with the next landing
  }
}
