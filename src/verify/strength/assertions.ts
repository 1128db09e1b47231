// The assertions of tests with their strength, and the code that disables tests. Compared over all test files of a change together,
// so that a moved assertion does not count as removed. Pure.
import { argumentsOf, closing, familyOf, tokensOf, type Family, type Token } from './tokens.ts';

/** 3: an exact value · 2: a property of it · 1: existence · 0: nothing, it always passes */
export type Rank = 0 | 1 | 2 | 3;
export type Assertion = {
  readonly file: string;
  readonly line: number;
  /** The assertion, normalised: single spaces, no comments. */
  readonly text: string;
  /** The asserted expression. */
  readonly subject: string;
  readonly rank: Rank;
};
/**
 * `only`: other tests are skipped · `skip`: this one is · `swallowed`: failures are caught · `left`: a test may return early ·
 * `retried`: it is repeated until it passes
 */
export type Disabling = 'only' | 'skip' | 'swallowed' | 'left' | 'retried';
export type Demands = {
  readonly assertions: readonly Assertion[];
  readonly disabled: readonly {
    readonly what: Disabling;
    readonly file: string;
    readonly line: number;
    readonly word: string;
  }[];
  readonly tests: number;
};

/** Characters. A larger file is not written by hand. */
const MOST_TEXT = 1024 * 1024;
const NONE: Demands = { assertions: [], disabled: [], tests: 0 };

/** The demands of one file; none if the language is unknown. */
export function demandsOf(file: string, text: string): Demands {
  const family = familyOf(file);
  if (family === null || text.length > MOST_TEXT) return NONE;
  const tokens = tokensOf(text, family);
  return {
    assertions: family === 'js' ? jsAssertions(file, tokens) : pyAssertions(file, tokens),
    disabled: disabledIn(file, tokens, family),
    tests: testsIn(tokens, family),
  };
}

const spelled = (tokens: readonly Token[]): string =>
  tokens
    .filter((t) => t.kind !== 'line')
    .map((t) => (t.kind === 'string' ? t.text.replace(/^'((?:[^'"\\])*)'$/, '"$1"') : t.text))
    .join(' ')
    .replace(/ ?, ?(?=[)\]}])/g, ' ');

const EXACT = new Set(
  'equal equals strictEqual deepEqual deepStrictEqual same strictSame is deepequal toBe toEqual toStrictEqual toHaveLength toBeCloseTo toMatchSnapshot toMatchInlineSnapshot toHaveBeenCalledWith toHaveBeenCalledTimes toBeNull toBeUndefined eql eq isDeeply toThrowErrorMatchingInlineSnapshot not_ok looseEqual partialDeepStrictEqual looseDeepEqual assertEqual assertEquals assertListEqual assertDictEqual assertIs assertIsNone assertCountEqual assertAlmostEqual assertFalse assertTrue'.split(
    ' ',
  ),
);
const SOME = new Set(
  'match throws rejects toMatch toContain toContainEqual toMatchObject toHaveProperty toThrow toThrowError toBeGreaterThan toBeLessThan toBeGreaterThanOrEqual toBeLessThanOrEqual include includes contains lengthOf property isAbove isBelow toHaveBeenCalled toHaveBeenCalledOnce has doesNotMatch assertIn assertNotIn assertRaises assertRaisesRegex assertGreater assertLess assertRegex raises warns'.split(
    ' ',
  ),
);
const LITTLE = new Set(
  'ok notOk true false truthy falsy notEqual notStrictEqual notDeepEqual notDeepStrictEqual doesNotThrow doesNotReject toBeTruthy toBeFalsy toBeDefined toBeInstanceOf isOk exists isDefined ifError ifErr pass assertIsNotNone assertNotEqual assertIsInstance isNotOk instanceOf not notThrows fail'.split(
    ' ',
  ),
);
const OWNERS = new Set(['assert', 't', 'tap', 'chai', 'strict', 'test', 'expect', 'a', 'assertions', 'tst', 'self']);
/** Assertions that tests import as plain functions. */
const BARE = new Set([
  'equal',
  'strictEqual',
  'deepEqual',
  'deepStrictEqual',
  'throws',
  'rejects',
  'match',
  'doesNotThrow',
  'notEqual',
  'ok',
]);

function rankOf(name: string, isNot: boolean, subjects: readonly (readonly Token[])[]): Rank {
  if (subjects.length > 0 && subjects.every(isConstant)) return 0;
  if (subjects.some((s) => alwaysHolds(s))) return 0;
  if (name === 'ok' || name === 'true' || name === 'assert' || name === 'false') return ofCondition(subjects[0] ?? []);
  const rank: Rank = EXACT.has(name) ? 3 : SOME.has(name) ? 2 : 1;
  return isNot && rank === 3 ? 1 : rank;
}

/** The rank of a bare condition. */
function ofCondition(tokens: readonly Token[]): Rank {
  const marks = new Set(tokens.filter((t) => t.kind === 'mark').map((t) => t.text));
  if (marks.has('===') || marks.has('==')) return 3;
  const words = new Set(tokens.filter((t) => t.kind === 'word').map((t) => t.text));
  if (words.has('is') && words.has('not')) return 1;
  if (words.has('is')) return 3;
  if (['<', '>', '<=', '>=', '!=', '!=='].some((m) => marks.has(m)) || words.has('in')) return 2;
  return words.has('includes') || words.has('startsWith') || words.has('test') ? 2 : 1;
}

const CONSTANT_WORDS = new Set([
  'true',
  'false',
  'null',
  'undefined',
  'True',
  'False',
  'None',
  'not',
  'is',
  'or',
  'and',
]);
const isConstant = (tokens: readonly Token[]): boolean =>
  tokens.length > 0 &&
  tokens.every(
    (t) =>
      t.kind === 'number' ||
      (t.kind === 'string' && !t.text.includes('${')) ||
      (t.kind === 'word' && CONSTANT_WORDS.has(t.text)) ||
      (t.kind === 'mark' && /^[-+!=<>()[\]{},:]+$/.test(t.text)),
  );
/** `… || true`, `… or True` */
const alwaysHolds = (tokens: readonly Token[]): boolean => {
  const [before, last] = tokens.slice(-2);
  return (before?.text === '||' && last?.text === 'true') || (before?.text === 'or' && last?.text === 'True');
};

function jsAssertions(file: string, all: readonly Token[]): Assertion[] {
  const found: Assertion[] = [];
  const tokens = all.filter((t) => t.kind !== 'line');
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    const next = tokens[i + 1]?.text;
    if (
      token === undefined ||
      token.kind !== 'word' ||
      tokens[i - 1]?.text === '.' ||
      tokens[i - 1]?.text === 'function'
    )
      continue;
    if (token.text === 'expect' && next === '(') {
      const one = expectation(file, tokens, i);
      if (one !== null) found.push(one);
      continue;
    }
    const path = pathAt(tokens, i);
    const name = path.names.at(-1) ?? '';
    if (tokens[path.end]?.text !== '(') continue;
    const isOwned =
      path.names.length > 1 && OWNERS.has(token.text) && (EXACT.has(name) || SOME.has(name) || LITTLE.has(name));
    const isBare = path.names.length === 1 && (BARE.has(name) || name === 'assert');
    if (!isOwned && !isBare) continue;
    const close = closing(tokens, path.end);
    const parts = argumentsOf(tokens, path.end, close);
    const weighed = ['ok', 'assert', 'true', 'false', 'notOk'].includes(name) ? parts.slice(0, 1) : parts.slice(0, 2);
    found.push({
      file,
      line: token.line,
      text: spelled(tokens.slice(i, close + 1)),
      subject: spelled(parts[0] ?? []),
      rank: rankOf(name, false, weighed),
    });
  }
  return found;
}

function pathAt(tokens: readonly Token[], at: number): { readonly names: readonly string[]; readonly end: number } {
  const names = [tokens[at]?.text ?? ''];
  let end = at + 1;
  while (tokens[end]?.text === '.' && tokens[end + 1]?.kind === 'word') {
    names.push(tokens[end + 1]?.text ?? '');
    end += 2;
  }
  return { names, end };
}

/** `expect(subject).not.matcher(value)`, or chai's chains. */
function expectation(file: string, tokens: readonly Token[], at: number): Assertion | null {
  const close = closing(tokens, at + 1);
  const subject = argumentsOf(tokens, at + 1, close)[0] ?? [];
  let end = close;
  let name = '';
  let isNot = false;
  let value: readonly Token[] = [];
  while (tokens[end + 1]?.text === '.' && tokens[end + 2]?.kind === 'word') {
    name = tokens[end + 2]?.text ?? '';
    isNot ||= name === 'not';
    end += 2;
    if (tokens[end + 1]?.text !== '(') continue;
    const shut = closing(tokens, end + 1);
    value = argumentsOf(tokens, end + 1, shut)[0] ?? value;
    end = shut;
  }
  if (name === '') return null;
  const rank = rankOf(name, isNot, value.length === 0 ? [subject] : [subject, value]);
  return {
    file,
    line: tokens[at]?.line ?? 0,
    text: spelled(tokens.slice(at, end + 1)),
    subject: spelled(subject),
    rank,
  };
}

function pyAssertions(file: string, tokens: readonly Token[]): Assertion[] {
  const found: Assertion[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token?.kind !== 'word') continue;
    if (token.text === 'assert') {
      const statement = tokens.slice(i + 1, statementEnd(tokens, i));
      const [condition = [], ..._message] = argumentsOf([token, ...statement, token], 0, statement.length + 1);
      const [subject = condition] = cutAt(condition, /^(?:==|!=|<|>|<=|>=|is|in)$/);
      const rank = rankOf('assert', false, [condition]);
      found.push({ file, line: token.line, text: `assert ${spelled(condition)}`, subject: spelled(subject), rank });
    } else if (/^assert[A-Z]/.test(token.text) || (token.text === 'raises' && tokens[i - 1]?.text === '.')) {
      if (tokens[i + 1]?.text !== '(') continue;
      const close = closing(tokens, i + 1);
      const parts = argumentsOf(tokens, i + 1, close);
      const rank = rankOf(token.text, false, parts.slice(0, /^assert(?:True|False)$/.test(token.text) ? 1 : 2));
      const isTruth = /^assert(?:True|False)$/.test(token.text);
      const text = spelled(tokens.slice(i, close + 1));
      found.push({
        file,
        line: token.line,
        text: text,
        subject: spelled(parts[0] ?? []),
        rank: isTruth && rank > 0 ? ofCondition(parts[0] ?? []) : rank,
      });
    }
  }
  return found;
}

function statementEnd(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    const { kind, text } = tokens[i] ?? { kind: 'line', text: '' };
    if (kind === 'mark' && /^[([{]$/.test(text)) depth++;
    if (kind === 'mark' && /^[)\]}]$/.test(text)) depth--;
    if (depth <= 0 && (kind === 'line' || (kind === 'mark' && text === ';'))) return i;
  }
  return tokens.length;
}

function cutAt(tokens: readonly Token[], mark: RegExp): readonly (readonly Token[])[] {
  const at = tokens.findIndex((t) => t.kind !== 'string' && mark.test(t.text));
  return at < 0 ? [tokens] : [tokens.slice(0, at), tokens.slice(at + 1)];
}

const RUNS = new Set(['test', 'it', 'describe', 'suite', 'context', 't', 'ctx', 'bench', 'specify', 'tap']);

function disabledIn(file: string, all: readonly Token[], family: Family): Demands['disabled'] {
  const tokens = all.filter((t) => t.kind !== 'line');
  return tokens.flatMap((token, i): Demands['disabled'] => {
    if (token.kind !== 'word') return [];
    const [before, owner, next] = [tokens[i - 1]?.text, tokens[i - 2]?.text ?? '', tokens[i + 1]?.text];
    const as = (what: Disabling) => [
      { what, file, line: token.line, word: before === '.' ? `${owner}.${token.text}` : token.text },
    ];
    if (family === 'py') {
      if (
        before === '.' &&
        ((owner === 'mark' && /^(?:skip|xfail)$/.test(token.text)) ||
          (/^(?:pytest|unittest)$/.test(owner) && /^(?:skip|xfail|expectedFailure)$/.test(token.text)))
      )
        return as('skip');
      if (before === '.' && token.text === 'skipTest') return as('skip');
      if (before === '.' && owner === 'mark' && /^(?:flaky|retry)$/.test(token.text)) return as('retried');
      if (token.text === 'except') return as('swallowed');
      return token.text === 'return' && all[all.indexOf(token) + 1]?.kind === 'line' ? as('left') : [];
    }
    if (before === '.' && RUNS.has(owner)) {
      if (token.text === 'only') return as('only');
      if (/^(?:skip|todo|fails|failing)$/.test(token.text)) return as('skip');
    }
    if (before === '.' && owner === 'this' && token.text === 'skip') return as('skip');
    if (before !== '.' && next === '(' && /^(?:fit|fdescribe)$/.test(token.text)) return as('only');
    if (before !== '.' && next === '(' && /^(?:xit|xtest|xdescribe|xcontext|xspecify)$/.test(token.text))
      return as('skip');
    if (next === ':' && /^(?:only|skip|todo)$/.test(token.text) && /^[{,]$/.test(before ?? '')) {
      const value = tokens[i + 2];
      const isOn = value?.text === 'true' || (value?.kind === 'string' && value.text.length > 2);
      return isOn ? as(token.text === 'only' ? 'only' : 'skip') : [];
    }
    if (token.text === 'retryTimes' || (/^(?:retry|retries)$/.test(token.text) && (next === ':' || before === '.')))
      return as('retried');
    if (token.text === 'catch') return as('swallowed');
    return token.text === 'return' && (next === ';' || next === '}') ? as('left') : [];
  });
}

function testsIn(all: readonly Token[], family: Family): number {
  const tokens = all.filter((t) => t.kind !== 'line');
  return tokens.filter((t, i) =>
    family === 'py'
      ? t.text === 'def' && tokens[i + 1]?.text.startsWith('test') === true
      : (t.text === 'test' || t.text === 'it') &&
        tokens[i - 1]?.text !== '.' &&
        /^[(.]$/.test(tokens[i + 1]?.text ?? ''),
  ).length;
}

/** Changes of assertions. Those that only moved or were reformatted count in `equal`. */
export type AssertionChanges = {
  readonly equal: number;
  readonly added: readonly Assertion[];
  /** Asserts less than before about the same subject. */
  readonly weakened: readonly { readonly from: Assertion; readonly to: Assertion }[];
  /** Another value of the same rank. */
  readonly altered: readonly { readonly from: Assertion; readonly to: Assertion }[];
  readonly removed: readonly Assertion[];
};

/** Compares the assertions before and after a change. */
export function compareAssertions(before: readonly Assertion[], after: readonly Assertion[]): AssertionChanges {
  const left = new Map<string, Assertion[]>();
  for (const one of after) left.set(one.text, [...(left.get(one.text) ?? []), one]);
  const gone: Assertion[] = [];
  let equal = 0;
  for (const one of before) {
    const same = left.get(one.text);
    if (same !== undefined && same.length > 0) {
      same.shift();
      equal++;
    } else gone.push(one);
  }
  const rest = [...left.values()].flat();
  const take = (fits: (a: Assertion) => boolean): Assertion | null => {
    const at = rest.findIndex(fits);
    return at < 0 ? null : (rest.splice(at, 1)[0] ?? null);
  };
  const weakened: { from: Assertion; to: Assertion }[] = [];
  const altered: { from: Assertion; to: Assertion }[] = [];
  const removed: Assertion[] = [];
  // The same subject first, else one of the same rank in the same file: a renamed variable renames its subject.
  const pairs = gone.map((from) => ({
    from,
    to: take((a) => a.subject === from.subject && a.rank >= from.rank) ?? take((a) => a.subject === from.subject),
  }));
  for (const { from, to: known } of pairs) {
    const to = known ?? take((a) => a.file === from.file && a.rank >= from.rank) ?? take((a) => a.file === from.file);
    if (to === null) removed.push(from);
    else if (to.rank < from.rank) weakened.push({ from, to });
    else altered.push({ from, to });
  }
  return { equal, added: rest, weakened, altered, removed: removed.filter((one) => one.rank > 0) };
}
