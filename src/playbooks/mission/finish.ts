// The end of a mission, when every feature has landed: the checkpoints before it, the whole suite, and the smoke test.
import { defineProcedure } from '../../engine/definitions.ts';
import { finalResult, type FinalResult } from '../../engine/playbook.ts';
import { failure } from '../../model/failure.ts';
import { z } from 'zod';
import { final } from '../session/final.ts';
import { countUndecided } from './convert.ts';
import { curateIfDue } from './curator.ts';
import { askCheckpoints } from './gates.ts';
import { smokeTest } from './smoke.ts';

export const finish = defineProcedure({
  id: 'mission.finish',
  input: z.object({}),
  output: finalResult,
  async perform(run, _input, config): Promise<FinalResult> {
    const found = await final.perform(run.scope('final'), {}, config);
    if (found.end !== 'holds') return found;
    const problems = await smokeTest(run.scope('smoke'), null, config);
    if (problems.length > 0) return { end: 'broken', problems, tests: null, broken: [] };
    const count = await countUndecided(run.scope('issues'));
    if (count > 0) return { end: 'unready', failure: failure('mission-issues-undecided', { count }) };
    const isGranted = await askCheckpoints(run, 'pre-done', config.paths.backlog);
    if (isGranted) await curateIfDue(run.scope('curator'), { session: 0, item: null }, 1, config);
    return isGranted ? found : { end: 'unready', failure: failure('checkpoint-refused') };
  },
});
