// Every reachable state of the table, found by trying every event in every state: for claims that hold in all of them.
import { type Counters, newCounters } from '../../src/playbooks/workflow/table/counters.ts';
import { entered, type Interpreter, type TableState } from '../../src/playbooks/workflow/table/next.ts';
import { eventsIn, type EventName, type StageName } from '../../src/playbooks/workflow/table/stages.ts';
import { isV1, MODES, resolved, type StateFile, type WorkflowFile } from '../../src/playbooks/workflow/file/state.ts';
import { NOW, stateIn, v1In } from './workflow.ts';
import { STEPS } from '../../src/playbooks/workflow/file/run-options.ts';

/** Few rounds and few revisions left, so that the state space is small. */
const nearlySettled = (mem: Counters): Counters => ({ ...mem, revisions: 9 });
const begin = (file: WorkflowFile, stage: StageName, mem: Counters): TableState =>
  entered(file, stage, nearlySettled(mem));
const few = (more: Partial<StateFile>): StateFile => stateIn('plan_ready', { max_rounds: 2, ...more });

/** Starts without a state.json, of version 1, and of named steps. */
export const BEGINNINGS: readonly TableState[] = [
  ...MODES.map((mode) => begin(few({ mode, conventions: null }), 'conventions', newCounters('auto'))),
  ...(['conventions', 'generate-ready', 'verify-ready', 'evaluate-ready'] as const).map((stage) =>
    begin(few({ conventions: null }), stage, newCounters('phase')),
  ),
  begin(few({ has_git: false, mode: 'single' }), 'conventions', newCounters('auto')),
  begin(v1In('plan_ready', { max_rounds: 2 }), 'plan-ready', newCounters('auto')),
  begin(v1In('plan_ready', { max_rounds: 2, verify: null }), 'plan-ready', newCounters('auto')),
  ...STEPS.flatMap((only) => [
    begin(few({}), 'verify-ready', newCounters('step', only)),
    begin(few({ verify: { layer1_result: 'FAIL' } }), 'verify-gate', newCounters('step', only)),
  ]),
];

/** What distinguishes states. Times, texts and visits do not matter, and the counters of the plan phase do not matter after it. */
function keyOf({ file, at, mem }: TableState): string {
  const { phase, verify, autofix, mode, round, has_git: git, conventions } = resolved(file);
  const {
    layer1_result: l1,
    layer1_retries: n1,
    layer2_result: l2,
    layer2_retries: n2,
    autofix_attempted: spent,
  } = verify;
  const planned = phase?.startsWith('plan') === true ? [conventions, mem.scans, mem.revisions] : [];
  const own = [at.stage, mem.style, mem.only, mem.tries, mem.finish, isV1(file), file.verify === null];
  return [...own, phase, mode, git, round, l1, n1, l2, n2, spent, autofix?.applied, ...planned].join();
}

/** Calls `see` with every reachable state, and the state after each event of its stage; null: it is refused. */
export function explore(
  machine: Interpreter,
  from: readonly TableState[],
  see: (s: TableState, results: readonly { readonly on: EventName; readonly after: TableState | null }[]) => void,
  /** Further states to continue from: restarts. */
  restarts: (s: TableState) => readonly TableState[] = () => [],
): number {
  const known = new Map<string, TableState>(from.map((s) => [keyOf(s), s]));
  // A map that is iterated while it grows: each state is visited once.
  for (const s of known.values()) {
    const results = eventsIn(s.at.stage).map((on) => {
      const after = machine.next(s, { on, at: NOW });
      return { on, after: 'state' in after ? after.state : null };
    });
    see(s, results);
    for (const after of [...results.map((one) => one.after), ...restarts(s)])
      if (after !== null && !known.has(keyOf(after))) known.set(keyOf(after), after);
  }
  return known.size;
}

/** The steps of the longest run from here; throws if there is an endless one. */
export function longestRun(machine: Interpreter, from: TableState): number {
  const ways = (s: TableState): readonly TableState[] =>
    eventsIn(s.at.stage).flatMap((on) => {
      const after = machine.next(s, { on, at: NOW });
      return 'state' in after ? [after.state] : [];
    });
  const known = new Map<string, number>();
  const path = [{ key: keyOf(from), open: [...ways(from)], longest: 0 }];
  const onPath = new Set([keyOf(from)]);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const s = top.open.pop();
    const key = s === undefined ? '' : keyOf(s);
    if (s === undefined) {
      known.set(top.key, top.longest);
      onPath.delete(top.key);
      path.pop();
      const below = path.at(-1);
      if (below !== undefined) below.longest = Math.max(below.longest, top.longest + 1);
    } else if (known.has(key)) top.longest = Math.max(top.longest, (known.get(key) ?? 0) + 1);
    else if (onPath.has(key)) throw new Error(`there is an endless run: ${key}`);
    else {
      onPath.add(key);
      path.push({ key, open: [...ways(s)], longest: 0 });
    }
  }
  return known.get(keyOf(from)) ?? 0;
}
