// How commands are made to report: what people write, what runs in its place, and when nothing can be added.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryFile } from '../../host/package-root.ts';
import { adapterFor } from './adapters.ts';
import { node } from './node.ts';
import { pytest } from './pytest.ts';
import { scriptBehind, scriptOf } from './scripts.ts';
import { END_OF_OUTPUT, quoteWord, segments, withEnd } from './shell.ts';
import { tap } from './tap.ts';
import { vitest } from './vitest.ts';

const PATH = '/r/x.json';
const FLAGS = '--reporter=default --reporter=json --outputFile.json=/r/x.json';

describe('vitest', () => {
  test.each([
    ['vitest run', `vitest run ${FLAGS}`],
    ['npx vitest run tests/a.test.ts', `npx vitest run tests/a.test.ts ${FLAGS}`],
    ['node_modules/.bin/vitest run', `node_modules/.bin/vitest run ${FLAGS}`],
    ['node node_modules/vitest/vitest.mjs run', `node node_modules/vitest/vitest.mjs run ${FLAGS}`],
    ['npm test', `npm test -- ${FLAGS}`],
    ['npm test -- src', `npm test -- src ${FLAGS}`],
    ['npm run -s test:unit', `npm run -s test:unit -- ${FLAGS}`],
    ['npm exec vitest run', `npm exec vitest run -- ${FLAGS}`],
    ['pnpm test', `pnpm test ${FLAGS}`],
    ['yarn vitest run', `yarn vitest run ${FLAGS}`],
    ['TZ=UTC npx vitest run', `TZ=UTC npx vitest run ${FLAGS}`],
    ['npm run build && npx vitest run', `npm run build && npx vitest run ${FLAGS}`],
    ['(cd web && npx vitest run) 2>&1 | tee out.txt', `(cd web && npx vitest run ${FLAGS}) 2>&1 | tee out.txt`],
    ['vitest run > out.txt 2>&1; echo done', `vitest run > out.txt 2>&1 ${FLAGS}; echo done`],
    ["vitest run -t 'a; b && c'", `vitest run -t 'a; b && c' ${FLAGS}`],
    ['vitest run --reporter=dot', 'vitest run --reporter=dot --reporter=json --outputFile.json=/r/x.json'],
    ['vitest run --reporter=json --outputFile={report}', 'vitest run --reporter=json --outputFile=/r/x.json'],
  ])('%s', (command, expected) => {
    expect(vitest.instrument(command, PATH)).toEqual({ command: expected, env: {}, from: 'file' });
  });

  test.each([
    'make test',
    'cd vitest && make',
    'vitest run $(cat files)',
    'vitest run --project a && vitest run --project b',
    'vitest run --outputFile=mine.json',
    'echo vitest',
    "vitest run 'open",
  ])('%s is left to its exit code', (command) => {
    expect(vitest.instrument(command, PATH)).toBeNull();
  });

  test.each([
    ['vitest run', `npm test -- ${FLAGS}`],
    ['tsc -p . && vitest run', `npm test -- ${FLAGS}`],
    ['vitest --reporter=dot', 'npm test -- --reporter=json --outputFile.json=/r/x.json'],
    ['vitest run && echo done', null],
    ['npm run unit', null],
    ['vitest run --outputFile=mine.json', null],
  ])('`npm test` is given flags where they reach vitest: %s', (script, expected) => {
    expect(vitest.instrument('npm test', PATH, { test: script, unit: 'vitest run' })?.command ?? null).toBe(expected);
  });
});

describe('node', () => {
  const OURS = '--test-reporter=file:///r/node-reporter.mjs?to=%2Fr%2Fx.json --test-reporter-destination=stderr';
  const TO_STDOUT = '--test-reporter-destination=stdout';
  const needs = [{ path: '/r/node-reporter.mjs', from: entryFile('node-reporter') }];
  const options = (script: string) => node.instrument('npm test', PATH, { test: script })?.env['NODE_OPTIONS'] ?? null;
  const SPEC = '--test-reporter=spec --test-reporter-destination=stdout';
  test('is asked in NODE_OPTIONS, which npm hands on', () => {
    expect(node.instrument('npm test', PATH)).toEqual({
      command: 'npm test',
      env: { NODE_OPTIONS: `${SPEC} ${OURS}` },
      from: 'file',
      needs,
    });
  });
  test('keeps options that the command sets itself', () => {
    expect(node.instrument('NODE_OPTIONS=--no-warnings node --test', PATH)).toEqual({
      command: `NODE_OPTIONS='${SPEC} ${OURS} '--no-warnings node --test`,
      env: {},
      from: 'file',
      needs,
    });
  });
  test('keeps the reporter that the command names, on stdout as before', () => {
    expect(node.instrument('node --test --test-reporter=tap t/', PATH)).toEqual({
      command: 'node --test --test-reporter=tap --test-reporter-destination=stdout t/',
      env: { NODE_OPTIONS: OURS },
      from: 'file',
      needs,
    });
  });
  test('names places in a way that NODE_OPTIONS, shells and addresses leave alone', () => {
    const hostile = `/a b/$(x)'"\\#?%&;!*~ü/r.jsonl`;
    const [, url = ''] =
      /reporter=(file:\S+) /.exec(node.instrument('npm test', hostile)?.env['NODE_OPTIONS'] ?? '') ?? [];
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
    expect(node.instrument(command, PATH)).toEqual({
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

describe('pytest', () => {
  const OPTIONS = '-o junit_family=xunit1 --continue-on-collection-errors';
  test('is asked in PYTEST_ADDOPTS, whatever starts it', () => {
    expect(pytest.instrument('poetry run pytest -q', PATH)).toEqual({
      command: 'poetry run pytest -q',
      env: { PYTEST_ADDOPTS: `--junitxml=/r/x.json ${OPTIONS}` },
      from: 'file',
    });
  });
  test('writes where we say, also when the command named a place of its own', () => {
    expect(pytest.instrument('pytest --junit-xml out.xml tests && echo ok', PATH)).toEqual({
      command: 'pytest --junitxml=/r/x.json tests && echo ok',
      env: { PYTEST_ADDOPTS: OPTIONS },
      from: 'file',
    });
  });
  test('keeps options that the command sets itself', () => {
    expect(pytest.instrument('PYTEST_ADDOPTS="-q" pytest', PATH)?.command).toBe(
      `PYTEST_ADDOPTS='--junitxml=/r/x.json ${OPTIONS} '"-q" pytest`,
    );
  });
});

describe('jest', () => {
  const JEST = '--ci --json --outputFile=/r/x.json';
  test.each([
    ['jest', `jest ${JEST}`],
    ['npx jest --runTestsByPath a.test.js', `npx jest --runTestsByPath a.test.js ${JEST}`],
    [
      'node --experimental-vm-modules node_modules/jest/bin/jest.js',
      `node --experimental-vm-modules node_modules/jest/bin/jest.js ${JEST}`,
    ],
    ['NODE_OPTIONS=--experimental-vm-modules npx jest', `NODE_OPTIONS=--experimental-vm-modules npx jest ${JEST}`],
    ['yarn jest && echo done', `yarn jest ${JEST} && echo done`],
    ['jest --json --outputFile={report}', 'jest --json --outputFile=/r/x.json'],
  ])('%s', (command, expected) => {
    expect(adapterFor('jest')?.instrument(command, PATH)).toEqual({ command: expected, env: {}, from: 'file' });
  });
  test.each([
    ['jest', `npm test -- ${JEST}`],
    ['jest --outputFile=mine.json', null],
    ['jest && eslint .', null],
    ['vitest run', null],
  ])('behind `npm test` is asked where flags reach it: %s', (script, expected) => {
    expect(adapterFor('jest')?.instrument('npm test', PATH, { test: script })?.command ?? null).toBe(expected);
  });
});

describe('mocha', () => {
  const MOCHA = '--reporter json --reporter-option output=/r/x.json';
  test.each([
    ['mocha', `mocha ${MOCHA}`],
    ['npx mocha --reporter dot', `npx mocha --reporter dot ${MOCHA}`],
    ['npm test', `npm test -- ${MOCHA}`],
    ['mocha --reporter json > {report}', 'mocha --reporter json > /r/x.json'],
  ])('%s', (command, expected) => {
    expect(adapterFor('mocha')?.instrument(command, PATH)).toEqual({ command: expected, env: {}, from: 'file' });
  });
  test.each(['mocha -O output=mine.json', 'mocha --reporter x --reporter-options a=1', 'make test'])(
    '%s is left to its exit code',
    (command) => {
      expect(adapterFor('mocha')?.instrument(command, PATH)).toBeNull();
    },
  );
});

describe('go and cargo', () => {
  const inside = (runner: 'go' | 'cargo', command: string) => {
    const how = adapterFor(runner)?.instrument(command, PATH);
    return how?.from === 'stdout' ? how.command.split('\n')[1] : (how ?? null);
  };
  test.each([
    ['go test ./...', 'go test -json -count=1 ./...'],
    ['go test "./$(dirname a/b_test.go)"', 'go test -json -count=1 "./$(dirname a/b_test.go)"'],
    [
      'cd api && CGO_ENABLED=0 go test -race ./... | tee out',
      'cd api && CGO_ENABLED=0 go test -json -count=1 -race ./... | tee out',
    ],
    ['go test ./a && go test ./b', 'go test -json -count=1 ./a && go test -json -count=1 ./b'],
    ['go test -json -count 3 ./...', 'go test -json -count 3 ./...'],
    ['make test', null],
  ])('%s', (command, expected) => {
    expect(inside('go', command)).toBe(expected);
  });
  test.each([
    ['cargo test', 'cargo test --no-fail-fast'],
    ['cargo +nightly test --workspace -- --nocapture', 'cargo +nightly test --no-fail-fast --workspace -- --nocapture'],
    ['cargo test --no-fail-fast', 'cargo test --no-fail-fast'],
    ['cargo nextest run', null],
  ])('%s', (command, expected) => {
    expect(inside('cargo', command)).toBe(expected);
  });
  test.each(['exit 3', 'true', '(exit 4)', 'cat <<X\nX', 'true # a word', 'no-such-program-here'])(
    'a line says that all was printed, and the exit code stays: %j',
    (command) => {
      const of = (line: string) => spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' });
      const whole = of(withEnd(command, 'apart'));
      expect(whole.status).toBe(of(command).status);
      expect(whole.stdout.endsWith(`\n${END_OF_OUTPUT}\n`)).toBe(true);
    },
  );
});

test('TAP is read from what the command prints, unless it asks for a path', () => {
  expect(tap.instrument('prove -v', PATH)).toEqual({ command: 'prove -v', env: {}, from: 'stdout' });
  expect(tap.instrument('prove -v > {report}', PATH)).toEqual({
    command: 'prove -v > /r/x.json',
    env: {},
    from: 'file',
  });
});

test('a generic JUnit command must ask for the path', () => {
  expect(adapterFor('junit')?.instrument('make test', PATH)).toBeNull();
  expect(adapterFor('junit')?.instrument('make test OUT={report}', PATH)?.command).toBe('make test OUT=/r/x.json');
});

test.each(['command', null] as const)('%s has no adapter', (runner) => {
  expect(adapterFor(runner)).toBeNull();
});

test('scripts are followed to the last, and not in circles', () => {
  const scripts = { test: 'npm run a', a: 'yarn run -s b', b: 'node --test', c: 'npm run c' };
  expect(scriptOf('CI=1 npm t', scripts)).toBe('npm run a');
  expect(scriptBehind('cd x && npm test -- -v', scripts)).toBe('node --test');
  expect(scriptBehind('npm run c', scripts)).toBe('npm run c');
  expect(scriptBehind('npm run constructor', scripts)).toBe('');
  expect(scriptBehind('npm ci', scripts)).toBe('');
});

describe('shell lines', () => {
  test('a quoted word reaches a program as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((s) => !s.includes('\0')),
        (word) => {
          const out = execFileSync('/bin/sh', ['-c', `printf %s ${quoteWord(word)}`], { encoding: 'utf8' });
          expect(out).toBe(word);
        },
      ),
      { numRuns: 50 },
    );
  });
  test('cutting loses nothing but separators', () => {
    const piece = fc.constantFrom('a', "'x; y'", '"p && q"', ';', '&&', '||', '|', '2>&1', '&>f', '(', ')', ' ', '\\;');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const line = pieces.join('');
        for (const { text, end } of segments(line) ?? []) expect(line.slice(end - text.length, end)).toBe(text);
      }),
    );
  });
});
