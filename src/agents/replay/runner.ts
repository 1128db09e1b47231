// The provider `replay`: repeats recorded turns without a model: their events, changes and outcome. A turn that the cassette does not have,
// or has for another prompt or file, is a divergence and does nothing.
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { sha256 } from '../../host/files.ts';
import { createRedactor } from '../../host/redact.ts';
import type { AgentEvent } from '../../model/event.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { lostTurn } from '../../model/turn.ts';
import { failedSession } from '../failed-session.ts';
import { mapStrings } from '../host/recorder.ts';
import type { AgentRunner, AgentSession, SessionSpec } from '../port.ts';
import { readContext } from '../scripted/match.ts';
import { findTurn, readCassette, type Cassette, type RecordedTurn } from './cassette.ts';
import { apply, firstConflict } from './changes.ts';
import { divergence } from './divergence.ts';
import { normalized, firstDifference, withPaths, type LocalPaths } from './normalize.ts';

const NO_CASSETTE = failure('agent-not-configured', { provider: 'replay', missing: 'cassette' });

export const replayRunner: AgentRunner = {
  provider: 'replay',
  capabilities: { inject: 'none', resume: true, usage: 'reported', context: 'reported', quota: 'none', policy: 'none' },
  /** A relative cassette is searched once the work folder is known. */
  probe({ scenario }) {
    if (scenario === null) return Promise.resolve({ ready: false, failure: NO_CASSETTE });
    const read = isAbsolute(scenario) ? readCassette(scenario) : null;
    return Promise.resolve(
      read?.ok === false ? { ready: false, failure: read.failure } : { ready: true, version: '1' },
    );
  },
  open(spec) {
    if (spec.agent.scenario === null) return Promise.resolve(failedSession(NO_CASSETTE));
    const read = readCassette(resolve(spec.cwd, spec.agent.scenario));
    return Promise.resolve(read.ok ? openReplay(read.value, spec) : failedSession(read.failure));
  },
};

function openReplay(cassette: Cassette, spec: SessionSpec): AgentSession {
  const places: LocalPaths = { root: spec.cwd, home: spec.env['HOME'] ?? homedir(), tmp: tmpdir() };
  const redact = createRedactor(spec.env);
  let id = spec.resume?.id ?? null;
  let last: number | null = null;

  /** The last turn of a session that is only known by the provider's id. */
  const before = (session: number): number =>
    cassette.turns.findLast((one) => one.session === session && one.outcome.resume === id && id !== null)?.turn ?? 0;

  const replay: NonNullable<AgentSession['replay']> = (number, prompt, onEvent) => {
    const session = Number(readContext(prompt)['SESSION'] ?? 0);
    const said = normalized(redact(prompt), places);
    const found = playable(cassette, { session, turn: number, said, root: spec.cwd });
    if ('reason' in found) return Promise.resolve(lostTurn(found));
    try {
      apply(spec.cwd, found.changes);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return Promise.resolve(lostTurn(divergence(cassette, 'departed-file', { session, turn: number, detail })));
    }
    const here = <T>(value: T): T => mapStrings(value, (text) => withPaths(text, places));
    for (const event of found.events) onEvent(here(event) satisfies AgentEvent);
    id = found.outcome.resume;
    last = number;
    return Promise.resolve(here(found.outcome));
  };
  return {
    id: () => id,
    replay,
    async turn(prompt, onEvent) {
      const session = Number(readContext(prompt)['SESSION'] ?? 0);
      const { end, failure: why, text, usage } = await replay((last ?? before(session)) + 1, prompt, onEvent);
      if (why !== null) return { end: 'agent-failed', failure: why, text, usage };
      return { end: end === 'end-turn' ? end : 'aborted', text, usage };
    },
    inject: () => Promise.resolve('unsupported'),
    abort: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

type TurnRequest = { readonly session: number; readonly turn: number; readonly said: string; readonly root: string };

/** Reports the first difference: the prompt says more than the files that followed from it. */
function playable(cassette: Cassette, { session, turn, said, root }: TurnRequest): RecordedTurn | Failure {
  const where = { session, turn };
  const found = findTurn(cassette, session, turn);
  if (found === null) return divergence(cassette, 'departed-turn', where);
  if (found.prompt.sha256 !== sha256(said))
    return divergence(cassette, 'departed-prompt', { ...where, ...firstDifference(found.prompt.text, said) });
  if (found.unplayable !== null)
    return divergence(cassette, 'departed-unplayable', { ...where, because: found.unplayable });
  const path = firstConflict(root, found.changes);
  return path === null ? found : divergence(cassette, 'departed-file', { ...where, path });
}
