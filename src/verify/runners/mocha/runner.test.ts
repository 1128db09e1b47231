// How mocha is made to report, and what its report says.
import { describe, expect, test } from 'vitest';
import { reportIn } from '../../../../test/support/reports.ts';
import { parse } from './report.ts';
import { mocha } from './runner.ts';

const PATH = '/r/x.json';

describe('mocha', () => {
  const MOCHA = '--reporter=json --reporter-option=output=/r/x.json';
  test.each([
    ['mocha', `mocha ${MOCHA}`],
    ['npx mocha --reporter dot', `npx mocha --reporter dot ${MOCHA}`],
    ['npm test', `npm test -- ${MOCHA}`],
    ['mocha --reporter json > {report}', 'mocha --reporter json > /r/x.json'],
  ])('%s', (command, expected) => {
    expect(mocha.reporting.instrument(command, PATH)).toMatchObject({ command: expected, from: 'file' });
  });
  test.each(['mocha -O output=mine.json', 'mocha --reporter x --reporter-options a=1', 'make test'])(
    '%s is left to its exit code',
    (command) => {
      expect(mocha.reporting.instrument(command, PATH)).toBeNull();
    },
  );
});

test('counts that differ from the lists are defects', () => {
  const stats = { tests: 1, passes: 1, pending: 0, failures: 0 };
  const lists = { tests: [], passes: [], pending: [], failures: [] };
  expect(reportIn(parse(JSON.stringify({ stats, ...lists }), '/r')).defects).toHaveLength(2);
});
