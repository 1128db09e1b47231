// The tasks playbook: a list in harness-tasks.json that no commit carries, an append-only log, one attempt per session.
import { openingBy } from '../session/item/opening.ts';
import { openingSay } from '../../engine/definitions.ts';
import type { ItemMachine, Playbook } from '../../engine/playbook.ts';
import { final } from '../session/final.ts';
import { revertWip } from '../session/tree-change.ts';
import { backlog } from './backlog.ts';
import { briefOf, executor } from './brief.ts';
import { beginTaskAgain, ledgerPath, ownsList, retryTasks } from './ledger.ts';
import { checkpointIn, logLine } from './log.ts';
import { tasksItem } from './machine.ts';
import { runLog } from './run-log.ts';
import { item, next } from './surveys.ts';

const machine: ItemMachine = {
  name: 'tasks',
  roles: ['executor'],
  ledger: 'session_state.json',
  runs: 'until-done',
  isLockedByFolder: true,
  files(config) {
    const ledger = ledgerPath(config);
    const { progress } = config.paths;
    return ownsList(config)
      ? { own: [ledger, `${ledger}.bak`, progress], guarded: [`${ledger}.bak`] }
      : { own: [], guarded: [ledger, `${ledger}.bak`, progress] };
  },
  item: tasksItem,
  next,
  final,
  revertWip,
  retry: retryTasks,
  beginAgain: beginTaskAgain,
  runLog,
  noteIn: checkpointIn,
  opening: openingBy(item, (facts) => ({
    role: 'executor',
    say: openingSay(executor, briefOf({ facts, firstTask: [] })),
    testFile: null,
  })),
};

const INIT =
  '#!/bin/sh\n# Brings the environment up. Run before each task: must be safe to run again.\nset -e\n# npm install --silent\n';

export const tasksPlaybook: Playbook = {
  name: 'tasks',
  backlog,
  machine,
  frame: ({ config: { paths }, root, at }) => ({
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
    settings: [],
  }),
  fromSpec: {
    refused: {
      what: '--spec is for features: a list of tasks is written by hand, or with harness add',
      hint: 'harness init --playbook tasks',
    },
  },
};
