// Masking of secrets by value and by form, whole and in chunks. The fakes are concatenated here, so that no file contains a text in the
// form of a token.
import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, createStreamRedactor, redactJson } from './redact.ts';

const run = (length: number): string => 'a1B2c3D4e5F6g7H8'.repeat(Math.ceil(length / 16)).slice(0, length);
const join = (...parts: readonly string[]): string => parts.join('');
const pem = (body: string) => join('-----BEGIN RSA ', 'PRIVATE KEY-----', body, '-----END RSA ', 'PRIVATE KEY-----');

const TOKENS: { readonly [kind: string]: string } = {
  'api-key': join('sk-', 'ant-api03-', run(93)),
  'api-key of a project': join('sk-', 'proj-', run(74), '_', run(74)),
  stripe: join('sk_', 'live_', run(24)),
  github: join('gh', 'p_', run(36)),
  'github, fine-grained': join('github', '_pat_', run(22), '_', run(59)),
  gitlab: join('gl', 'pat-', run(20)),
  aws: join('AK', 'IA', run(16).toUpperCase()),
  google: join('AI', 'za', run(35)),
  slack: join('xox', 'b-', '123456789012-', run(24)),
  npm: join('npm', '_', run(36)),
  'hugging-face': join('hf', '_', run(34)),
  jwt: join('ey', 'J', run(20), '.', 'ey', 'J', run(30), '.', run(43)),
  'private-key': pem(`\n${run(64)}\n${run(64)}\n`),
  'private-key in JSON': pem(`\\n${run(64)}\\n${run(64)}\\n`),
};

describe('tokens are found by their form', () => {
  const redact = createRedactor({});

  test.each(Object.entries(TOKENS))('%s', (kind, token) => {
    expect(redact(`log: ${token} end`)).toBe(`log: [masked:${kind.replace(/[ ,].*/, '')}] end`);
  });

  test.each([
    ['url', 'postgres://user:', run(16), '@db.example.com/x'],
    ['url', 'redis://:', run(16), '@cache:6379'],
    ['authorization', 'Authorization: Basic ', run(20), ''],
    ['authorization', '"authorization": "Bearer ', run(20), '"'],
    ['bearer', 'sent bearer ', run(40), ''],
    ['assigned', 'API_KEY=', run(32), ''],
    ['assigned', '"password": "', run(20), '"'],
    ['assigned', 'aws_secret_access_key = ', run(40), ''],
  ])('%s: %s…', (kind, before, secret, after) => {
    expect(redact(`${before}${secret}${after}`)).toBe(`${before}[masked:${kind}]${after}`);
  });

  test('a private key whose end was cut off is masked as far as it looks like one', () => {
    const cut = join('-----BEGIN ', 'PRIVATE KEY-----\n', run(64), '\n', run(64), '\n');
    expect(redact(`${cut}And then the test failed.`)).toBe('[masked:private-key]\nAnd then the test failed.');
  });

  test.each([
    'npm test -- --run src/host/redact.test.ts',
    'commit 5f6c0a1b2c3d4e5f60718293a4b5c6d7e8f90123 sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    'the token is missing; password: short; task-0012-implement-the-second-endpoint',
    'https://example.com:8080/path?a=b and mail@example.com',
    '{"inputTokens":123456789,"outputTokens":987654321}',
  ])('what is none is left alone: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('values of secret variables are found', () => {
  const value = 'p@ss "w\\ord"\t1234';
  const redact = createRedactor({ DB_PASSWORD: value, PATH: '/usr/bin:/bin', HOME: '/home/someone' });
  const mask = '[masked:DB_PASSWORD]';

  test.each([
    ['as it is', value],
    ['in JSON', JSON.stringify(value).slice(1, -1)],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(value)).slice(3, -3)],
    ['in a URL', encodeURIComponent(value)],
    ['in a form', encodeURIComponent(value).replaceAll('%20', '+')],
  ])('%s', (_, text) => {
    expect(redact(`a ${text} b`)).toBe(`a ${mask} b`);
  });

  test('in base64, alone or behind other bytes, in either alphabet', () => {
    for (const before of ['', 'u', 'us', 'use', 'user:'])
      for (const code of ['base64', 'base64url'] as const) {
        const text = redact(Buffer.from(before + value + '!!').toString(code));
        expect(text).toContain(mask);
        // At most two bytes at either edge share a character with their neighbours.
        expect(text.replace(mask, '').length).toBeLessThan(8 + Math.ceil((before.length * 4) / 3));
      }
  });

  test('other variables, short values, locations and our own markers are not masked', () => {
    const quiet = createRedactor({
      API_KEY: 'short',
      SSH_AUTH_SOCK: '/tmp/agent.1234',
      HARNESS_TOKEN: 'repo/run-1/check',
      XAUTHORITY: '/root/.Xauthority',
    });
    const text = '/usr/bin:/bin /home/someone short /tmp/agent.1234 repo/run-1/check /root/.Xauthority';
    expect(quiet(text)).toBe(text);
    expect(redact('/usr/bin:/bin /home/someone')).toBe('/usr/bin:/bin /home/someone');
  });

  test('of two values one of which begins the other, the longer is masked', () => {
    const both = createRedactor({ A_TOKEN: 'abcdefgh', B_TOKEN: 'abcdefghijkl' });
    expect(both('abcdefghijkl abcdefgh')).toBe('[masked:B_TOKEN] [masked:A_TOKEN]');
  });

  test('each long line of a multi-line value is found separately', () => {
    const lines = createRedactor({ DEPLOY_KEY: `${run(40)}\n${run(50)}x\n` });
    expect(lines(`> ${run(50)}x`)).toBe('> [masked:DEPLOY_KEY]');
  });
});

test('masking a masked text changes nothing', () => {
  const redact = createRedactor({ MY_SECRET: 'known-secret-value' });
  const text = Object.values(TOKENS).join(' ') + ` token=known-secret-value password=${run(30)}`;
  expect(redact(redact(text))).toBe(redact(text));
});

test('in data, texts and names are masked, and completely any text under a name that only holds secrets', () => {
  const redact = createRedactor({ MY_SECRET: 'known-secret-value' });
  expect(
    redactJson(redact, {
      a: ['x known-secret-value', 1, null, true],
      'known-secret-value': { password: 'hunter22', access_token: 'abcdefgh', key: 'item-0012-check', apiKey: 'none' },
    }),
  ).toEqual({
    a: ['x [masked:MY_SECRET]', 1, null, true],
    '[masked:MY_SECRET]': {
      password: '[masked:field]',
      access_token: '[masked:field]',
      key: 'item-0012-check',
      apiKey: 'none',
    },
  });
});

describe('text in chunks', () => {
  const env = { MY_SECRET: 'known-secret-value', LONG_KEY: run(40_000) };
  const whole = createRedactor(env);
  const inPieces = (text: string, sizes: readonly number[]): string => {
    const stream = createStreamRedactor(env);
    let shown = '';
    for (let at = 0, i = 0; at < text.length; i += 1) {
      const size = sizes[i % sizes.length] ?? 1;
      shown += stream.push(text.slice(at, at + size));
      at += size;
    }
    return shown + stream.end();
  };
  const word = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...Object.values(TOKENS), 'known-secret-value', `token=${run(30)}`) },
    { weight: 3, arbitrary: fc.lorem({ maxCount: 20 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 30_000 }).map((n) => 'lorem ipsum\n'.repeat(n >> 3)) },
    { weight: 1, arbitrary: fc.constant(env.LONG_KEY) },
  );
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50_000 })), {
    minLength: 1,
    maxLength: 6,
  });

  test('is masked as if it were whole, wherever it was cut', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 25 }), sizes, (words, sizes) => {
        const text = words.join(' ');
        expect(inPieces(text, sizes)).toBe(whole(text));
      }),
      { numRuns: 40 },
    );
  });

  test('shows no secret even where there is no blank to cut at', () => {
    const noise = fc.integer({ min: 1, max: 90_000 }).map((n) => '.;-+'.repeat(n >> 2));
    fc.assert(
      fc.property(fc.array(noise, { minLength: 1, maxLength: 6 }), sizes, (noises, sizes) => {
        const shown = inPieces(noises.map((n) => `${n}known-secret-value;${TOKENS['github'] ?? ''};`).join(''), sizes);
        expect(shown).not.toContain('known-secret-value');
        expect(shown).not.toContain(TOKENS['github']);
        expect(shown.match(/\[masked:MY_SECRET\]/g)).toHaveLength(noises.length);
      }),
      { numRuns: 20 },
    );
  });

  test('is shown while it arrives, not only at the end', () => {
    const stream = createStreamRedactor({});
    let shown = 0;
    for (let i = 0; i < 1000; i += 1) shown += stream.push('one line of log of some length\n'.repeat(5)).length;
    expect(shown).toBeGreaterThan(100_000);
  });
});

describe('no text costs more than linear time', () => {
  const redact = createRedactor({ A_TOKEN: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab', B_KEY: '-----BEGIN RSA -' });
  const hostile: { readonly [name: string]: (size: number) => string } = {
    'one letter': (size) => 'a'.repeat(size),
    blanks: (size) => `api_key${' '.repeat(size)}`,
    colons: (size) => `${'a'.repeat(20)}://${'x:'.repeat(size / 2)}`,
    'addresses without end': (size) => '://a:'.repeat(size / 5),
    'heads of keys': (size) => join('-----BEGIN RSA ', 'PRIVATE KEY-----\n').repeat(size / 32),
    'heads and ends of keys': (size) =>
      join('-----BEGIN RSA ', 'PRIVATE KEY-----\n').repeat(size / 64) + '-----END '.repeat(size / 18),
    'heads in one word': (size) => `${join('ey', 'J')}aaaaaaaaaa-`.repeat(size / 14),
    'heads with dots': (size) => `${join('ey', 'J')}aaaaaaaaaa.`.repeat(size / 14),
    'prefixes of keys': (size) => 'sk-'.repeat(size / 3),
    'prefixes too short': (size) => 'sk-aaaaaaaaaaaaaaaa '.repeat(size / 20),
    bearers: (size) => 'bearer '.repeat(size / 7),
    assignments: (size) => 'token="'.repeat(size / 7),
  };

  test.each(Object.entries(hostile))('%s', (_, make) => {
    const ms = (size: number): number =>
      Math.min(
        ...[0, 1, 2, 3, 4].map(() => {
          const text = make(size);
          // CPU time of this thread, which a busy machine changes less than the wall time.
          const before = process.threadCpuUsage();
          redact(text);
          const { user, system } = process.threadCpuUsage(before);
          return (user + system) / 1000;
        }),
      );
    // Sixteen times the text: linear is 16 times the time, quadratic 256 times.
    expect(ms(1_048_576) / Math.max(ms(65_536), 1)).toBeLessThan(128);
  });
});
