// Which acceptance criteria are covered by what is merged.
import { z } from 'zod';
import { isReady } from '../../model/release.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { openTarget } from '../open/target.ts';
import { operation } from './operation.ts';

export const releaseGate = operation({
  name: 'release-gate',
  kind: 'read',
  about: 'Which acceptance criteria are covered by merged plans, and whether all are (playbook delivery).',
  command: 'release-gate',
  input: z.object({}),
  output: z.object({
    ready: z.boolean(),
    file: z.string().describe('where the criteria are'),
    criteria: z
      .array(
        z.object({
          tag: z.string(),
          text: z.string(),
          line: z.number(),
          covered_by: z.array(z.string()).readonly().describe('merged plans with the tag; empty: not covered'),
        }),
      )
      .readonly(),
    mistakes: z
      .array(z.object({ line: z.number(), what: z.string() }))
      .readonly()
      .describe('lines that cannot be read; with one of them it is not ready'),
  }),
  async run(asker) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const { playbook, view, config } = target.value;
    if (playbook.tick === undefined)
      return err(
        failure('usage', { what: `the playbook ${playbook.name} has no release gate`, hint: 'harness status' }),
      );
    const release = await playbook.tick.release({ view, config });
    if (release === null)
      return err(failure('config-value-missing', { key: 'release_gate.spec_path', allowed: 'path-inside-repository' }));
    const { file, criteria, mistakes } = release;
    const shown = criteria.map(({ coveredBy, ...one }) => ({ ...one, covered_by: coveredBy }));
    return ok({ answer: { ready: isReady(release), file, criteria: shown, mistakes }, detail: null });
  },
});
