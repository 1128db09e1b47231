// XML reports beyond the recorded ones: broken, hostile and huge.
import { describe, expect, test } from 'vitest';
import { casesIn, reasonIn, reportIn } from '../../../test/support/reports.ts';
import { parse as readJunit } from './junit/report.ts';
import { parse as readNode } from './node/report.ts';
import { parse as readPytest } from './pytest/report.ts';

describe('XML', () => {
  test.each([
    ['nothing', ''],
    ['no XML', 'ok'],
    ['a page', '<html><body/></html>'],
    ['two roots', '<testsuites></testsuites><testsuites></testsuites>'],
    ['an open tag', '<testsuites><testsuite name="a"><testcase name="b"/>'],
    [
      'an entity bomb',
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuites><testsuite name="&b;"/></testsuites>',
    ],
    [
      'a file from outside',
      '<?xml version="1.0"?>\n<!-- x --><!doctype x [<!ENTITY e SYSTEM "file:///etc/passwd">]><testsuites/>',
    ],
    ['a thousand levels', `${'<testsuite>'.repeat(1000)}${'</testsuite>'.repeat(1000)}`],
  ])('%s is no report', (_what, text) => {
    for (const parse of [readJunit, readNode, readPytest])
      expect(reasonIn(parse(text, '/r'))).toBe('report-unreadable');
  });

  test('names that are dangerous to objects are only names', () => {
    const text =
      '<testsuites><testsuite name="__proto__"><testcase name="constructor" file="__proto__"/></testsuite></testsuites>';
    expect(casesIn(readJunit(text, '/r'))).toEqual(['passed junit|__proto__|__proto__|constructor']);
  });

  test('entities and numbers in names are read', () => {
    const text = '<testsuite name="s"><testcase name="a &lt;b&gt; &amp;amp; &quot;&apos; &#10; &#x65E5;"/></testsuite>';
    expect(casesIn(readJunit(text, '/r'))).toEqual(['passed junit||s|a <b> &amp; "\' 日']);
  });

  test('twenty thousand cases with entities are read', () => {
    const suite = (f: number) =>
      `<testsuite name="f${f}">${Array.from(
        { length: 200 },
        (_, i) => `<testcase classname="c" file="f${f}.py" name="a &gt; b &quot;x&quot; &#10; ${i}" time="0.1"/>`,
      ).join('')}</testsuite>`;
    const text = `<testsuites>${Array.from({ length: 100 }, (_, f) => suite(f)).join('')}</testsuites>`;
    for (const parse of [readJunit, readNode, readPytest])
      expect(reportIn(parse(text, '/r')).cases).toHaveLength(20_000);
  });

  test('a failure outweighs a skip, and states without elements count as skipped', () => {
    const text = `<testsuite name="s"><testcase name="a"><skipped/><error message="clean-up"/></testcase>
      <testcase name="b" status="disabled"/><testcase name="c" status="run"/></testsuite>`;
    expect(casesIn(readJunit(text, '/r')).map((s) => s.split(' ')[0])).toEqual(['failed', 'skipped', 'passed']);
  });

  test('a suite that counts failures which no case shows is a defect', () => {
    const text = '<testsuites><testsuite name="s" errors="1"><testcase name="a"/></testsuite></testsuites>';
    expect(reportIn(readJunit(text, '/r')).defects).toEqual(['s: 1 counted failures are in no case']);
  });
});
