// Parses a configuration file into a plain value with the position of each key. YAML 1.2, which includes JSON. Limits the size
// of the result: aliases, depth, tags, keys that are not text.
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Document, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { failure, type Failure, type Params } from '../../model/failure.ts';
import type { Position } from '../../model/json-text.ts';
import { syntaxFault } from '../../model/json-syntax.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Path } from './mistake.ts';
import { snakeCase } from './written.ts';

export type ConfigTree = {
  readonly value: unknown;
  /** The position of a path's key or value, or of its nearest existing parent. Accepts both spellings. */
  place(path: Path, point: 'key' | 'value'): Position;
};

const MAX_DEPTH = 32;
/** The maximum number of values, aliases expanded. */
const MAX_VALUES = 20_000;
/** Resolving an alias searches the whole file, so each costs as much as this many values: at most a hundred are allowed. */
const VALUES_PER_ALIAS = 200;

/** Fails with `config-syntax` at the first syntax error. */
export function readTree(file: string, text: string): Result<ConfigTree> {
  const lines = new LineCounter();
  const syntax = (problem: string, offset: number, detail = ''): Failure => {
    const { line, col } = lines.linePos(offset);
    const params: Params = { problem, detail };
    return failure('config-syntax', params, { at: { file, line: Math.max(1, line), column: Math.max(1, col) } });
  };
  let doc: Document.Parsed;
  try {
    doc = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true, uniqueKeys: false });
  } catch {
    return err(syntax('too-deep', 0)); // the parser's recursion overflowed
  }
  const [first] = [...doc.errors, ...doc.warnings];
  if (first !== undefined) {
    // YAML messages do not help with a JSON file.
    const fault = file.endsWith('.json') ? syntaxFault(text) : null;
    if (fault !== null) return err(syntax(fault.mistake, fault.offset));
    const problem = problemOf(first.code);
    return err(syntax(problem, first.pos[0], CLEAR.has(problem) ? '' : first.message));
  }

  let values = 0;
  let broken: Failure | null = null;
  // `through`: the position of the outermost alias being followed, which the user can fix.
  const plain = (node: Node | null, depth: number, through: number | null): unknown => {
    if (broken !== null || node === null) return null;
    const from = through ?? node.range?.[0] ?? 0;
    values += isAlias(node) ? VALUES_PER_ALIAS : 1;
    if (depth > MAX_DEPTH || values > MAX_VALUES) {
      broken = syntax(depth > MAX_DEPTH ? 'too-deep' : 'too-many-values', from);
      return null;
    }
    if (isAlias(node)) {
      const target = node.resolve(doc);
      if (target === undefined) broken = syntax('anchor-unknown', from, node.source);
      return plain(target ?? null, depth + 1, from);
    }
    if (isMap<Scalar, Node | null>(node)) {
      const map: Record<string, unknown> = {};
      for (const { key, value } of node.items) {
        const name = String(key.value);
        if (Object.hasOwn(map, name)) broken ??= syntax('key-twice', key.range?.[0] ?? from, name);
        const item = plain(value, depth + 1, through);
        // Defined, not assigned: __proto__ is a normal key here.
        Object.defineProperty(map, name, { value: item, enumerable: true, configurable: true, writable: true });
      }
      return map;
    }
    if (isSeq<Node | null>(node)) return node.items.map((item) => plain(item, depth + 1, through));
    if (isScalar(node) && (node.value === null || typeof node.value !== 'object')) return node.value;
    broken = syntax('tag-unknown', from);
    return null;
  };
  const value = plain(doc.contents, 0, null);
  if (broken !== null) return err(broken);
  return ok({ value, place: (path, point) => placeIn(doc, lines, path, point) });
}

function placeIn(doc: Document.Parsed, lines: LineCounter, path: Path, point: 'key' | 'value'): Position {
  let node: Node | null = doc.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const [depth, name] of path.entries()) {
    const here: Node | null = isAlias(node) ? (node.resolve(doc) ?? null) : node;
    if (isSeq<Node | null>(here)) node = here.items[Number(name)] ?? null;
    else {
      const pair = isMap<Scalar, Node | null>(here) ? pairOf(here, String(name)) : undefined;
      if (pair === undefined) break; // an unknown key: the position of its nearest parent
      node = pair.value;
      offset = pair.key.range?.[0] ?? offset;
      if (depth < path.length - 1 || point === 'key') continue;
    }
    offset = node?.range?.[0] ?? offset;
  }
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

const pairOf = (map: YAMLMap<Scalar, Node | null>, name: string): Pair<Scalar, Node | null> | undefined =>
  map.items.find(({ key }) => String(key.value) === name) ??
  map.items.find(({ key }) => snakeCase(String(key.value)) === name);

/** Problems for which the parser's message adds nothing. */
const CLEAR: ReadonlySet<string> = new Set(['tab-indent', 'bad-indent', 'several-documents', 'key-not-text']);

/** Our codes for the parser's; rare ones share one. */
function problemOf(code: string): string {
  const codes: { readonly [code: string]: string } = {
    TAB_AS_INDENT: 'tab-indent',
    BAD_INDENT: 'bad-indent',
    MULTIPLE_DOCS: 'several-documents',
    NON_STRING_KEY: 'key-not-text',
    TAG_RESOLVE_FAILED: 'tag-unknown',
    MISSING_CHAR: 'character-missing',
    UNEXPECTED_TOKEN: 'unexpected-character',
    BAD_ALIAS: 'bad-anchor',
  };
  return codes[code] ?? 'not-yaml';
}
