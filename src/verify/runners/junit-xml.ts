// JUnit XML: what the dialects of node:test and pytest share with any other.
// Suites are the titles of nested <testsuite> elements, then the class name where that adds something.
import type { TestReport, TestStatus } from '../../model/report.ts';
import { ok, type Result } from '../../model/result.ts';
import { unreadable, withIds, type RawCase } from './cases.ts';
import { parseXml, type XmlNode } from './xml.ts';

/** A <testcase> with the suites around it, outermost first. */
export type JunitCase = { readonly node: XmlNode; readonly suites: readonly XmlNode[] };

/** `read`: how the dialect writes a case; null: it is no test. Fails with `report-unreadable`. */
export function parseJunit(
  runner: string,
  text: string,
  read: (found: JunitCase) => RawCase | null,
  defectsOf: (root: XmlNode, found: readonly JunitCase[], text: string) => readonly string[],
  finish: (cases: readonly RawCase[]) => readonly RawCase[] = (cases) => cases,
): Result<TestReport> {
  const xml = parseXml(text);
  if (!xml.ok) return unreadable(runner, xml.failure);
  const root = xml.value;
  if (root.tag !== 'testsuites' && root.tag !== 'testsuite') return unreadable(runner, `its root is <${root.tag}>`);
  const found: JunitCase[] = [];
  collect(root, root.tag === 'testsuite' ? [root] : [], found);
  const cases = found.map(read).filter((c) => c !== null);
  return ok({ cases: withIds(runner, finish(cases)), defects: defectsOf(root, found, text) });
}

function collect(node: XmlNode, suites: readonly XmlNode[], into: JunitCase[]): void {
  for (const child of node.children) {
    if (child.tag === 'testcase') into.push({ node: child, suites });
    if (child.tag === 'testsuite') collect(child, [...suites, child], into);
  }
}

/** A failure outweighs a skip: a skipped test whose clean-up fails has failed. */
export function statusOf(node: XmlNode): TestStatus {
  if (childOf(node, 'failure') ?? childOf(node, 'error')) return 'failed';
  const idle = /^(?:disabled|notrun|skipped|ignored)$/i.test(node.attributes['status'] ?? '');
  return idle || childOf(node, 'skipped') !== undefined ? 'skipped' : 'passed';
}

export const msOf = (node: XmlNode): number => 1000 * Number(node.attributes['time'] ?? 0);

export function messageOf(node: XmlNode): string {
  const why = childOf(node, 'failure') ?? childOf(node, 'error') ?? childOf(node, 'skipped');
  return why === undefined ? '' : why.attributes['message'] || why.text;
}

export const childOf = (node: XmlNode, tag: string): XmlNode | undefined => node.children.find((c) => c.tag === tag);
