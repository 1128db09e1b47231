// How many tokens the orientation summary costs a session, by the harness's own estimate, at any size of the list.
import { backlog } from '../src/playbooks/features/backlog.ts';
import { orientationOf } from '../src/playbooks/features/briefs.ts';
import { configOf } from '../test/support/config.ts';
import { facts } from '../test/support/outcomes.ts';
import { gatherOrientation } from '../src/playbooks/features/gather.ts';
import { renderOrientation } from '../src/playbooks/features/orientation.ts';
import { estimateTokens } from '../src/model/tokens.ts';
import { appendEntry } from '../src/playbooks/features/progress.ts';
import { memoryWorld } from '../test/support/memory-world.ts';
import { featuresText } from './project.ts';

export type Prompt = { readonly features: number; readonly tokens: number };

/** The session for the last of so many features, with an entry in the log for each one before (at most 200). */
export async function measurePrompt(features: number): Promise<Prompt> {
  const text = featuresText(features).replaceAll('"passes": false', '"passes": true');
  const log = Array.from({ length: Math.min(features - 1, 200) }, (_, n) => n + 1).reduce<string | null>(
    (before, session) =>
      appendEntry(
        before,
        {
          session,
          date: '2025-01-16 14:30',
          feature: { id: String(session), title: `A person can do thing number ${session}` },
          did: ['Backend and frontend', 'Tests for both'],
          verification: 'ok',
          decisions: [`Thing ${session} keeps its state in the database`],
          state: ['Everything passes'],
          next: 'Go on',
        },
        'bench',
      ),
    null,
  );
  const world = memoryWorld({ files: { 'features.json': text, 'claude-progress.txt': log ?? '' } });
  const input = orientationOf({ facts: facts({ id: String(features) }), firstTask: [], session: features });
  const gathered = await gatherOrientation(
    { view: world, backlog, config: configOf(), sentence: ({ code }) => code },
    input,
  );
  return { features, tokens: estimateTokens(renderOrientation(gathered)) };
}
