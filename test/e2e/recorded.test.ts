// Runs of real agents, recorded once (node scripts/record-cassettes.mjs), are replayed here on any day, without an agent, a key or
// a network: the same verdicts, and trees that are the same to the byte.
import { expect, test } from 'vitest';
import { join } from 'node:path';
import { CASSETTES, replayed } from '../support/recorded.ts';

test('a recorded run of Claude lands the same two features, with the lie in between handed back as it was then', async () => {
  const shop = await replayed('claude', join(CASSETTES, 'claude.jsonl'));
  expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up', 'feat(bench): #2 A saw hangs on the wall']);
  expect(shop.read('.harness/sessions/1/prompt-2.md')).toContain('1 test of check feature failed');
  expect(JSON.parse(shop.read('.harness/sessions/1/session.json'))).toMatchObject({
    turns: 2,
    usage_source: 'reported',
    tool_calls: 10,
  });
});
