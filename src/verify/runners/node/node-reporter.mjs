// Reports a run of node:test as lines of JSON, appended to the file that the URL of this module names (`?to=`).
// It is loaded by the Node of the project under test, 18.17 or newer: old syntax, no imports but Node's own.
//
// Lines are appended as results come, so several runs of one command (`node --test a && node --test b`) share the file, and
// a process that is killed leaves what was known. A run that finished says so in its last line.
import { openSync, writeSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const MESSAGE_CHARACTERS = 2000;
const STDERR_CHARACTERS = 8000;

const to = new URL(import.meta.url).searchParams.get('to') || '';

// Programs that tests start must not write to this report: tests that run other tests would report them as their own. The
// runner starts each file after this line, with this environment.
const options = (process.env.NODE_OPTIONS || '')
  .split(' ')
  .filter((o) => !/^--test-reporter(?:-destination)?=/.test(o));
if (options.join('') === '') delete process.env.NODE_OPTIONS;
else process.env.NODE_OPTIONS = options.join(' ');

// oxlint-disable-next-line import/no-default-export -- the form node:test asks for
export default async function* report(source) {
  const run = `${process.pid}-${Date.now().toString(36)}`;
  const open = []; // titles of what has begun and not ended, by nesting
  const errors = new Map(); // what each file wrote to stderr, for files that do not load
  const counted = {}; // the runner's own numbers
  let file = null;
  let tests = 0;
  let executed = 0;
  const tell = (line) => {
    if (file === null) file = openSync(to, 'a', 0o600);
    writeSync(file, `${JSON.stringify(Object.assign({ event: line.event, run }, line))}\n`);
  };
  try {
    tell({ event: 'start', version: 1, node: process.version });
    for await (const { type, data } of source) {
      if (type === 'test:start') {
        open.length = data.nesting;
        open[data.nesting] = String(data.name);
      } else if (type === 'test:stderr') {
        const path = pathOf(data.file);
        errors.set(path, `${errors.get(path) || ''}${data.message}`.slice(-STDERR_CHARACTERS));
      } else if (type === 'test:diagnostic') {
        const number = /^(tests|suites|pass|fail|cancelled|skipped|todo) (\d+)$/.exec(data.message);
        if (number !== null && data.nesting === 0) counted[number[1]] = Number(number[2]);
        tell({ event: 'diagnostic', file: pathOf(data.file), message: cut(data.message) });
      } else if (type === 'test:pass' || type === 'test:fail') {
        const line = lineOf(type, data, open, errors);
        if (line.event === 'test') tests++;
        if (line.event === 'test' && (line.status === 'pass' || line.status === 'fail')) executed++;
        tell(line);
      }
    }
    tell({ event: 'end', tests, executed, counted });
  } catch (error) {
    yield `the report of the tests could not be written: ${error.message}\n`;
  }
}

function lineOf(type, data, open, errors) {
  const details = data.details || {};
  const name = String(data.name);
  const file = pathOf(data.entryFile || data.file);
  const failed = type === 'test:fail';
  const line = {
    event: details.type === 'suite' ? 'suite' : isFileItself(data, name, file) ? 'file' : 'test',
    // The words `skip` and `todo` may stand there empty. A failure outweighs a skip, and fails no `todo`.
    status: isSaid(data.todo) ? 'todo' : failed ? 'fail' : isSaid(data.skip) ? 'skip' : 'pass',
    file: file || (isAbsolute(name) ? name : pathOf(process.argv[1])),
    suite: open.slice(0, data.nesting),
    name,
    ms: details.duration_ms,
    failure: failed && details.error ? String(details.error.failureType || '') : '',
    message: cut(failed ? whyOf(details.error) : [data.skip, data.todo].find((word) => typeof word === 'string') || ''),
  };
  if (line.event === 'file' && failed) line.message = cut(errorIn(errors.get(line.file)) || line.message);
  return line;
}

/** The runner reports a file as a test with the file's name if it held no test or failed as a whole. */
function isFileItself(data, name, file) {
  if (data.nesting !== 0) return false;
  // Before Node 20 such a test has no file, and its title is an absolute path.
  return file === '' ? isAbsolute(name) : resolve(name) === file;
}

function whyOf(error) {
  if (!error) return '';
  const cause = error.cause;
  if (cause && typeof cause.message === 'string' && cause.message !== '') return cause.message;
  return String((typeof cause === 'string' && cause) || error.message || error);
}

/** The line of an uncaught error that says what was wrong; Node puts the place and the source before it. */
function errorIn(text) {
  return (text || '').split('\n').find((line) => /^(?:Uncaught )?[A-Za-z_$]*(?:Error|Exception)\b/.test(line.trim()));
}

function pathOf(file) {
  if (typeof file !== 'string' || file === '') return '';
  return file.startsWith('file:') ? fileURLToPath(file) : resolve(file);
}

function isSaid(directive) {
  return directive !== undefined && directive !== false && directive !== null;
}

function cut(text) {
  return String(text).slice(0, MESSAGE_CHARACTERS);
}
