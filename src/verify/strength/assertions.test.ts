// The assertions of tests, and how a change of them is distinguished from a change of formatting.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareAssertions, demandsOf } from './assertions.ts';

const js = (text: string) => demandsOf('a.test.mjs', text);
const py = (text: string) => demandsOf('test_a.py', text);
const compare = (before: string, after: string) => compareAssertions(js(before).assertions, js(after).assertions);

describe('how much an assertion says', () => {
  test.each([
    ['assert.equal(add(1, 2), 3)', 3],
    ['assert(add(1, 2) === 3)', 3],
    ['expect(add(1, 2)).toBe(3)', 3],
    ['expect(list).toEqual([1, 2])', 3],
    ['t.deepEqual(parse(["--a"]), { a: true })', 3],
    ['assert.throws(() => put(0), /one/)', 2],
    ['expect(list).toContain(1)', 2],
    ['assert(total > 3)', 2],
    ['assert.ok(total)', 1],
    ['expect(total).toBeTruthy()', 1],
    ['expect(total).not.toBe(3)', 1],
    ['assert.ok(true)', 0],
    ['assert.equal(1, 1)', 0],
    ['expect(true).toBe(true)', 0],
    ['assert.ok(total === 3 || true)', 0],
  ] as const)('%s: %i', (text, rank) => {
    expect(js(text).assertions.map((a) => a.rank)).toEqual([rank]);
  });

  test.each([
    ['assert add(1, 2) == 3', 3],
    ['assert add(1, 2) == 3, "a message"', 3],
    ['self.assertEqual(add(1, 2), 3)', 3],
    ['assert "tea" in names', 2],
    ['with pytest.raises(ValueError):\n    put(0)', 2],
    ['assert total', 1],
    ['assert total is not None', 1],
    ['assert True', 0],
    ['assert total == 3 or True', 0],
    ['assert 1 == 1', 0],
  ] as const)('in Python, %s: %i', (text, rank) => {
    expect(py(text).assertions.map((a) => a.rank)).toEqual([rank]);
  });

  test('comments and strings assert nothing', () => {
    expect(
      js('// assert.equal(a, 1)\n/* expect(a).toBe(1) */ const s = "assert.ok(a)"; `expect(b).toBe(2)`').assertions,
    ).toEqual([]);
    expect(py('# assert a\n"""\nassert b\n"""\n').assertions).toEqual([]);
  });
});

describe('a change of assertions', () => {
  test('of quotes, spaces, comments, order and files is none', () => {
    const before = "assert.equal(name(1), 'tea');\nassert.ok(has(1));";
    const after = '// sorted\nassert.ok( has( 1 ) );\n\nassert.equal(\n  name(1), // the name\n  "tea",\n);';
    expect(compare(before, after)).toMatchObject({ equal: 2, added: [], weakened: [], altered: [], removed: [] });
  });

  test('that takes one away is named, also where another file got one', () => {
    const found = compareAssertions(js('assert.equal(a(), 1);\nassert.equal(b(), 2);').assertions, [
      ...js('assert.equal(a(), 1);').assertions,
      ...demandsOf('b.test.mjs', 'assert.ok(true);').assertions,
    ]);
    expect(found.removed.map((a) => a.text)).toEqual(['assert . equal ( b ( ) , 2 )']);
  });

  test('that asks the same for less is weaker, for as much is another', () => {
    expect(compare('assert.equal(total(), 3)', 'assert.ok(total())').weakened).toHaveLength(1);
    expect(compare('assert.equal(total(), 3)', 'assert.strictEqual(total(), 3)')).toMatchObject({
      weakened: [],
      removed: [],
    });
    expect(compare('assert.ok(total())', 'assert.equal(total(), 3)')).toMatchObject({ weakened: [], removed: [] });
  });

  test('of any kind never finds fault with the same text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('assert.ok(a)', 'assert.equal(b, 1)', 'expect(c).toBe(2)', 'foo()', '}', '"'), {
          maxLength: 12,
        }),
        (lines) => {
          const text = lines.join('\n');
          expect(compare(text, text)).toMatchObject({ added: [], weakened: [], altered: [], removed: [] });
        },
      ),
    );
  });
});

test.each([
  ['js', 'test.only("a", () => {})', 'only'],
  ['js', 'describe.skip("a", () => {})', 'skip'],
  ['js', 'test("a", { todo: true }, () => {})', 'skip'],
  ['js', 'test("a", { skip: "later" }, () => {})', 'skip'],
  ['js', 'xit("a", () => {})', 'skip'],
  ['js', 'fit("a", () => {})', 'only'],
  ['js', 't.skip("a")', 'skip'],
  ['js', 'try { a() } catch {}', 'swallowed'],
  ['js', 'if (a) return;', 'left'],
  ['js', 'this.retries(3)', 'retried'],
  ['js', 'test("a", { retry: 3 }, () => {})', 'retried'],
  ['py', '@pytest.mark.flaky(reruns=3)\ndef test_a(): pass', 'retried'],
  ['py', '@pytest.mark.skip\ndef test_a(): pass', 'skip'],
  ['py', '@pytest.mark.xfail(reason="x")\ndef test_a(): pass', 'skip'],
  ['py', 'pytest.skip("later")', 'skip'],
  ['py', 'try:\n    a()\nexcept Exception:\n    pass', 'swallowed'],
] as const)('in %s, %s switches off', (family, text, what) => {
  expect((family === 'js' ? js : py)(text).disabled.map((d) => d.what)).toEqual([what]);
});

test.each([
  'list.only(1)',
  'test("a", { skip: false }, () => {})',
  'rows.skip(3)',
  'return a;',
  'const only = 1;',
  '// test.only("a")',
])('%s switches nothing off', (text) => {
  expect(js(text).disabled).toEqual([]);
});
