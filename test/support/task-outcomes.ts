// Facts of a task for tests of the tasks machine: whole objects, changed where it matters.
import type { TaskFacts } from '../../src/playbooks/tasks/facts.ts';
import { facts } from './outcomes.ts';

/** A task that was never tried, proved by a command. */
export const taskFacts = (
  task: Partial<TaskFacts['task']> = {},
  more: Partial<Omit<TaskFacts, 'task'>> = {},
): TaskFacts => ({
  ...facts({ id: 'task-001', category: 'task', testFile: null, proof: { command: 'npm test', timeoutMs: 1_000 } }),
  ...more,
  task: {
    status: 'pending',
    attempts: 0,
    maxAttempts: 3,
    errorLog: [],
    checkpoints: [],
    base: null,
    cleanup: null,
    run: 4,
    ...task,
  },
});

/** A task that no command proves. */
export const unprovable = (task: Partial<TaskFacts['task']> = {}): TaskFacts => {
  const { proof: _proof, ...rest } = taskFacts(task);
  return rest;
};
