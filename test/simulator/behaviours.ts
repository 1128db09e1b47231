// What agents of any kind may do in a turn: they cannot be had, they get nowhere, they cost too much. And what it is done with.
import type { AgentEvent } from '../../src/model/event.ts';
import { failure, type Failure } from '../../src/model/failure.ts';
import type { SessionAsk } from '../../src/model/action.ts';
import type { Dice } from './chance.ts';
import type { Files } from './files.ts';
import type { Mission } from './mission.ts';

const MINUTE = 60_000;

export type More = { readonly tokens: number; readonly units: number; readonly works: boolean };
export type Hands = {
  readonly mission: Mission;
  readonly ask: SessionAsk;
  readonly dice: Dice;
  /** null: the file is removed. */
  readonly write: (files: Files) => void;
  /** One request to the model and what it does with the answer. */
  readonly request: (more: More) => Promise<void>;
  readonly rest: (ms: number) => Promise<void>;
  readonly say: (event: AgentEvent) => void;
  readonly isCut: () => boolean;
};

/** What happens at the end of so much work; a turn that is none of these ends by itself. */
export const OUTAGES: { readonly [behaviour: string]: (dice: Dice) => Failure } = {
  crashes: () => failure('agent-crashed', { program: 'agent', code: 1, signal: '', stderr: '' }),
  'refused-shortly': (dice) => failure('agent-rate-limited', { retryAfterMs: dice.between(1, 9) * MINUTE }),
  'refused-long': (dice) => failure('agent-rate-limited', { retryAfterMs: dice.between(11, 300) * MINUTE }),
  refused: () => failure('agent-rate-limited'),
  overloaded: () => failure('agent-overloaded'),
  offline: () => failure('agent-network'),
  malformed: () => failure('agent-malformed'),
  lost: () => failure('agent-session-lost'),
  unknown: () => failure('agent-unknown'),
  'locked-out': () => failure('agent-auth'),
};

/** Beside the outages. */
const LIMITS = ['silent', 'fills', 'stuck', 'dear', 'floods', 'slow', 'compacts'] as const;
export const EVERYBODYS: readonly string[] = ['honest', 'nothing', ...Object.keys(OUTAGES), ...LIMITS];

/** `honest`: what it was sent for, where it comes to that. */
export async function performLimit(
  behaviour: string,
  { request, rest, say, isCut, dice }: Hands,
  honest: () => Promise<string | void>,
): Promise<string | void> {
  switch (behaviour) {
    case 'silent':
      return rest(24 * 60 * MINUTE);
    case 'slow':
      for (let n = 0; n < 200 && !isCut(); n += 1) await request({ tokens: 100, units: 1, works: true });
      return undefined;
    case 'fills':
      for (let n = 0; n < 60 && !isCut(); n += 1)
        await request({ tokens: dice.between(10_000, 25_000), units: 40, works: true });
      return undefined;
    case 'compacts':
      say({ t: 'compacted' });
      return honest();
    case 'stuck':
      for (let n = 0; n < 60 && !isCut(); n += 1) await request({ tokens: 9_000, units: 10, works: false });
      return undefined;
    case 'dear':
      for (let n = 0; n < 40 && !isCut(); n += 1)
        await request({ tokens: 500, units: dice.between(2_000, 9_000), works: true });
      return honest();
    case 'floods':
      for (let n = 0; n < 30 && !isCut(); n += 1) {
        say({ t: 'text', text: `${'x'.repeat(30_000)}\n` });
        await rest(1_000);
      }
      return undefined;
    default: // an outage, or nothing more
      return behaviour === 'nothing' ? 'Half of it is there.' : undefined;
  }
}
