import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

test('versions, and whether the state fits', async () => {
  const repo = makeRepo();
  const parts = [await transcript(repo, ['version', '--version', '-C / version', 'version --json'])];
  for (const schema of [3, 2, 4]) {
    repo.write('.harness/session_state.json', JSON.stringify({ harness_version: '1.2.1', schema_version: schema }));
    parts.push(await transcript(repo, ['version']));
  }
  parts.push(await transcript(repo, ['version --json']));
  repo.write('.harness/session_state.json', 'not json');
  parts.push(await transcript(repo, ['version']));
  const seen = parts.join('\n');
  expect(seen).toBe(golden('version', seen));
});
