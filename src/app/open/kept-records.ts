// What of the harness's own records surveys read: from the private folders, where no agent writes.
import { pendingIn } from '../../repos/pending-log.ts';
import { relative } from 'node:path';
import { readText } from '../../host/files.ts';
import { isBelow } from '../../host/paths.ts';
import { proposalsIn } from '../../loop/proposals.ts';
import { begunSessions, type LiveSessions } from '../../loop/sessions.ts';
import { recordPath, type RecordFolders } from '../../repos/records.ts';
import { RepositoryUnreadable, type KeptRecords } from '../../repos/repository-view.ts';

/** `sessions`: of the run; left out: they are listed when they are asked for. */
export const keptRecords = (
  folders: RecordFolders & { readonly root: string },
  sessions?: Pick<LiveSessions, 'last'>,
): KeptRecords => ({
  record(name) {
    const path = recordPath(folders, name);
    const text = readText(path);
    if (!text.ok) throw new RepositoryUnreadable(text.failure);
    const { root } = folders;
    return text.value === null ? null : { file: isBelow(path, root) ? relative(root, path) : path, text: text.value };
  },
  pendingEntries: (file) => pendingIn(folders.workspaceDir).flatMap((one) => (one.file === file ? [one.text] : [])),
  proposals: () => proposalsIn(folders),
  lastSession: () => (sessions === undefined ? (begunSessions(folders.workspaceDir).at(-1) ?? 0) : sessions.last()),
});
