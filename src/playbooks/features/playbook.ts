// The features playbook: a list in features.json, one commit per feature, the agent's claim in the list.
import type { ItemMachine, Playbook } from '../../engine/playbook.ts';
import { INIT_SCRIPT } from '../session/scripts.ts';
import { openingBy } from '../session/item/opening.ts';
import { openingSay } from '../../engine/definitions.ts';
import { CLEANUP } from '../../model/item.ts';
import { final } from '../session/final.ts';
import { retryEdit } from '../session/retry.ts';
import { beginAgain } from '../session/begin-again.ts';
import { revertWip } from '../session/tree-change.ts';
import { backlog } from './backlog.ts';
import { coding, orientationOf } from './briefs.ts';
import { featuresCleanup } from './cleanup.ts';
import { roleOf } from './ending-hooks.ts';
import { featuresItem } from './machine.ts';
import { featuresInit } from './init-machine.ts';
import { progressHeader } from './progress.ts';
import { item, next } from './surveys.ts';

const machine: ItemMachine = {
  name: 'features',
  roles: ['coding', 'continuation', 'cleanup'],
  ledger: 'session_state.json',
  itemKey: 'FEATURE_ID',
  readsClaims: true,
  files: () => ({ own: [], guarded: [] }),
  item: (input) => (input.item === CLEANUP ? featuresCleanup(input) : featuresItem(input)),
  next,
  final,
  revertWip,
  retry: retryEdit('features.retry'),
  beginAgain,
  opening: openingBy(item, (facts, session) => ({
    role: roleOf(facts),
    say: openingSay(coding, orientationOf({ facts, firstTask: [], session })),
    testFile: facts.testFile,
  })),
};

const RESET = '#!/bin/sh\n# Brings the environment back to a clean state when init.sh fails.\nset -e\n';

export const featuresPlaybook: Playbook = {
  name: 'features',
  backlog,
  machine,
  frame: ({ config: { paths }, name }) => ({
    files: {
      [paths.backlog]: `${JSON.stringify({ project: name, generated_by: 'harness init', features: [] }, null, 2)}\n`,
      [paths.progress]: progressHeader(name),
      'init.sh': INIT_SCRIPT,
      'reset.sh': RESET,
    },
    scripts: ['init.sh', 'reset.sh'],
    settings: ['environment: { init: ./init.sh, reset: ./reset.sh }'],
  }),
  fromSpec: { roles: ['initializer'], start: ({ path, text }) => featuresInit({ path, text }) },
};
