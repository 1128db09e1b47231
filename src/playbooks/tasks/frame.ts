// An empty project of the tasks playbook (reference 003, Init Command).
import type { Playbook } from '../../engine/playbook.ts';
import { logLine } from './log.ts';

const INIT =
  '#!/bin/sh\n# Brings the environment up. Run before each task: must be safe to run again.\nset -e\n# npm install --silent\n';

export const frame: Playbook['frame'] = ({ config: { paths }, root, at }) => ({
  files: {
    [paths.backlog]: `${JSON.stringify(
      {
        version: 2,
        created: at.replace(/\.\d+(?=Z)/, ''),
        session_config: { max_tasks_per_session: 20, max_sessions: 50 },
        tasks: [],
        session_count: 0,
        last_session: null,
      },
      null,
      2,
    )}\n`,
    [paths.progress]: `${logLine({ at, session: 1, type: 'INIT', message: `Harness initialized for project ${root}` })}\n`,
    'harness-init.sh': INIT,
  },
  scripts: ['harness-init.sh'],
});
