// The versions of the program and of the state it finds, and whether the two fit (reference 000, Harness Version Compatibility).
import { join } from 'node:path';
import { packageVersion } from '../../host/package-root.ts';
import { readText } from '../../host/files.ts';
import { ok, type Result } from '../../model/result.ts';
import { glanceAtState, STATE_FILE, STATE_SCHEMA } from './last-session.ts';
import { plainObject, textAt } from '../open/loose-json.ts';
import { isMigrationUnfinished } from '../open/run-blockers.ts';
import { openView, type View, type Where } from '../open/view.ts';

type Fit = 'same' | 'older' | 'newer' | 'none';
export type Versions = {
  readonly harness: string;
  readonly node: string;
  readonly stateSchema: number;
  /** Null: this is no repository. `schema` null: it has no state yet. */
  readonly project: {
    readonly root: string;
    readonly schema: number | null;
    readonly writtenBy: string | null;
    readonly fit: Fit;
    /** A death cut a migration off: the next run, or `migrate`, finishes it. */
    readonly isMigrating: boolean;
    readonly onOlderState: View['onOlderState'];
    readonly onNewerState: View['onNewerState'];
  } | null;
};

/** Fails only where the project's state is there and cannot be read. */
export async function readVersions(where: Where): Promise<Result<Versions>> {
  const own = { harness: packageVersion(), node: process.versions.node, stateSchema: STATE_SCHEMA };
  const view = await openView(where);
  if (!view.ok) return ok({ ...own, project: null });
  const state = glanceAtState(view.value);
  if (!state.ok) return state;
  const text = readText(join(view.value.stateDir, STATE_FILE));
  const { schema } = state.value;
  const writtenBy = textAt(plainObject(text.ok ? text.value : null), 'harness_version');
  const { root, privateDir, onOlderState, onNewerState } = view.value;
  const isMigrating = isMigrationUnfinished(privateDir);
  return ok({
    ...own,
    project: { root, schema, writtenBy, fit: fitOf(schema), isMigrating, onOlderState, onNewerState },
  });
}

function fitOf(schema: number | null): Fit {
  if (schema === null) return 'none';
  if (schema === STATE_SCHEMA) return 'same';
  return schema < STATE_SCHEMA ? 'older' : 'newer';
}
