// Who attempted an item and which attempt won: a folder of evidence of its own. If the session lands, its bundle has it (session-evidence.ts).
import { join } from 'node:path';
import { redactJson } from '../../host/redact.ts';
import { keptCompetition, type KeptCompetition } from '../../model/competition.ts';
import { toJson } from '../../model/json.ts';
import type { RememberAsk } from '../../model/remember.ts';
import { agentOf, modelOf } from '../agent.ts';
import type { RunContext } from '../run-context.ts';
import { fileName } from '../token.ts';

type Ask = Extract<RememberAsk, { what: 'competition' }>;
type Place = Pick<RunContext, 'io' | 'clock' | 'privateDir' | 'redact' | 'sessions' | 'config'>;

export function keepCompetition(context: Place, { session, competition, role }: Ask, token: string): string {
  const agents = competition.attempts.map(({ number, session: of }) => {
    const slot = { role, agent: context.sessions.pointer(of)?.agent ?? 0 };
    return { number, provider: agentOf(context.config, slot).provider, model: modelOf(context.config, slot) };
  });
  const kept: KeptCompetition = {
    schema: 1,
    kind: 'harness.competition',
    session,
    at: context.clock.iso(),
    ...competition,
    agents,
  };
  const shown = keptCompetition.parse(redactJson(context.redact, toJson(kept)));
  const file = join(context.privateDir, 'evidence', `competition-${fileName(token)}`, 'competition.json');
  context.io.replace(file, `${JSON.stringify(shown, null, 2)}\n`);
  return file;
}
