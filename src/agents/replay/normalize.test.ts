// Prompts on different machines and days: variable parts are ignored, changes by the user are found.
import { describe, expect, test } from 'vitest';
import { normalized, firstDifference, withoutPaths, withoutTimes, withPaths } from './normalize.ts';

const here = { root: '/home/ada/shop', home: '/home/ada', tmp: '/tmp' };
const there = { root: '/srv/b/shop', home: '/root', tmp: '/var/tmp' };

test('the same prompt on another machine, on another day, is the same', () => {
  const said = (place: typeof here, date: string, id: string, ms: string): string =>
    [
      `WORKDIR=${place.root}`,
      `see ${place.root}/src/a.ts and ${place.home}/.profile`,
      `at ${place.tmp}/copy-${id}/src/a.ts`,
      `- Commits: 2 (${id.slice(0, 7)}, 1234567)`,
      `run r-${date.replaceAll('-', '')}101112-${id.slice(0, 4)}`,
      `SESSION 3 - ${date} 10:11`,
      `started ${date}T10:11:12.345Z`,
      `# duration_ms ${ms}`,
      `1 passed in ${ms}s (${ms} ms)`,
      `evidence .git/harness/evidence/3-turn-1-check-${id.slice(0, 12)}`,
    ].join('\n');
  const first = normalized(said(here, '2026-01-02', 'abc1234def567890', '12.5'), here);
  expect(normalized(said(there, '2027-11-30', '9876543210abcdef', '7.25'), there)).toBe(first);
  for (const gone of [here.root, here.home, '2026', '12.5']) expect(first).not.toContain(gone);
});

test.each([
  'wait 5 seconds, then 10 minutes',
  'at most 500 lines',
  'the colour is #a1b2c3',
  'version 1.2.3 of the API',
  'defaced, effaced',
  'issue 1234567',
])('what a person wrote stays: %s', (text) => {
  expect(withoutTimes(text)).toBe(text);
});

test('replayed text has the folders of the machine', () => {
  const done = withoutPaths('edit /home/ada/shop/a, read /home/ada/b', here);
  expect(withPaths(done, there)).toBe('edit /srv/b/shop/a, read /root/b');
});

describe('the first difference of two prompts', () => {
  test('is the first line that differs, was added or removed', () => {
    expect(firstDifference('a\nb\nc', 'a\nB\nC')).toEqual({ line: 2, expected: 'b', found: 'B' });
    expect(firstDifference('a', 'a\nb')).toEqual({ line: 2, expected: '', found: 'b' });
    expect(firstDifference('a\nb', 'a')).toEqual({ line: 2, expected: 'b', found: '' });
    expect(firstDifference('a', 'a')).toBeNull();
  });
  test('of long lines is the part where they differ', () => {
    const parts = firstDifference(`${'x'.repeat(500)}old${'y'.repeat(500)}`, `${'x'.repeat(500)}new${'y'.repeat(500)}`);
    expect(parts?.expected).toContain('xxoldyy');
    expect(parts?.found).toContain('xxnewyy');
    expect(parts?.expected.length).toBeLessThan(130);
  });
});
