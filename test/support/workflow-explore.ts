// Every state that a workflow can come to, found by trying every event in every state: for claims that must hold in all of them.
import { STEPS, type Counters, newCounters } from '../../src/playbooks/workflow/table/counters.ts';
import { entered, type Interpreter, type TableState } from '../../src/playbooks/workflow/table/next.ts';
import { eventsIn, type EventName, type StageName } from '../../src/playbooks/workflow/table/stages.ts';
import { isV1, MODES, resolved, type StateFile, type WorkflowFile } from '../../src/playbooks/workflow/file/state.ts';
import { NOW, stateIn, v1In } from './workflow.ts';

/** Rounds are few and a spec is nearly settled, so that all of it can be walked through. */
const nearlySettled = (mem: Counters): Counters => ({ ...mem, revisions: 9 });
const begin = (file: WorkflowFile, stage: StageName, mem: Counters): TableState =>
  entered(file, stage, nearlySettled(mem));
const few = (more: Partial<StateFile>): StateFile => stateIn('plan_ready', { max_rounds: 2, ...more });

/** Sessions as they begin without a state.json, of v1, and those of a named step. */
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

/** What tells states apart. Times, words and visits decide nothing; what was settled in the plan phase decides nothing later. */
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

/** Calls `see` with every state that can be reached, and what came of every event that its stage hears. */
export function explore(
  machine: Interpreter,
  from: readonly TableState[],
  see: (s: TableState, came: readonly { readonly on: EventName; readonly after: TableState | null }[]) => void,
  /** Where it may go on as well: a life that begins anew. */
  anew: (s: TableState) => readonly TableState[] = () => [],
): number {
  const known = new Map<string, TableState>(from.map((s) => [keyOf(s), s]));
  // A map that is walked through while it grows: each state is looked at once.
  for (const s of known.values()) {
    const came = eventsIn(s.at.stage).map((on) => {
      const after = machine.next(s, { on, at: NOW });
      return { on, after: 'state' in after ? after.state : null };
    });
    see(s, came);
    for (const after of [...came.map((one) => one.after), ...anew(s)])
      if (after !== null && !known.has(keyOf(after))) known.set(keyOf(after), after);
  }
  return known.size;
}

/** How many steps the longest life from here has; throws where one could go round for ever. */
export function longestLife(machine: Interpreter, from: TableState): number {
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
    else if (onPath.has(key)) throw new Error(`a life can go round and round: ${key}`);
    else {
      onPath.add(key);
      path.push({ key, open: [...ways(s)], longest: 0 });
    }
  }
  return known.get(keyOf(from)) ?? 0;
}
