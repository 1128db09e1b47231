// An empty project of the features playbook, to be filled by hand.
import type { Playbook } from '../../engine/playbook.ts';
import { progressHeader } from './progress.ts';

const INIT =
  '#!/bin/sh\n# Starts what the project needs before a session (a database, a server). Must be repeatable.\nset -e\n';
const RESET = '#!/bin/sh\n# Brings the environment back to a clean state when init.sh fails.\nset -e\n';

export const frame: Playbook['frame'] = ({ config: { paths }, name }) => ({
  files: {
    [paths.backlog]: `${JSON.stringify({ project: name, generated_by: 'harness init', features: [] }, null, 2)}\n`,
    [paths.progress]: progressHeader(name),
    'init.sh': INIT,
    'reset.sh': RESET,
  },
  scripts: ['init.sh', 'reset.sh'],
});
