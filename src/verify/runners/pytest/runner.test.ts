// How pytest is made to report, and what its report says.
import { describe, expect, test } from 'vitest';
import { casesIn } from '../../../../test/support/reports.ts';
import { parse } from './report.ts';
import { pytest } from './runner.ts';

const PATH = '/r/x.json';

describe('pytest', () => {
  const OPTIONS = '-o junit_family=xunit1 --continue-on-collection-errors';
  test('is asked in PYTEST_ADDOPTS, whatever starts it', () => {
    expect(pytest.reporting.instrument('poetry run pytest -q', PATH)).toEqual({
      command: 'poetry run pytest -q',
      env: { PYTEST_ADDOPTS: `--junitxml=/r/x.json ${OPTIONS}` },
      from: 'file',
    });
  });
  test('writes where we say, also when the command named a place of its own', () => {
    expect(pytest.reporting.instrument('pytest --junit-xml out.xml tests && echo ok', PATH)).toEqual({
      command: 'pytest --junitxml=/r/x.json tests && echo ok',
      env: { PYTEST_ADDOPTS: OPTIONS },
      from: 'file',
    });
  });
  test('keeps options that the command sets itself', () => {
    expect(pytest.reporting.instrument('PYTEST_ADDOPTS="-q" pytest', PATH)?.command).toBe(
      `PYTEST_ADDOPTS='--junitxml=/r/x.json ${OPTIONS} '"-q" pytest`,
    );
  });
});

test('pytest reports of the second family are read too', () => {
  const text = '<testsuite name="pytest"><testcase classname="tests.test_a.TestC" name="test_m"/></testsuite>';
  expect(casesIn(parse(text, '/r'))).toEqual(['passed pytest|tests/test_a.py|TestC|test_m']);
});
