// state.json as a backlog: one task, under way or done. Its id is the name of its folder.
import type { Backlog, Listing } from '../../engine/backlog.ts';
import { failure, Impossible } from '../../model/failure.ts';
import type { Item, Subject } from '../../model/item.ts';
import { jsonSchema } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { readState } from './file/read.ts';
import { taskSlugOf } from './file/slug.ts';
import { resolved, type WorkflowFile } from './file/state.ts';
import { NEXT_STEP } from './session-recovery.ts';
import { statusOf } from './status.ts';

/** The slug that set-up gave the task: the last name of docs_path. */
export function idOf(file: WorkflowFile): string {
  const { docs_path: docs, task } = resolved(file);
  return docs.split('/').findLast((name) => name !== '') ?? taskSlugOf(task);
}

/** Fails with `workflow-foreign` for the state of another skill, or as `readState` does. */
export function stateIn(text: string, file: string): Result<WorkflowFile> {
  const read = readState(text, file);
  if (!read.ok) return read;
  if (read.value.kind === 'foreign') return err(failure('workflow-foreign', { file, skill: read.value.skill }));
  return ok(read.value.file);
}

/** Never `landed`: then state.json is removed. While a completed task has one, its last question is open. */
function itemOf(file: WorkflowFile): Item {
  const { task, phase, verify } = resolved(file);
  return {
    id: idOf(file),
    title: task.replace(/\s+/g, ' ').trim(),
    status: phase === null ? 'pending' : 'ready',
    dependsOn: [],
    priority: null,
    attempts: verify.layer1_retries + verify.layer2_retries,
    blockedBy: [],
  };
}

/** The next step. */
export function promptOf(file: WorkflowFile): string {
  const { phase } = resolved(file);
  return phase === null ? 'plan' : (NEXT_STEP[phase] ?? 'evaluate');
}

const subjectOf = ({ id, title }: Item): Subject => ({
  id,
  title,
  category: '',
  testFile: null,
  mayChangeTests: [],
  oversized: [],
  byHand: null,
  steps: [],
  verification: '',
  manualChecks: [],
  passes: false,
  skipped: null,
  override: null,
  failing: null,
  dependents: [],
});

const NOTHING: Listing = { items: [], next: () => null, canStart: () => false, subject: () => null };

/** There is no list to edit: a user decides at the workflow's own questions. */
const refuse = (): never => {
  throw new Impossible(failure('workflow-one-task'));
};

export const backlog: Backlog = {
  read(text, file) {
    const state = stateIn(text, file);
    if (!state.ok) return state.failure.reason === 'workflow-foreign' ? ok(NOTHING) : state;
    const item = itemOf(state.value);
    const isOpen = item.status === 'ready' && resolved(state.value).phase !== 'completed';
    return ok({
      items: [item],
      prompt: promptOf(state.value),
      status: statusOf(state.value),
      next: ({ taken } = {}) => (isOpen && taken?.has(item.id) !== true ? item.id : null),
      canStart: (id) => isOpen && id === item.id,
      subject: (id) => (id === item.id ? subjectOf(item) : null),
    });
  },
  change: refuse,
  insert: refuse,
  raw(text, id) {
    const state = stateIn(text, '');
    return state.ok && idOf(state.value) === id ? jsonSchema.parse(JSON.parse(text)) : null;
  },
  draft: () => err(failure('workflow-one-task')),
};
