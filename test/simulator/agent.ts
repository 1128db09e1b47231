// Agents by chance: what one does in a turn, as events with time between them. Some are honest, some lie, crash, hang, are
// refused, fill their context, get nowhere, cost too much. Everything it writes it writes into the work tree in memory.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSession, TurnResult } from '../../src/agents/port.ts';
import type { AgentEvent } from '../../src/model/event.ts';
import { failure, type Failure } from '../../src/model/failure.ts';
import type { SessionAsk } from '../../src/model/action.ts';
import { NO_USAGE, type Usage } from '../../src/model/usage.ts';
import { flipPasses } from '../../src/playbooks/features/change.ts';
import type { Dice } from './chance.ts';
import { count, DONE, itemsIn, paysFor, UNIT, workOf } from './ledger.ts';
import type { Mission } from './mission.ts';
import { addCommit, headOf, withFiles } from './repository.ts';
import type { Own } from './time.ts';

const MINUTE = 60_000;

export const DEEDS = [
  'honest', 'lies', 'nothing', 'wrong-claim', 'edits-others', 'breaks-older', 'tampers', 'commits', 'late-change',
  'crashes', 'refused-shortly', 'refused-long', 'refused', 'overloaded', 'offline', 'malformed', 'lost', 'unknown', 'locked-out',
  'silent', 'fills', 'stuck', 'dear', 'floods', 'slow', 'compacts',
] as const; // prettier-ignore
export type Deed = (typeof DEEDS)[number];

/** What happens at the end of so much work; a turn that is none of these ends by itself. */
const OUTAGES: { readonly [D in Deed]?: (dice: Dice) => Failure } = {
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

/** Who tells totals says at the end of a turn what it cost, cut or not. */
const sum = (onEvent: (event: AgentEvent) => void, { inputTokens, outputTokens, cachedTokens, costUsd }: Usage): void =>
  onEvent({ t: 'usage', inputTokens, outputTokens, cachedTokens, costUsd });

export type SimulatedAgent = AgentSession & {
  /** It hears that it must wrap up; some do as they are told. */
  hears(advice: string): void;
  /** What it used since an outcome was last durable: gone, where everybody dies who could tell. */
  readonly unsaidUnits: () => number;
  /** The outcome of its turn is durable. */
  heard(): void;
};

export function openAgent(mission: Mission, own: Own, ask: SessionAsk): SimulatedAgent {
  const { dice, ledger, repo } = mission;
  const item = ask.item ?? '';
  const id = `p-${ask.session}-${dice.between(0, 1e9)}`;
  let cut = new AbortController();
  let isClosed = false;
  let isTold = false;
  let contextUsed = 0;
  let lastDeed: Deed | null = null;
  let unsaid = 0;

  async function turn(prompt: string, onEvent: (event: AgentEvent) => void): Promise<TurnResult> {
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
    const write = (files: { readonly [path: string]: string | null }): void => {
      if (!signal.aborted) repo.work = withFiles(repo.work, files);
    };
    /** One request to the model and what it does with the answer. */
    const request = async (more: { tokens: number; units: number; works: boolean }): Promise<void> => {
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
      if (more.works) {
        const path = `notes/s${ask.session}-${ledger.written.size}.txt`;
        write({ [path]: `${ask.session}` });
        if (!signal.aborted) ledger.written.add(path);
        say({ t: 'file-change', path, change: 'add' });
      }
      if (signal.aborted) return;
      // A report that is on its way is money spent, whatever it brings about.
      paysFor(ledger, mission.config, ask.session, item, more.units);
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
    const again = lastDeed !== null && lastDeed in OUTAGES && dice.happens(mission.agents.outageLasts);
    const deed: Deed = again && lastDeed !== null ? lastDeed : mission.agents.next(prompt);
    lastDeed = deed;
    count(ledger.acts, deed);
    say({ t: 'session', id, version: '1' });
    say({ t: 'text', text: 'I begin.\n' });
    for (let left = dice.between(1, 14); left > 0 && !signal.aborted && !isStopping(); left -= 1)
      await request(ordinary());
    if (!isStopping()) await perform(deed, { write, request, rest, say, isCut: () => signal.aborted || isStopping() });
    if (mission.agents.tells === 'totals' && turnUnits > 0) sum(onEvent, usage);
    if (signal.aborted) return result('aborted', 'I was cut.');
    if (isStopping()) return result('end-turn', 'I stopped where I was.');
    const outage = OUTAGES[deed];
    if (outage) {
      if (deed === 'lost' || deed === 'crashes') contextUsed = 0;
      return { end: 'agent-failed', failure: outage(dice), text: '', usage };
    }
    return result('end-turn', deed === 'nothing' ? 'Half of it is there.' : 'It is done.');
  }

  type Hands = {
    readonly write: (files: { readonly [path: string]: string | null }) => void;
    readonly request: (more: { tokens: number; units: number; works: boolean }) => Promise<void>;
    readonly rest: (ms: number) => Promise<void>;
    readonly say: (event: AgentEvent) => void;
    readonly isCut: () => boolean;
  };
  const claim = (whose: string): { readonly [path: string]: string } => {
    const text = repo.work.get('features.json') ?? '';
    // Where the list is nobody's to write, the end of the turn is the claim.
    if (mission.config.playbook.machine === 'tasks') return {};
    try {
      return { 'features.json': flipPasses(text, whose) };
    } catch {
      return {};
    }
  };
  const done = (): { readonly [path: string]: string } => ({ [workOf(item)]: DONE, ...claim(item) });

  async function perform(deed: Deed, { write, request, rest, say, isCut }: Hands): Promise<void> {
    if (isCut()) return;
    const others = itemsIn(headOf(repo).tree).filter((one) => String(one.id) !== item);
    const passing = others.filter((one) => one.passes);
    switch (deed) {
      case 'honest':
        return write({
          ...done(),
          'claude-progress.txt': `${repo.work.get('claude-progress.txt') ?? ''}\nI did it.\n`,
        });
      case 'lies':
        return write(claim(item));
      case 'wrong-claim':
        return write({ ...done(), ...(others[0] ? claim(String(dice.oneOf(others).id)) : {}) });
      case 'edits-others': {
        write(done());
        const text = repo.work.get('features.json') ?? '';
        return write({ 'features.json': text.replace('"description": "User', '"description": "Nobody') });
      }
      case 'breaks-older':
        return write({ ...done(), ...(passing[0] ? { [workOf(String(dice.oneOf(passing).id))]: 'broken\n' } : {}) });
      case 'tampers':
        write(done());
        writeFileSync(join(mission.stateDir, 'session_state.json'), '{"stuck_count": 0, ');
        if (dice.happens(0.5)) writeFileSync(join(mission.stateDir, 'costs.yaml'), 'nothing: spent\n');
        return;
      case 'commits': {
        write(done());
        const at = mission.time.clock.iso();
        addCommit(repo, { tree: repo.work, subject: 'mine', at, trailers: {} });
        return;
      }
      case 'late-change':
        write(done());
        mission.later = () => write({ [workOf(item)]: 'changed later\n' });
        return;
      case 'silent':
        return rest(24 * 60 * MINUTE);
      case 'slow':
        for (let n = 0; n < 200 && !isCut(); n += 1) await request({ tokens: 100, units: 1, works: true });
        return;
      case 'fills':
        for (let n = 0; n < 60 && !isCut(); n += 1)
          await request({ tokens: dice.between(10_000, 25_000), units: 40, works: true });
        return;
      case 'compacts':
        say({ t: 'compacted' });
        contextUsed = 5_000;
        return write(done());
      case 'stuck':
        for (let n = 0; n < 60 && !isCut(); n += 1) await request({ tokens: 9_000, units: 10, works: false });
        return;
      case 'dear':
        for (let n = 0; n < 40 && !isCut(); n += 1)
          await request({ tokens: 500, units: dice.between(2_000, 9_000), works: true });
        return write(done());
      case 'floods':
        for (let n = 0; n < 30 && !isCut(); n += 1) {
          say({ t: 'text', text: `${'x'.repeat(30_000)}\n` });
          await rest(1_000);
        }
        return;
      default: // an outage, or nothing more
        return;
    }
  }

  return {
    id: () => id,
    turn,
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
