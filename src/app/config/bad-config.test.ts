// Every malformed configuration fails with the right reason and position, and no input makes the parser throw.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BAD_CONFIGS } from '../../../test/fixtures/bad-config/table.ts';
import { amountOf } from '../../../test/support/effort.ts';
import { resolveText } from './resolve.ts';
import type { TargetFiles } from '../../model/target-files.ts';

const noFiles: TargetFiles = { read: () => null, has: () => false };

describe('a configuration with one mistake', () => {
  test.each(BAD_CONFIGS)('$name is one failure at $at', async ({ file, text, reason, at, key, params }) => {
    const result = await resolveText('/target', { file, text }, noFiles);
    if (result.ok) throw new Error('it was accepted');
    expect(result.failure.reason).toBe('config-invalid');
    expect(result.failure.causes).toHaveLength(1);
    const cause = result.failure.causes?.[0];
    expect({
      reason: cause?.reason,
      at: `${cause?.at?.line}:${cause?.at?.column}`,
      key: cause?.at?.key ?? null,
    }).toEqual({ reason, at, key });
    expect(cause?.at?.file).toBe(file);
    expect(cause?.params).toMatchObject(params ?? {});
  });

  test('all mistakes are reported, in the order of the file', async () => {
    const text =
      'lanes: many\ncosts: { per_session_usd: ten }\nplaybok: tasks\nagents:\n  default: { provider: acp }\n';
    const result = await resolveText('/target', { file: '.harness.yaml', text }, noFiles);
    const places = result.ok ? [] : (result.failure.causes ?? []).map(({ at }) => `${at?.line} ${at?.key}`);
    expect(places).toEqual(['1 lanes', '2 costs.per_session_usd', '3 playbok']);
  });
});

const GOOD = `playbook: features
project: { name: api, github_repo: user/api }
agents:
  default: { provider: claude, model: m }
  roles:
    coding: { provider: acp, command: [node, agent.mjs], env: { KEY: value } }
testing:
  runner: pytest
  feature: "pytest {test_file}"
costs: { per_session_usd: 10, prices: { m: { input: 1, output: 2 } } }
session: { timeout_minutes: 60.5, on_timeout: { auto_commit: true } }
tools: &t { shell: { denied_commands: [sudo] } }
`;

describe('no input makes it throw', () => {
  /** Accepted, or refused with a position for each cause. */
  const isAnswered = async (text: string): Promise<boolean> => {
    const result = await resolveText('/target', { file: '.harness.yaml', text }, noFiles);
    if (result.ok) return true;
    return (result.failure.causes ?? []).every(({ at }) => (at?.line ?? 0) >= 1 && (at?.column ?? 0) >= 1);
  };
  const unanswered = async (texts: fc.Arbitrary<string>): Promise<unknown> =>
    (await fc.check(fc.asyncProperty(texts, isAnswered), { numRuns: amountOf(150, 400) })).counterexample;

  test('random text', async () => {
    expect(await unanswered(fc.string({ unit: 'binary', maxLength: 300 }))).toBeNull();
  });

  test('random sequences of YAML tokens', async () => {
    const signs = '{}[]:,-?&*!|>\'"%@#\n\t abN0.~'.split('');
    const words = ['<<: ', '- ', '? ', '&a ', '*a', '!!set ', '%YAML 1.1\n---\n', 'agents', ': ', '\n  '];
    const text = fc.array(fc.constantFrom(...signs, ...words), { maxLength: 60 }).map((pieces) => pieces.join(''));
    expect(await unanswered(text)).toBeNull();
  });

  test('a valid file with parts removed, repeated or replaced', async () => {
    const put = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('\t', '*t', '{', ']', 'null', '-1', ': ', '\n'));
    const edits = fc.array(fc.tuple(fc.nat(GOOD.length), fc.nat(20), put), { minLength: 1, maxLength: 4 });
    const edited = edits.map((all) =>
      all.reduce((text, [from, length, piece]) => text.slice(0, from) + piece + text.slice(from + length), GOOD),
    );
    expect(await unanswered(edited)).toBeNull();
  });

  test('any JSON value in the place of any key', async () => {
    const keys = 'playbook project agents models costs testing session tools github paths checkpoints gates lanes';
    const key = fc.oneof(fc.constantFrom(...keys.split(' ')), fc.string());
    expect(await unanswered(fc.dictionary(key, fc.jsonValue()).map((value) => JSON.stringify(value)))).toBeNull();
  });

  test.each([
    ['keys', Array.from({ length: 19_000 }, (_, i) => `k${i}: ${i}\n`).join('')],
    ['aliases', `a: &a [1]\nb: [${'*a,'.repeat(60_000)}]\n`],
    ['wrong values', `costs: { prices: { ${Array.from({ length: 4_000 }, (_, i) => `m${i}: -1, `).join('')} } }\n`],
  ])('a file of nothing but %s', async (_what, text) => {
    expect(await isAnswered(text)).toBe(true);
  });

  test.each(['[', '- ', '{a: ', '? ', 'a:\n- '])('a file with only %j', async (piece) => {
    expect(await isAnswered(piece.repeat(50_000))).toBe(true);
  });
});
