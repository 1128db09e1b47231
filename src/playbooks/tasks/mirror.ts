// The ledger of the tasks machine where the list is another format's: the items as tasks of the reference's form, with what the machine
// knows of each. What the list says of an item counts; what was tried, failed and said so far stays.
import type { Listing } from '../../engine/playbook.ts';
import type { Config } from '../../model/config.ts';
import type { Item, Subject } from '../../model/item.ts';
import { featureCommand } from '../session/checks.ts';
import { PRIORITIES, type Task, type TasksFile } from './schema.ts';

/** `known`: the ledger as it was; null: there was none. `config` null: what proves a task is not asked. `at`: ISO 8601. */
export function mirrored(list: Listing, known: TasksFile | null, config: Config | null, at: string): string {
  const before = new Map((known?.tasks ?? []).map((task) => [task.id, task]));
  const file: TasksFile = {
    version: 2,
    created: known?.created ?? at,
    session_config: known?.session_config ?? { max_tasks_per_session: 20, max_sessions: 50 },
    tasks: list.items.map((item) => taskOf(item, list.subject(item.id), before.get(item.id), config)),
    session_count: known?.session_count ?? 0,
    last_session: known?.last_session ?? null,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function taskOf(item: Item, subject: Subject | null, known: Task | undefined, config: Config | null): Task {
  const command = config === null ? null : commandOf(subject, config);
  const ms = subject?.proof?.timeoutMs ?? (config?.testing.timeoutMinutes ?? 1) * 60_000;
  return {
    attempts: 0,
    max_attempts: 3,
    started_at_commit: null,
    on_failure: { cleanup: null },
    error_log: [],
    checkpoints: [],
    ...known,
    id: item.id,
    title: item.title,
    status: statusOf(subject, known),
    priority: PRIORITIES[Math.max(0, (item.priority ?? PRIORITIES.length) - 1)] ?? PRIORITIES.at(-1) ?? null,
    depends_on: item.dependsOn,
    validation: { command, timeout_seconds: Math.max(1, Math.round(ms / 1000)) },
    completed_at: subject?.passes === true ? (known?.completed_at ?? null) : null,
    skipped: subject?.skipped ?? null,
    override: subject?.override ?? null,
  };
}

/** Null: nothing that can be run proves it. */
function commandOf(subject: Subject | null, config: Config): string | null {
  if (subject?.proof) return subject.proof.command;
  const file = subject?.testFile ?? null;
  return file === null ? null : featureCommand(config, file);
}

/** Done is what the list says is done. */
function statusOf(subject: Subject | null, known: Task | undefined): Task['status'] {
  if (subject?.passes === true) return 'completed';
  return known === undefined || known.status === 'completed' ? 'pending' : known.status;
}
