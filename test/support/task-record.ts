// A task of harness-tasks.json, for tests that write such a list.

export type TaskRecord = { readonly id: string; readonly [field: string]: unknown };

/** As the reference writes one, with a proof by a file that says its id. What is given replaces its fields. */
export const task = (id: string, fields: { readonly [field: string]: unknown } = {}): TaskRecord => ({
  id,
  title: `Make ${id}`,
  status: 'pending',
  priority: 'P1',
  depends_on: [],
  attempts: 0,
  max_attempts: 3,
  started_at_commit: null,
  validation: { command: `grep -qx ${id} ${id}.txt`, timeout_seconds: 60 },
  on_failure: { cleanup: null },
  error_log: [],
  checkpoints: [],
  completed_at: null,
  ...fields,
});
