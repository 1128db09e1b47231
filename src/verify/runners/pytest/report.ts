// Reads the JUnit report of pytest, best of the first family, the one that names files.
import { fold, idOf, relativeTo, UNLOADED, type RawCase } from '../cases.ts';
import { messageOf, msOf, parseJunit, statusOf, type JunitCase } from '../junit-xml.ts';
import type { ReportReader } from '../runner.ts';
import type { XmlNode } from '../xml.ts';

export const parse: ReportReader['parse'] = (text, root) =>
  parseJunit(
    'pytest',
    text,
    (found) => read(found, root),
    (_xml, found) =>
      found.filter(({ node }) => isCollection(node)).map(({ node }) => `${fileOf(node, root)}: ${UNLOADED}`),
    worstOfEach,
  );

/** A file that cannot be collected is a case without a class. */
const isCollection = (node: XmlNode): boolean =>
  (node.attributes['classname'] ?? '') === '' && statusOf(node) !== 'passed';

function read({ node }: JunitCase, root: string): RawCase | null {
  const file = fileOf(node, root);
  const base = { file, ms: msOf(node), message: messageOf(node) };
  if (isCollection(node)) return { ...base, suite: [], name: UNLOADED, status: statusOf(node) };
  return { ...base, suite: classesOf(node, file), name: node.attributes['name'] ?? '', status: statusOf(node) };
}

function fileOf(node: XmlNode, root: string): string {
  const file = node.attributes['file'];
  if (file !== undefined) return relativeTo(root, file);
  // The second family names no file: the class name starts with the module.
  const modules = (node.attributes['classname'] || node.attributes['name'] || '').split('.');
  const classes = modules.findIndex((part) => /^[A-Z]/.test(part));
  const path = (classes < 0 ? modules : modules.slice(0, classes)).join('/');
  return path === '' ? '' : `${path}.py`;
}

/** `tests.test_a.TestC.TestInner` in `tests/test_a.py` is TestC > TestInner. */
function classesOf(node: XmlNode, file: string): string[] {
  const name = node.attributes['classname'] ?? '';
  const module = file.replace(/\.py$/, '').replaceAll('/', '.');
  if (name === module) return [];
  return name.startsWith(`${module}.`) ? name.slice(module.length + 1).split('.') : [name];
}

/** A test whose clean-up fails as well is written twice. Titles never repeat in pytest, so the worst status counts. */
function worstOfEach(cases: readonly RawCase[]): RawCase[] {
  const rank = { failed: 2, passed: 1, skipped: 0 } as const;
  const worst = new Map<string, RawCase>();
  for (const c of cases) {
    const key = idOf('', fold(c.file), c.suite, c.name);
    const known = worst.get(key);
    if (known === undefined || rank[c.status] > rank[known.status]) worst.set(key, c);
  }
  return [...worst.values()];
}
