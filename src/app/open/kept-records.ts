// What of the harness's own records surveys read: from the private folders, where no agent writes.
import { readText } from '../../host/files.ts';
import { begunSessions } from '../../loop/sessions.ts';
import { recordPath, type RecordFolders } from '../../repos/records.ts';
import { RepositoryUnreadable, type KeptRecords } from '../../repos/repository-view.ts';

export const keptRecords = (folders: RecordFolders): KeptRecords => ({
  record(name) {
    const text = readText(recordPath(folders, name));
    if (!text.ok) throw new RepositoryUnreadable(text.failure);
    return text.value;
  },
  lastSession: () => begunSessions(folders.workspaceDir).at(-1) ?? 0,
});
