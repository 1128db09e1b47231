// How node:test is made to report: what people write, what runs in its place, and when nothing can be added.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { entryFile } from '../../../host/package-root.ts';
import { node } from './runner.ts';

const PATH = '/r/x.json';

describe('node', () => {
  const OURS = '--test-reporter=file:///r/node-reporter.mjs?to=%2Fr%2Fx.json --test-reporter-destination=stderr';
  const TO_STDOUT = '--test-reporter-destination=stdout';
  const needs = [{ path: '/r/node-reporter.mjs', from: entryFile('node-reporter') }];
  const options = (script: string) =>
    node.reporting.instrument('npm test', PATH, { test: script })?.env['NODE_OPTIONS'] ?? null;
  const SPEC = '--test-reporter=spec --test-reporter-destination=stdout';
  test('is asked in NODE_OPTIONS, which npm hands on', () => {
    expect(node.reporting.instrument('npm test', PATH)).toEqual({
      command: 'npm test',
      env: { NODE_OPTIONS: `${SPEC} ${OURS}` },
      from: 'file',
      needs,
    });
  });
  test('keeps options that the command sets itself', () => {
    expect(node.reporting.instrument('NODE_OPTIONS=--no-warnings node --test', PATH)).toEqual({
      command: `NODE_OPTIONS='${SPEC} ${OURS} '--no-warnings node --test`,
      env: {},
      from: 'file',
      needs,
    });
  });
  test('keeps the reporter that the command names, on stdout as before', () => {
    expect(node.reporting.instrument('node --test --test-reporter=tap t/', PATH)).toEqual({
      command: 'node --test --test-reporter=tap --test-reporter-destination=stdout t/',
      env: { NODE_OPTIONS: OURS },
      from: 'file',
      needs,
    });
  });
  test('names places in a way that NODE_OPTIONS, shells and addresses leave alone', () => {
    const hostile = `/a b/$(x)'"\\#?%&;!*~ü/r.jsonl`;
    const [, url = ''] =
      /reporter=(file:\S+) /.exec(node.reporting.instrument('npm test', hostile)?.env['NODE_OPTIONS'] ?? '') ?? [];
    expect(url).toMatch(/^[\w:/.?=%~-]+$/);
    expect(new URL(url).searchParams.get('to')).toBe(hostile);
    expect(fileURLToPath(url)).toBe(`${dirname(hostile)}/node-reporter.mjs`);
  });
  test('lends out a reporter that needs nothing but Node', () => {
    const source = readFileSync(entryFile('node-reporter'), 'utf8');
    for (const [, from] of source.matchAll(/\bfrom ['"]([^'"]+)['"]/g)) expect(from).toMatch(/^node:/);
  });
  test('leaves a place to a command that asks for it', () => {
    const command = 'node --test --test-reporter=junit --test-reporter-destination={report}';
    expect(node.reporting.instrument(command, PATH)).toEqual({
      command: command.replace('{report}', PATH),
      env: {},
      from: 'file',
    });
  });
  test.each([
    ['node --test', `${SPEC} ${OURS}`],
    ['node --test --test-reporter=dot', `${OURS} ${TO_STDOUT}`],
    ['tsc && node --test --test-reporter spec --test-reporter=./mine.mjs', `${OURS} ${TO_STDOUT} ${TO_STDOUT}`],
    ['node --test --test-reporter=dot --test-reporter-destination=out.txt', OURS],
    ['NODE_OPTIONS="$NODE_OPTIONS --no-warnings" node --test', `${SPEC} ${OURS}`],
    ['NODE_OPTIONS=--no-warnings node --test', null],
    ['cross-env NODE_OPTIONS=--no-warnings node --test', null],
    ['node --test --test-reporter=dot a && node --test b', null],
  ])('behind `npm test` minds what the script does itself: %s', (script, expected) => {
    expect(options(script)).toBe(expected);
  });
});
