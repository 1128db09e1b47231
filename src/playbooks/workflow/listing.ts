// state.json as the list that everything else sees: one task, under way or done. Its id is the name of its folder.
import type { Backlog, Listing } from '../../engine/playbook.ts';
import { failure, Impossible } from '../../model/failure.ts';
import type { Item, ItemStatus, Subject } from '../../model/item.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { NEXT_STEP } from './opening.ts';
import { readState } from './file/read.ts';
import { slugOf } from './file/slug.ts';
import { resolved, type WorkflowFile } from './file/state.ts';
import { tellsOf } from './status.ts';

/** The slug that Set-up gave it: the last name of docs_path. */
export function idOf(file: WorkflowFile): string {
  const { docs_path: docs, task } = resolved(file);
  return docs.split('/').findLast((name) => name !== '') ?? slugOf(task);
}

export function stateIn(text: string, file: string): Result<WorkflowFile> {
  const read = readState(text, file);
  if (!read.ok) return read;
  if (read.value.kind === 'foreign') return err(failure('workflow-foreign', { file, skill: read.value.skill }));
  return ok(read.value.file);
}

function itemOf(file: WorkflowFile): Item {
  const { task, phase, verify } = resolved(file);
  // Never `landed`: what has landed has no state.json any more. Of a completed one the last question is still open.
  const status: ItemStatus = phase === null ? 'pending' : 'ready';
  return {
    id: idOf(file),
    title: task.replace(/\s+/g, ' ').trim(),
    status,
    dependsOn: [],
    priority: null,
    attempts: verify.layer1_retries + verify.layer2_retries,
    blockedBy: [],
  };
}

/** The step that is next. */
export function promptOf(file: WorkflowFile): string {
  const { phase } = resolved(file);
  return phase === null ? 'plan' : (NEXT_STEP[phase] ?? 'evaluate');
}

const subjectOf = ({ id, title }: Item): Subject => ({
  id,
  title,
  testFile: null,
  steps: [],
  verification: '',
  manualChecks: [],
  passes: false,
  skipped: null,
  override: null,
  failing: null,
  dependents: [],
});

const NOTHING: Listing = { items: [], next: () => null, subject: () => null };

export const backlog: Backlog = {
  read(text, file) {
    const state = stateIn(text, file);
    if (!state.ok) return state.failure.reason === 'workflow-foreign' ? ok(NOTHING) : state;
    const item = itemOf(state.value);
    const isOpen = item.status === 'ready' && resolved(state.value).phase !== 'completed';
    return ok({
      items: [item],
      prompt: promptOf(state.value),
      tells: tellsOf(state.value),
      next: ({ taken } = {}) => (isOpen && taken?.has(item.id) !== true ? item.id : null),
      subject: (id) => (id === item.id ? subjectOf(item) : null),
    });
  },
  // A person decides at the workflow's own questions: there is no list to mark anything in.
  change: () => {
    throw new Impossible(failure('workflow-one-task'));
  },
  raw(text, id) {
    const state = stateIn(text, '');
    return state.ok && idOf(state.value) === id ? (JSON.parse(text) as never) : null;
  },
  draft: () => err(failure('workflow-one-task')),
};
