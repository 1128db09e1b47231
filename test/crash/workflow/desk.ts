// A repository with one workflow under way: its files, its state.json, and what agents do who do what they are sent for.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StateFile } from '../../../src/playbooks/workflow/file/state.ts';
import type { About, Turn } from '../quick/agents.ts';
import { SORT_BRANCH, SORT_DOCS, sortTheList } from '../../support/workflow.ts';
import type { FixtureProject } from '../fixture-project.ts';

export const STATE = '.harness/state.json';
export const DOCS = SORT_DOCS;
export const BRANCH = SORT_BRANCH;
/** Files of a person that no work is about: in the history, and out of it. */
export const OWN = { 'README.md': 'A shop\n', '.env': 'SECRET=1\n' } as const;

const CONFIG = `playbook: workflow
project: { name: shop }
agents: { default: { provider: scripted, scenario: ../scenario.yaml } }
verification: { fix_turns: 0 }
push: { remote: origin }
`;

/** `config`: more lines of it. */
export const deskFiles = (config = '', more: { readonly [path: string]: string } = {}) => ({
  '.harness.yaml': CONFIG + config,
  '.gitignore': '.harness/\n.env\n',
  'README.md': OWN['README.md'],
  'list.txt': 'unsorted\n',
  ...more,
});

export function put(shop: FixtureProject, path: string, text: string): void {
  mkdirSync(dirname(join(shop.root, path)), { recursive: true });
  writeFileSync(join(shop.root, path), text);
}

/** What set-up leaves: its branch, and a state.json that is to begin. */
export function beginWorkflow(shop: FixtureProject, fields: Partial<StateFile> = {}): void {
  shop.git('switch', '-q', '-c', BRANCH);
  put(shop, '.env', OWN['.env']);
  const file = sortTheList('list.txt', fields);
  put(shop, STATE, `${JSON.stringify(file, null, 2)}\n`);
}

export const listIn = (shop: FixtureProject): string => shop.read('list.txt') ?? '';
const writes = ({ output }: About, text: string, more: { readonly [path: string]: string } = {}): Turn['write'] => ({
  ...(output === '' ? {} : { [output]: text }),
  ...more,
});

/** The code of one session, and the document that describes it. */
export const builds = (about: About, list: string, more: { readonly [path: string]: string } = {}): Turn => ({
  write: writes(about, '# Changes\n\n- `list.txt` — sorted\n', { 'list.txt': list, ...more }),
  said: 'list changed — it is sorted',
});
export const judges = (about: About, verdict: 'PASS' | 'FAIL', said: string): Turn => ({
  write: writes(about, `# QA\n\n### Verdict: ${verdict}\n\n## Fix Instructions\n\n- sort it\n`),
  said,
});
export const proposes = (about: About, diff: string): Turn => ({
  write: writes(about, `# Auto-fix\n\nSummary: one word\nConfidence: High\n\n\`\`\`diff\n${diff}\`\`\`\n`),
  said: 'auto_fix_patch written — confidence: High — one word',
});
export const diffOf = (path: string, from: string, to: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;

/** Everybody does what they are sent for. */
export function honest(about: About): Turn {
  switch (about.role) {
    case 'generator':
      return builds(about, 'sorted\n');
    case 'evaluator':
      return judges(about, 'PASS', 'PASS — it is sorted');
    case 'verifier':
      return { said: 'FAIL — the list is not sorted' };
    case 'auto-fix-proposer':
      return proposes(about, diffOf('list.txt', 'mixed up', 'sorted'));
    case 'planner':
    case 'synthesis':
      return { write: writes(about, '# Spec\n\nSort the list.\n'), said: 'spec written — the list is sorted' };
    default:
      return { write: writes(about, `WORDS-OF-THE-${about.role}\n`), said: 'paper written — fine' };
  }
}
