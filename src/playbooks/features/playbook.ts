// The features playbook: a list in features.json, one commit per feature, the agent's claim in the list.
import type { ItemMachine, Playbook } from '../../engine/playbook.ts';
import { openingSay } from '../../engine/definitions.ts';
import { CLEANUP } from '../../model/item.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { final } from '../session/final.ts';
import { retryEdit } from '../session/retry.ts';
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
  async opening(context, about) {
    const { facts, failure: why } = await item.read(context, { item: about.item });
    if (facts === null || why) return err(why ?? failure('item-unknown', { item: about.item }));
    const { session } = about;
    const role = roleOf(facts);
    const say = openingSay(coding, orientationOf({ facts, firstTask: [], session }));
    const { id, attempt, title, testFile } = facts;
    return ok({ ask: { role, session, turn: 1, attempt, item: id, title, say, resume: null, output: '' }, testFile });
  },
};

const INIT =
  '#!/bin/sh\n# Starts what the project needs before a session (a database, a server). Must be repeatable.\nset -e\n';
const RESET = '#!/bin/sh\n# Brings the environment back to a clean state when init.sh fails.\nset -e\n';

export const featuresPlaybook: Playbook = {
  name: 'features',
  backlog,
  machine,
  frame: ({ config: { paths }, name }) => ({
    files: {
      [paths.backlog]: `${JSON.stringify({ project: name, generated_by: 'harness init', features: [] }, null, 2)}\n`,
      [paths.progress]: progressHeader(name),
      'init.sh': INIT,
      'reset.sh': RESET,
    },
    scripts: ['init.sh', 'reset.sh'],
    settings: ['environment: { init: ./init.sh, reset: ./reset.sh }'],
  }),
  fromSpec: { roles: ['initializer'], start: ({ path, text }) => featuresInit({ path, text }) },
};
