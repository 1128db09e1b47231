// Each stage of the table as a stage of the machine: its wish as one action, and what came of that as an event of the table.
import type { ItemInput } from '../../engine/playbook.ts';
import type { ActionOf, Done, Machine } from '../../engine/types.ts';
import type { Actions, ItemOutcome } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { addUsage, NO_USAGE } from '../../model/usage.ts';
import { budgetInput, call, type BudgetFacts } from '../session/asks.ts';
import { go, outcomeOf } from '../session/rows.ts';
import type { Came } from './table/came.ts';
import type { Mem } from './table/mem.ts';
import { next, wanted, type Do } from './table/next.ts';
import { atStage, ENDS, NO_FILE, WORKING, type At, type S, type Working } from './positions.ts';
import { asked } from './questions.ts';
import { sessionsOf, VERIFIER, type SessionSpec } from './table/sessions.ts';
import { STAGES, type EventName, type StageName, type Want } from './table/stages.ts';
import { resolved, type WorkflowFile } from './file/state.ts';

type Machine_ = Machine<WorkflowFile, At, Mem, Actions>;
type Here = { readonly file: WorkflowFile; readonly at: { readonly stage: Working }; readonly mem: Mem };

export const stages = (input: ItemInput): Pick<Machine_['stages'], Working> =>
  Object.fromEntries(
    WORKING.map((stage) => [
      stage,
      {
        wants: (s: Here) => [actionOf(s, wanted(s), input)],
        apply: (s: Here, done: Done<Actions>) => applied(s, done),
      },
    ]),
  ) as unknown as Pick<Machine_['stages'], Working>;

const WITH_AGENTS: readonly Want[] = ['sessions', 'proposal', 'evaluation', 'layer 1'];
const wantOf = (stage: Working): Want | null => (STAGES[stage] as { readonly wants?: Want }).wants ?? null;
/** Whether agents are at work in this stage. */
export const isSent = (stage: Working): boolean => WITH_AGENTS.includes(wantOf(stage) ?? 'nothing');

/** Who is sent there. */
export function sentFor({ file }: Pick<S, 'file'>, stage: Working): readonly SessionSpec[] {
  const { mode, docs_path: docs } = resolved(file);
  return wantOf(stage) === 'layer 1' ? [VERIFIER] : sessionsOf(stage, mode, docs);
}

function actionOf(s: Here, want: Do, { item, config }: ItemInput): ActionOf<Actions> {
  const { stage } = s.at;
  const state = resolved(s.file);
  const key = `${stage}-${s.mem.visits}`;
  const procedure = (name: string, more: object = {}): ActionOf<Actions, 'procedure'> => ({
    ...call(name, { item, stage, session: s.mem.session, state, ...more }),
    key,
  });
  switch (want.do) {
    case 'ask':
      return asked(s, want, item);
    case 'begin':
      return { kind: 'survey', key, survey: 'budget', input: budgetInput(item, config, 0) };
    case 'proceed':
      return { kind: 'survey', key, survey: 'nothing', input: {} };
    case 'sessions':
    case 'proposal':
    case 'evaluation':
      return procedure(PROCEDURE[want.do], {
        specs: want.sessions,
        attempt: s.mem.tries + 1,
        retry: retryOf(s),
        note: s.mem.note,
      });
    case 'layer 1':
      return procedure('layer-1');
    case 'conventions':
      return procedure('conventions');
    case 'patch':
      return procedure('apply-fix', { shown: s.mem.diff });
    case 'verdict':
      return { kind: 'survey', key, survey: 'verdict', input: { report: `${state.docs_path}qa_report.md` } };
    case 'clean-up':
      return procedure('finish', {
        // Whose work lands; where another life built it, whoever was sent last.
        session: s.mem.built > 0 ? s.mem.built : Math.max(1, s.mem.session - 1),
        finish: want.finish,
        isProved: isProved(s),
        line: s.mem.line,
      });
    case 'nothing':
      throw new Bug(`nothing is wanted in ${stage}`);
  }
}

const PROCEDURE = { sessions: 'dispatch', proposal: 'propose-fix', evaluation: 'evaluate' } as const;

/** What a generator is told that is sent again (Steps 5 and 7): the line of the layer that failed, and its report. */
function retryOf({ file, at, mem }: Here): { readonly line: string; readonly report: string } | null {
  if (at.stage !== 'retry') return null;
  const { docs_path: docs } = resolved(file);
  return { line: mem.line, report: `${docs}${mem.failed === 1 ? 'verify_report.md' : 'qa_report.md'}` };
}

const isProved = ({ file, mem }: Pick<S, 'file' | 'mem'>): boolean =>
  resolved(file).verify.layer1_result === 'PASS' && !mem.isAccepted;

function applied(s: Here, done: Done<Actions>): S {
  if (done.kind === 'ask') {
    const { option, note } = done.outcome;
    if (note.trim() !== '') return go(s, { stage: 'listen', of: s.at.stage, option, note, at: done.at });
    return answered(s, option, '', done.at);
  }
  if (done.kind === 'survey') {
    const on = wantOf(s.at.stage);
    if (on === 'verdict') return moved(s, done.outcome.facts as unknown as Came, done.at);
    if (on !== 'begin') return moved(s, { on: 'proceed' }, done.at);
    const { failure: why, over } = done.outcome.facts as unknown as BudgetFacts;
    if (over !== null) return go(s, { stage: 'overspent', over, back: s.at.stage });
    if (why !== null) return ended(s, { result: 'blocked', reason: why.reason, failure: why });
    return moved(s, { on: 'begin' }, done.at);
  }
  return done.kind === 'procedure'
    ? moved(s, done.outcome.output as unknown as Came, done.at)
    : go(s, atStage(s.at.stage));
}

/** In the stage that asked. */
export function answered(s: Here, option: string, note: string, at: string): S {
  const gate = (STAGES[s.at.stage] as { readonly asks?: string }).asks ?? '';
  const on = `${gate}: ${option}` as EventName;
  const heard = { ...s, mem: { ...s.mem, note: on === 'spec: modify' ? note : '' } };
  // Whoever changed the spec with their own hands is asked about it anew; nobody has to be sent.
  if (on === 'spec: modify' && note.trim() === '')
    return go(
      { ...heard, mem: { ...heard.mem, visits: s.mem.visits + 1, revisions: s.mem.revisions + 1 } },
      atStage(s.at.stage),
    );
  return moved(heard, { on }, at);
}

const ended = (s: Here, outcome: Parameters<typeof outcomeOf>[0]): S =>
  go(s, { stage: 'ended', outcome: outcomeOf({ usage: s.mem.usage, ...outcome }) });

function moved(before: Here, came: Came, at: string): S {
  if ('over' in came) return go(before, { stage: 'overspent', over: came.over, back: before.at.stage });
  const { sessions = 0, usage = NO_USAGE } = came;
  const isBuilding = before.at.stage === 'implement' || before.at.stage === 'retry';
  const mem = {
    ...before.mem,
    session: before.mem.session + sessions,
    usage: addUsage(before.mem.usage, usage),
    built: isBuilding ? before.mem.session : before.mem.built,
  };
  const s = { ...before, mem };
  if ('outage' in came) return ended(s, { result: 'partial', reason: came.outage.reason, failure: came.outage });
  const { on, line, confidence } = came;
  const found = next(s, { on, at, ...(line === undefined ? {} : { line }), ...(confidence ? { confidence } : {}) });
  if ('refused' in found) throw new Bug(`${on} came in ${s.at.stage}`);
  const { file, at: to, mem: after } = found.state;
  const known: Mem = {
    ...after,
    note: to.stage === 'revise-spec' ? after.note : '',
    // Not by the file: who let Layer 1 pass is retried for Layer 2 while both say FAIL.
    failed: to.stage !== 'retry' || before.at.stage === 'retry' ? after.failed : before.at.stage === 'verdict' ? 2 : 1,
    evidence: came.evidence === undefined ? after.evidence : came.evidence,
    paths: came.paths ?? after.paths,
    diff: came.diff === undefined ? after.diff : came.diff,
    isAccepted: after.isAccepted || (to.stage === 'completed' && on !== 'verdict: pass'),
  };
  if (ENDS.includes(to.stage)) return over({ file, at: s.at, mem: known }, to.stage, came);
  const there: Here = { file, at: { stage: to.stage as Working }, mem: known };
  // The last question is asked, whoever wants to stop: everything is done by then.
  const isOver = known.paused && !['completed', 'commit-gate', 'clean-up'].includes(to.stage);
  return isOver ? ended(there, { result: 'paused', reason: 'user_pause' }) : go(there, atStage(there.at.stage));
}

/** By run style, by a person's word, for want of a result, or done. */
function over(s: Here, end: StageName, came: Extract<Came, { readonly on: EventName }>): S {
  if (end === 'session-end') return ended(s, { result: 'partial', reason: 'workflow-phase-done' });
  const { problems = [] } = came;
  if (end === 'stopped') {
    const { why } = s.mem;
    const result = why.startsWith('stopped-at-') ? 'paused' : 'failed';
    // What it did instead of leaving its file says more than that the file is not there.
    const reason = why === 'output-missing' ? (problems[0]?.code ?? why) : why;
    return ended(s, { result, reason, problems });
  }
  const result: ItemOutcome['result'] = isProved(s) ? 'landed' : 'unproved';
  const { commit = null } = came;
  const decided =
    s.mem.isAccepted || resolved(s.file).verify.layer1_result === 'FAIL' ? 'workflow-accepted' : 'unproved';
  const reason = commit === null ? 'workflow-kept' : result === 'landed' ? 'verified' : decided;
  return ended({ ...s, file: NO_FILE }, { result, reason, commit, evidence: s.mem.evidence });
}
