// A JUnit report of any producer is asked for by its path.
import { expect, test } from 'vitest';
import { junit } from './runner.ts';

const PATH = '/r/x.json';

test('a generic JUnit command must ask for the path', () => {
  expect(junit.reporting.instrument('make test', PATH)).toBeNull();
  expect(junit.reporting.instrument('make test OUT={report}', PATH)?.command).toBe('make test OUT=/r/x.json');
});
