// The main job on real code: npm packages with tests of their own, run by tape; the agents are separate programs
// that speak the Agent Client Protocol.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { expectExit, expectPortable } from './workshop.ts';

const require = createRequire(import.meta.url);
const folderOf = (name: string): string | null => {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
};
const absent = ['tape', 'minimist', 'json-stable-stringify'].filter((name) => folderOf(name) === null);
if (absent.length > 0) console.warn(`SKIPPED, not installed: ${absent.join(', ')} (npm ci)`);

type Feature = {
  readonly id: number;
  readonly description: string;
  readonly test_file: string;
  readonly depends_on?: readonly number[];
  /** What the agent appends to the program, and the test it writes. */
  readonly code: string;
  readonly test: string;
};
type Package = { readonly main: string; readonly features: readonly Feature[] };
const TAPE = 'node node_modules/tape/bin/tape';
const todo = `var test = require('tape');\n\ntest('to do', function (t) {\n\tt.fail('not implemented');\n\tt.end();\n});\n`;

/** The package's files with its tests in a fresh repository, its features not implemented yet. */
function repositoryOf(name: string, { features }: Package, command: (around: string) => readonly string[]): Repo {
  const repo = makeRepo({}, ['tests/open.test.mjs', 'tests/cart.test.mjs', 'tests/pay.test.mjs']);
  const modules = dirname(folderOf('tape') ?? '');
  cpSync(folderOf(name) ?? '', repo.root, { recursive: true, filter: (path) => !/\/\.nyc|\/\.github/.test(path) });
  symlinkSync(modules, join(repo.root, 'node_modules'));
  const list = features.map(({ code: _, test: __, ...feature }) => ({ ...feature, passes: false }));
  repo.write('.gitignore', '.harness/\nnode_modules\n');
  repo.write('features.json', `${JSON.stringify({ project: name, features: list }, null, 2)}\n`);
  repo.write('init.sh', '#!/bin/sh\ntest -d node_modules/tape\n');
  const agent = JSON.stringify({ provider: 'acp', command: command(dirname(repo.root)) });
  repo.write(
    '.harness.yaml',
    `project: { name: ${name} }\nagents: { default: ${agent} }\nenvironment: { init: ./init.sh, reset: ./reset.sh }\n` +
      `testing: { runner: tap, feature: '${TAPE} {test_file}', full: '${TAPE} "test/*.js"' }\n`,
  );
  for (const { test_file: file } of features) repo.write(file, todo);
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', `${name}, with what it cannot do yet`);
  repo.git('tag', 'begin');
  return repo;
}

const ownTests = (repo: Repo): string =>
  execFileSync('/bin/sh', ['-c', `${TAPE} "test/*.js"`], { cwd: repo.root, env: repo.env, encoding: 'utf8' });

/** What the harness added to the history carries trailers and nothing of this machine. */
function expectHistory(repo: Repo, items: readonly string[]): void {
  const log = repo.git(
    'log',
    '--reverse',
    '--format=%(trailers:key=Harness-Item,valueonly,separator=) %(trailers:key=Harness-Run,valueonly,separator=)',
    'begin..',
  );
  expect(log.split('\n').map((line) => line.split(' ')[0])).toEqual(items);
  for (const line of log.split('\n')) expect(line).toMatch(/^\d+ r-\d{14}-\w+$/);
  expect(repo.git('status', '--porcelain')).toBe('');
  expectPortable(repo, 'begin');
}

const MINIMIST: Package = {
  main: 'index.js',
  features: [
    {
      id: 1,
      description: 'Options named in opts.list are split at commas',
      test_file: 'test/list.js',
      code: `
var parse = module.exports;

module.exports = function (args, opts) {
	var argv = parse(args, opts);
	[].concat((opts && opts.list) || []).forEach(function (key) {
		if (typeof argv[key] === 'string') { argv[key] = argv[key].split(','); }
	});
	return argv;
};
`,
      test: `var test = require('tape');
var parse = require('../');

test('a list is split at commas', function (t) {
	t.deepEqual(parse(['--in=a,b,c'], { list: 'in' })['in'], ['a', 'b', 'c']);
	t.deepEqual(parse(['--in=a,b'])['in'], 'a,b', 'only where it is asked for');
	t.end();
});
`,
    },
    {
      id: 2,
      description: 'The sum of a list of numbers can be asked for',
      test_file: 'test/list_sum.js',
      depends_on: [3],
      code: `
module.exports.sum = function (argv, key) {
	return argv[key].reduce(function (sum, n) { return sum + n; }, 0);
};
`,
      test: `var test = require('tape');
var parse = require('../');

test('a list of numbers is summed', function (t) {
	t.equal(parse.sum(parse(['--n=1,2,39'], { string: 'n', list: 'n' }), 'n'), 42);
	t.end();
});
`,
    },
    {
      id: 3,
      description: 'Numbers in a list are numbers',
      test_file: 'test/list_numbers.js',
      depends_on: [1],
      code: `
var lists = module.exports;

module.exports = function (args, opts) {
	var argv = lists(args, opts);
	[].concat((opts && opts.list) || []).forEach(function (key) {
		if (Array.isArray(argv[key])) { argv[key] = argv[key].map(function (x) { return x !== '' && isFinite(x) ? Number(x) : x; }); }
	});
	return argv;
};
`,
      test: `var test = require('tape');
var parse = require('../');

test('numbers in a list are numbers', function (t) {
	t.deepEqual(parse(['--n=1,two,3'], { list: 'n' }).n, [1, 'two', 3]);
	t.end();
});
`,
    },
  ],
};

const STRINGIFY: Package = {
  main: 'index.js',
  features: [
    {
      id: 1,
      description: 'Two values can be compared by their stable text',
      test_file: 'test/equal.js',
      code: `\nmodule.exports.equal = function (a, b) {\n\treturn module.exports(a) === module.exports(b);\n};\n`,
      test: `var test = require('tape');
var stringify = require('../');

test('values are compared whatever the order of keys', function (t) {
	t.ok(stringify.equal({ a: 1, b: 2 }, { b: 2, a: 1 }));
	t.notOk(stringify.equal({ a: 1 }, { a: 2 }));
	t.end();
});
`,
    },
    {
      id: 2,
      description: 'A list can be searched for an equal value',
      test_file: 'test/index_of.js',
      depends_on: [1],
      code: `\nmodule.exports.indexOf = function (list, value) {\n\treturn list.map(function (one) { return module.exports.equal(one, value); }).indexOf(true);\n};\n`,
      test: `var test = require('tape');
var stringify = require('../');

test('an equal value is found', function (t) {
	t.equal(stringify.indexOf([{ x: 1 }, { y: 2, x: 1 }], { x: 1, y: 2 }), 1);
	t.equal(stringify.indexOf([], {}), -1);
	t.end();
});
`,
    },
  ],
};

describe.skipIf(absent.length > 0)('features land in a real package, proved by its own runner', () => {
  test('minimist: one with --once, the rest in the order of their dependencies', async () => {
    const program = resolve('dist/scripted.mjs');
    const repo = repositoryOf('minimist', MINIMIST, (around) => [
      process.execPath,
      program,
      '--scenario',
      join(around, 'agent.json'),
    ]);
    const sessions = MINIMIST.features.map(({ id, code, test_file: path, test: text }) => ({
      when: { item: id },
      turns: [
        [
          { append: { path: MINIMIST.main, text: code } },
          { write: { path, text } },
          { run: `${TAPE} ${path}` },
          'claim',
        ],
      ],
    }));
    writeFileSync(join(dirname(repo.root), 'agent.json'), JSON.stringify({ schema: 1, sessions }));

    const first = await repo.harness('run', '--once', '--json');
    expectExit(first, 0);
    expect(first.json()).toMatchObject({ result: 'landed', landed: ['1'], next: { item: '3' } });
    expectHistory(repo, ['1']);

    const rest = await repo.harness('run', '--until-done', '--json');
    expectExit(rest, 0);
    expect(rest.json()).toMatchObject({ result: 'done', landed: ['3', '2'] });
    expectHistory(repo, ['1', '3', '2']);
    expect(repo.features().map(({ passes }) => passes)).toEqual([true, true, true]);
    const tests = ownTests(repo);
    expect(tests).toMatch(/^# fail {2}0|^# ok$/m);
    expect(tests).not.toContain('not ok');
    const baseline = JSON.parse(repo.read('.harness/test_baseline.json')) as { total_passing: number };
    expect(baseline.total_passing).toBe((tests.match(/^ok /gm) ?? []).length);
  });

  test('json-stable-stringify: by an agent that speaks the protocol by hand', async () => {
    const program = resolve('test/fixtures/agents/hand-agent.mjs');
    const repo = repositoryOf('json-stable-stringify', STRINGIFY, (around) => ['node', program, join(around, 'work')]);
    const folder = join(dirname(repo.root), 'work');
    mkdirSync(folder);
    for (const { id, code, test: text, test_file: file } of STRINGIFY.features) {
      writeFileSync(join(folder, `${id}.code`), code);
      writeFileSync(join(folder, `${id}.test`), text);
      const lines = [
        'set -e',
        `cat ${folder}/${id}.code >> ${STRINGIFY.main}`,
        `cp ${folder}/${id}.test ${file}`,
        `${TAPE} ${file}`,
      ];
      writeFileSync(join(folder, `${id}.sh`), `${lines.join('\n')}\n`);
    }
    const run = await repo.harness('run', '--until-done', '--json');
    expectExit(run, 0);
    expect(run.json()).toMatchObject({ result: 'done', landed: ['1', '2'] });
    expectHistory(repo, ['1', '2']);
    expect(ownTests(repo)).not.toContain('not ok');
    expect(readFileSync(join(repo.root, '.harness', 'sessions', '1', 'events.jsonl'), 'utf8')).toContain(
      'I work on 1.',
    );
  });
});
