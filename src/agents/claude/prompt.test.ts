import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { promptOf } from './prompt.ts';

const KEY = { ANTHROPIC_API_KEY: 'k' };

test('a beginning that other sessions have too is marked for the cache, and nothing is lost or added', () => {
  expect(promptOf('# Role\n\nGo.', 8, KEY)).toEqual([
    { type: 'text', text: '# Role\n\n', cache_control: { type: 'ephemeral' } },
    { type: 'text', text: 'Go.' },
  ]);
  fc.assert(
    fc.property(fc.string(), fc.nat({ max: 40 }), (text, stable) => {
      const prompt = promptOf(text, stable, KEY);
      expect(typeof prompt === 'string' ? prompt : prompt.map((part) => part.text).join('')).toBe(text);
    }),
  );
});

test.each([
  ['no beginning is known', 0, KEY],
  ['the whole is known', 3, KEY],
  ['there is a login instead of a key', 1, {}],
  ['the key is empty', 1, { ANTHROPIC_API_KEY: '' }],
  ['marks last an hour', 1, { ...KEY, ENABLE_PROMPT_CACHING_1H: '1' }],
  ['nothing is to be cached', 1, { ...KEY, DISABLE_PROMPT_CACHING: '1' }],
  ['requests go through a cloud', 1, { ...KEY, CLAUDE_CODE_USE_BEDROCK: '1' }],
  ['there is a login beside the key', 1, { ...KEY, CLAUDE_CODE_OAUTH_TOKEN: 't' }],
])('where %s, the prompt is sent as it is', (_, stable, env) => {
  expect(promptOf('abc', stable, env)).toBe('abc');
});
