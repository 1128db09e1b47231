// Agents by chance: what one does in a turn, as events with time between them. Some are honest, some lie, crash, hang, are
// refused, fill their context, get nowhere, cost too much. Everything it writes it writes into the work tree in memory.
import type { AgentSession, TurnResult } from '../../src/agents/port.ts';
import type { AgentEvent } from '../../src/model/event.ts';
import type { SessionAsk } from '../../src/model/action.ts';
import { NO_USAGE, type Usage } from '../../src/model/usage.ts';
import { OUTAGES, type Hands, type More } from './behaviours.ts';
import { put, type Files } from './files.ts';
import { count, paysFor, UNIT } from './ledger.ts';
import type { Mission } from './mission.ts';
import type { Own } from './time.ts';

/** An agent that reports totals says at the end of a turn what it cost, cut or not. */
const sum = (onEvent: (event: AgentEvent) => void, { inputTokens, outputTokens, cachedTokens, costUsd }: Usage): void =>
  onEvent({ t: 'usage', inputTokens, outputTokens, cachedTokens, costUsd });

export type SimulatedAgent = AgentSession & {
  /** Notifies it that it must wrap up; some agents do. */
  hears(advice: string): void;
  /** What it used since an outcome was last durable: lost if every process that could report it dies. */
  readonly unsaidUnits: () => number;
  /** The outcome of its turn is durable. */
  heard(): void;
};

export function openAgent(mission: Mission, own: Own, ask: SessionAsk): SimulatedAgent {
  const { dice, ledger } = mission;
  const item = ask.item ?? '';
  const id = `p-${ask.session}-${dice.between(0, 1e9)}`;
  let cut = new AbortController();
  let isClosed = false;
  let isTold = false;
  let contextUsed = 0;
  let lastBehaviour: string | null = null;
  let unsaid = 0;

  async function turn(onEvent: (event: AgentEvent) => void): Promise<TurnResult> {
    cut = new AbortController();
    if (isClosed) cut.abort();
    const { signal } = cut;
    let usage: Usage = NO_USAGE;
    let turnUnits = 0;
    const result = (end: 'end-turn' | 'aborted', text: string): TurnResult => ({ end, text, usage });
    const willObey = dice.happens(mission.agents.obeys);
    const isStopping = (): boolean => isTold && willObey && mission.agents.inject === 'mid-turn';
    const say = (event: AgentEvent): void => {
      if (!signal.aborted) onEvent(event);
    };
    const rest = (ms: number): Promise<void> => own.sleep(ms, signal);
    const write = (files: Files): void => {
      if (!signal.aborted) put(mission, files);
    };
    /** One request to the model and what it does with the answer. */
    const request = async (more: More): Promise<void> => {
      await rest(dice.between(20, 150) * 1_000);
      if (signal.aborted) return;
      contextUsed += more.tokens;
      const tool = `t${dice.between(0, 1e9)}`;
      const isTest = more.works && dice.happens(0.4);
      say({
        t: 'tool-start',
        id: tool,
        name: isTest ? 'bash' : 'read',
        input: isTest ? { command: 'run all' } : { path: 'src' },
      });
      say({ t: 'tool-end', id: tool, ok: dice.happens(0.9), output: isTest ? '3 passed' : 'error: something' });
      const path = more.works ? mission.kind.note(ask, ledger.written.size) : null;
      if (path !== null) {
        write({ [path]: `${ask.session}` });
        if (!signal.aborted) ledger.written.add(path);
        say({ t: 'file-change', path, change: 'add' });
      }
      if (signal.aborted) return;
      // A report that is on its way is money spent, whatever it brings about.
      const lanes = mission.areLanes ? mission.kind.mostAtOnce : 1;
      paysFor(ledger, { config: mission.config, lanes }, { session: ask.session, item, units: more.units });
      turnUnits += more.units;
      unsaid += more.units;
      const costUsd = more.units / UNIT;
      usage = {
        inputTokens: usage.inputTokens + more.tokens,
        outputTokens: usage.outputTokens + 10,
        cachedTokens: 0,
        costUsd: turnUnits / UNIT,
        source: 'reported',
      };
      if (mission.agents.tells === 'reports')
        say({ t: 'usage', inputTokens: more.tokens, outputTokens: 10, cachedTokens: 0, costUsd });
      say({
        t: 'context',
        used: contextUsed,
        window: null,
        costUsd: mission.agents.tells === 'totals' ? turnUnits / UNIT : null,
      });
    };
    const ordinary = (works = true) => ({ tokens: dice.between(1_000, 8_000), units: dice.between(20, 900), works });

    const isWrapUp = isTold && willObey;
    isTold = false;
    if (isWrapUp) {
      await request({ ...ordinary(), tokens: 500 });
      if (mission.agents.tells === 'totals' && turnUnits > 0) sum(onEvent, usage);
      return result(signal.aborted ? 'aborted' : 'end-turn', 'I stopped and left a note.');
    }
    const again = lastBehaviour !== null && lastBehaviour in OUTAGES && dice.happens(mission.agents.outageLasts);
    const behaviour = again && lastBehaviour !== null ? lastBehaviour : mission.agents.next();
    lastBehaviour = behaviour;
    count(ledger.acts, behaviour);
    say({ t: 'session', id, version: '1' });
    say({ t: 'text', text: 'I begin.\n' });
    for (let left = dice.between(1, 14); left > 0 && !signal.aborted && !isStopping(); left -= 1)
      await request(ordinary());
    const hands: Hands = { mission, ask, dice, write, request, rest, say, isCut: () => signal.aborted || isStopping() };
    const word = isStopping() ? undefined : await mission.kind.perform(behaviour, hands);
    if (mission.agents.tells === 'totals' && turnUnits > 0) sum(onEvent, usage);
    if (signal.aborted) return result('aborted', 'I was cut.');
    if (isStopping()) return result('end-turn', 'I stopped where I was.');
    const outage = OUTAGES[behaviour];
    if (outage) {
      if (behaviour === 'lost' || behaviour === 'crashes') contextUsed = 0;
      return { end: 'agent-failed', failure: outage(dice), text: '', usage };
    }
    return result('end-turn', word ?? 'It is done.');
  }

  return {
    id: () => id,
    turn: (_prompt, onEvent) => turn(onEvent),
    async inject() {
      return mission.agents.inject === 'mid-turn'
        ? 'delivered'
        : mission.agents.inject === 'next-turn'
          ? 'next-turn'
          : 'unsupported';
    },
    async abort() {
      cut.abort();
    },
    async close() {
      isClosed = true;
      cut.abort();
    },
    hears(advice) {
      if (advice.endsWith('wrap-up')) isTold = true;
    },
    unsaidUnits: () => unsaid,
    heard: () => void (unsaid = 0),
  };
}
