// session_state.json for display: the last finished session, and the role of the next one.
import { join, relative } from 'node:path';
import { readText } from '../../host/files.ts';
import { failure } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { STATE_SCHEMA_VERSION } from '../../playbooks/session/versions.ts';
import { stateFolderOfItem } from '../../loop/state-of-item.ts';
import { SESSION_STATE } from '../../model/records.ts';
import { keptState } from '../../loop/records/kept-state.ts';
import { lastReport } from '../../loop/records/reports.ts';
import type { ActiveSessions } from './active-sessions.ts';
import { asPlain, numberAt, plainObject, textAt, type Plain } from '../open/loose-json.ts';
import type { ProjectView } from '../open/project-view.ts';

export type StateSummary = {
  /** 0: no session has run. */
  readonly lastSession: number;
  readonly current: ItemId | null;
  readonly prompt: string;
  readonly stuckCount: number;
  readonly status: string | null;
  readonly reason: string | null;
  /** Null: no file. */
  readonly schema: number | null;
};
export const STATE_FILE = SESSION_STATE;
export const STATE_SCHEMA = STATE_SCHEMA_VERSION;

/** Fails with `state-unreadable`, or `state-newer` if the schema is newer and the configuration does not allow that. */
export function readState(view: Pick<ProjectView, 'stateDir' | 'onNewerState'>): Result<StateSummary> {
  const state = readStateUnchecked(view);
  if (!state.ok || view.onNewerState === 'warn' || state.value.schema === null || state.value.schema <= STATE_SCHEMA)
    return state;
  const file = join(view.stateDir, STATE_FILE);
  const setting = 'compatibility.on_newer_state';
  const params = { file, found: state.value.schema, supported: STATE_SCHEMA, setting };
  return err(failure('state-newer', params, { at: { file } }));
}

/** How many sessions in a row ended without this item, by the state file of its lane. */
export function stuckCountIn(view: Pick<ProjectView, 'root' | 'stateDir' | 'workspaceDir'>, item: ItemId): number {
  const folder = join(stateFolderOfItem(view.workspaceDir, item), relative(view.root, view.stateDir));
  const state = readStateUnchecked({ stateDir: folder });
  return state.ok && state.value.current === item ? state.value.stuckCount : 0;
}

const OBJECT = {
  parse(value: unknown): Plain {
    const map = asPlain(value);
    if (map === null) throw new TypeError('it is no object');
    return map;
  },
};

/** Without the check of the schema version. */
export function readStateUnchecked(view: Pick<ProjectView, 'stateDir'>): Result<StateSummary> {
  const file = join(view.stateDir, STATE_FILE);
  const text = readText(file);
  if (!text.ok) return text;
  const read = text.value === null ? ok(null) : parseJsonFile(text.value, file, OBJECT);
  return read.ok ? ok(summaryOf(read.value)) : read;
}

/** What is known where the file is gone: the next run puts back what is kept of it. */
export function keptSummary({ workspaceDir }: Pick<ProjectView, 'workspaceDir'>): StateSummary {
  const kept = keptState({ workspaceDir });
  return { ...summaryOf(kept === null ? null : plainObject(kept)), schema: null };
}

function summaryOf(map: Plain | null): StateSummary {
  return {
    lastSession: numberAt(map, 'last_session') ?? 0,
    ...leftOf(map),
    stuckCount: numberAt(map, 'stuck_count') ?? 0,
    status: textAt(map, 'status'),
    reason: textAt(map, 'termination_reason'),
    schema: map === null ? null : (numberAt(map, 'schema_version') ?? 1),
  };
}

/** The item that the last session was on, and the role of a session that follows it. */
export const leftOf = (map: Plain | null): Pick<StateSummary, 'current' | 'prompt'> => ({
  current: idAt(map, 'current_feature'),
  prompt: textAt(map, 'next_prompt') ?? 'coding',
});

function idAt(map: Plain | null, name: string): ItemId | null {
  const value = map?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

export type LastSession = {
  readonly session: number;
  readonly item: ItemId | null;
  readonly result: string;
  readonly reason: string | null;
};

/** The newest finished session: active ones do not count. */
export function lastSession(view: ProjectView, state: StateSummary, active: ActiveSessions): LastSession | null {
  const going = new Set(active.sessions.map(({ session }) => session));
  let session = state.lastSession;
  while (going.has(session)) session -= 1;
  if (session <= 0) return null;
  const report = lastReport(view.workspaceDir, session);
  if (report) return { session, item: report.id, result: report.result, reason: report.reason };
  const record = recordOf(view, session);
  const isState = session === state.lastSession;
  const id = record?.['feature_id'] ?? (isState ? state.current : null);
  return {
    session,
    item: typeof id === 'string' || typeof id === 'number' ? String(id) : null,
    result: filled(textAt(record, 'result')) ?? resultOf(record, isState ? state.status : null),
    reason: filled(textAt(record, 'reason')) ?? textAt(record, 'termination_reason') ?? (isState ? state.reason : null),
  };
}

const filled = (text: string | null): string | null => (text === '' ? null : text);

function recordOf(view: ProjectView, session: number): Plain | null {
  const text = readText(join(view.stateDir, 'sessions', String(session), 'session.json'));
  return text.ok ? plainObject(text.value) : null;
}

function resultOf(record: Plain | null, status: string | null): string {
  if (record?.['feature_completed'] === true || (record === null && status === 'complete')) return 'landed';
  return status === 'partial' ? 'partial' : 'failed';
}
