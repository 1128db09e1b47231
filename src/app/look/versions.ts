// The versions of the program and of the project's state, and whether they are compatible.
import { join } from 'node:path';
import { packageVersion } from '../../host/package-root.ts';
import { readText } from '../../host/files.ts';
import { ok, type Result } from '../../model/result.ts';
import { readStateUnchecked, STATE_FILE, STATE_SCHEMA } from './state-summary.ts';
import { plainObject, textAt } from '../open/loose-json.ts';
import { isMigrationUnfinished } from '../open/run-blockers.ts';
import { openProjectView, type ProjectView, type Where } from '../open/project-view.ts';

type Fit = 'same' | 'older' | 'newer' | 'none';
export type Versions = {
  readonly harness: string;
  readonly node: string;
  readonly stateSchema: number;
  /** Null: not a repository. `schema` null: no state yet. */
  readonly project: {
    readonly root: string;
    readonly schema: number | null;
    readonly writtenBy: string | null;
    readonly fit: Fit;
    /** A migration was interrupted: the next run, or `migrate`, finishes it. */
    readonly isMigrating: boolean;
    readonly onOlderState: ProjectView['onOlderState'];
    readonly onNewerState: ProjectView['onNewerState'];
  } | null;
};

/** Fails only if the project's state exists and cannot be read. */
export async function readVersions(where: Where): Promise<Result<Versions>> {
  const own = { harness: packageVersion(), node: process.versions.node, stateSchema: STATE_SCHEMA };
  const view = await openProjectView(where);
  if (!view.ok) return ok({ ...own, project: null });
  const state = readStateUnchecked(view.value);
  if (!state.ok) return state;
  const text = readText(join(view.value.stateDir, STATE_FILE));
  const { schema } = state.value;
  const writtenBy = textAt(plainObject(text.ok ? text.value : null), 'harness_version');
  const { root, workspaceDir, onOlderState, onNewerState } = view.value;
  const isMigrating = isMigrationUnfinished(workspaceDir);
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
