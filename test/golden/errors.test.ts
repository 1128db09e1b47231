// Typical errors, word for word: what happened, where, why, what to do. Read the difference before accepting a new text.
import { expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

/** Each breaks something in a repository of its own, and what is then called. */
const ERRORS: { readonly [name: string]: readonly [(repo: Repo) => void, string] } = {
  'configuration-yaml': [(repo) => repo.write('.harness.yaml', 'project:\n\tname: shop\n'), 'config check'],
  'configuration-values': [
    (repo) => repo.write('.harness.yaml', 'testng: { full: x }\ncosts: { per_session_usd: ten }\nlanes: many\n'),
    'run',
  ],
  'backlog-json': [(repo) => repo.write('features.json', '{ "features": [\n  { "id": 1 },\n] }\n'), 'items'],
  'backlog-circle': [(repo) => repo.write('features.json', repo.read('features.json').replace('[1]', '[3]')), 'items'],
  'state-newer': [(repo) => repo.write('.harness/session_state.json', '{ "schema_version": 99 }\n'), 'status'],
  'state-damaged': [(repo) => repo.write('.harness/session_state.json', '{ "last_session": three }\n'), 'run --quiet'],
  'folder-in-the-way': [(repo) => repo.write('.harness', ''), 'run'],
  'agent-missing': [
    (repo) => {
      const agent = '{ provider: acp, command: [no-such-agent] }';
      repo.write('.harness.yaml', repo.read('.harness.yaml').replace(/\{ provider.*\}/, agent));
      repo.git('commit', '-qam', 'another agent');
    },
    'run --quiet',
  ],
  'scenario-wrong': [
    (repo) => {
      repo.write('.scenario.yaml', 'schema: 1\nsessions:\n  - turns:\n      - - dance: wild\n');
      repo.git('add', '-A');
      repo.git('commit', '-qm', 'a scenario');
    },
    'run --quiet',
  ],
  'tree-dirty': [(repo) => repo.write('notes.txt', 'mine\n'), 'run --quiet'],
  'nobody-can-be-asked': [() => undefined, 'override 2 --passes true --reason "I looked"'],
};

test.each(Object.entries(ERRORS))('%s', async (name, [broken, call]) => {
  const repo = makeRepo();
  broken(repo);
  const seen = await transcript(repo, [call]);
  expect(seen).toBe(golden(`error-${name}`, seen));
});

test.each(['backlog-circle', 'state-damaged', 'agent-missing'])('%s, in German', async (name) => {
  const [broken, call] = ERRORS[name] ?? [];
  const repo = makeRepo();
  broken?.(repo);
  const seen = await transcript(repo, [`--lang de ${call}`]);
  expect(seen).toBe(golden(`error-${name}-de`, seen));
});
