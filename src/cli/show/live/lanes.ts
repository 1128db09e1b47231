// What each lane of a run does now, folded from the run's events: pure. lines.ts shows it, watch-run.ts feeds it.
import type { Catalogue } from '../../../host/catalogue.ts';
import type { HarnessEvent } from '../../../model/event.ts';
import type { Json } from '../../../model/json.ts';

export type LaneStage = 'prepare' | 'agent' | 'check' | 'proof' | 'wait' | 'question' | 'landing' | 'close';

export type LiveLane = {
  /** The number of its session. */
  readonly session: number;
  readonly item: string;
  readonly stage: LaneStage;
  /** Of its agent; '' before one is at work. */
  readonly role: string;
  /** The tool at work, the checks that run, what is waited for, or the item that lands before it; `about`: what the tool works on. From agents: show it as text only. */
  readonly doing: string;
  readonly about: string;
  /** Of finished turns, and of the running one as far as its agent reports it. */
  readonly tokens: number;
  /** Null: no agent has reported an amount. */
  readonly usd: number | null;
  /** Of the session, in milliseconds since the epoch. */
  readonly since: number;
};

/** `spent`: of finished turns, by session. */
export type LiveRun = {
  readonly lanes: readonly LiveLane[];
  readonly spent: ReadonlyMap<number, { readonly tokens: number; readonly usd: number | null }>;
};
export const NO_LANES: LiveRun = { lanes: [], spent: new Map() };

/** Its item, and its stage or the role of the agent at work. */
export const laneHead = ({ item, stage, role }: LiveLane, text: Catalogue['text']): string =>
  stage === 'agent' && role !== ''
    ? text('live.agent', { item, role })
    : text('live.stage', { item, stage: `live-${stage}` });

type Event = Omit<HarnessEvent, 'ts' | 'level'>;

/** `now`: when it happened. Events of agents come as those of the run's event log (src/host/run-events.ts). */
export function afterEvent(run: LiveRun, event: Event, now: number): LiveRun {
  const { session, item = '', data = {} } = event;
  if (event.type === 'item-started' && session !== undefined) return begun(run, session, item, now);
  const lane = laneOf(run.lanes, event);
  if (lane === undefined) return run;
  const set = (change: Partial<LiveLane>): LiveRun => ({
    ...run,
    lanes: run.lanes.map((one) => (one === lane ? { ...one, ...change } : one)),
  });
  switch (event.type) {
    case 'session-started':
      return set({ stage: 'agent', role: wordOf(data['role']), doing: '', about: '' });
    case 'checking':
      return set({ stage: 'check', doing: listOf(data['checks']), about: '' });
    case 'proving':
      return set({ stage: 'proof', doing: '', about: '' });
    case 'checked':
    case 'proved':
      return set({ stage: lane.role === '' ? 'prepare' : 'agent', doing: '', about: '' });
    case 'waiting':
      return set({ stage: 'wait', doing: wordOf(data['why']), about: '' });
    case 'gate-opened':
      return set({ stage: 'question', doing: wordOf(data['gate']), about: '' });
    case 'landing-waits':
      return set({ stage: 'landing', doing: wordOf(data['behind']), about: '' });
    case 'landed':
      return ahead(set({ stage: 'close', doing: '', about: '' }), lane.item);
    case 'rolled-back':
      return set({ stage: 'close', doing: '', about: '' });
    case 'item-ended':
    case 'item-parked':
      return { ...run, lanes: run.lanes.filter((one) => one !== lane) };
    case 'tool':
      return set({ stage: 'agent', doing: wordOf(data['tool']), about: wordOf(data['about']) });
    case 'tool-ended':
      return set({ doing: '', about: '' });
    case 'usage':
    case 'context':
      return counted(run, lane, event.type, data);
    default:
      return run;
  }
}

/** Nothing is named that has landed. */
const ahead = (run: LiveRun, landed: string): LiveRun => ({
  ...run,
  lanes: run.lanes.map((one) => (one.stage === 'landing' && one.doing === landed ? { ...one, doing: '' } : one)),
});

function begun(run: LiveRun, session: number, item: string, since: number): LiveRun {
  const spent = run.spent.get(session) ?? { tokens: 0, usd: null };
  const made = { session, item, stage: 'prepare', role: '', doing: '', about: '', since, ...spent } as const;
  return { ...run, lanes: [...run.lanes.filter((one) => one.session !== session), made] };
}

/** Checks before a session, and questions, name no session: they belong to their item, else to the lane that was begun last. */
function laneOf(lanes: readonly LiveLane[], { session, item }: Event): LiveLane | undefined {
  if (session !== undefined) return lanes.find((one) => one.session === session);
  return item === undefined ? lanes.at(-1) : lanes.find((one) => one.item === item);
}

/** `usage` ends a turn; `context` says how far the running one is. */
function counted(run: LiveRun, lane: LiveLane, type: 'usage' | 'context', data: NonNullable<Event['data']>): LiveRun {
  const before = run.spent.get(lane.session) ?? { tokens: 0, usd: null };
  const [used, usd] = [
    type === 'usage' ? numberOf(data['input']) + numberOf(data['output']) : numberOf(data['used']),
    data['usd'],
  ];
  const now = {
    tokens: before.tokens + used,
    usd: typeof usd === 'number' ? (before.usd ?? 0) + usd : before.usd,
  };
  const lanes = run.lanes.map((one) => (one === lane ? { ...one, ...now } : one));
  return type === 'context' ? { ...run, lanes } : { lanes, spent: new Map([...run.spent, [lane.session, now]]) };
}

const wordOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);
const listOf = (value: Json | undefined): string => (Array.isArray(value) ? value.map(wordOf).join(', ') : '');
