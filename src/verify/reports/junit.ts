// Any JUnit XML, and what the dialects of node:test and pytest share with it.
// Suites are the titles of nested <testsuite> elements, then the class name where it says more.
import type { TestReport, TestStatus } from '../../model/report.ts';
import { ok, type Result } from '../../model/result.ts';
import { relativeTo, unreadable, withIds, type RawCase } from './cases.ts';
import type { Adapter } from './port.ts';
import { withReport } from './shell.ts';
import { parseXml, type XmlNode } from './xml.ts';

/** A <testcase> with the suites around it, outermost first. */
export type Found = { readonly node: XmlNode; readonly suites: readonly XmlNode[] };

export const junit: Adapter = {
  runner: 'junit',
  extension: 'xml',
  instrument(command, reportPath) {
    const replaced = withReport(command, reportPath);
    return replaced === null ? null : { command: replaced, env: {}, from: 'file' };
  },
  parse: (text, root) => parseJunit('junit', text, (found) => generic(found, root), countDefects),
};

/** Reads a report with a dialect's own way to see a case; a case that is `null` is no test. */
export function parseJunit(
  runner: string,
  text: string,
  read: (found: Found) => RawCase | null,
  defectsOf: (root: XmlNode, found: readonly Found[], text: string) => readonly string[],
  finish: (cases: readonly RawCase[]) => readonly RawCase[] = (cases) => cases,
): Result<TestReport> {
  const xml = parseXml(text);
  if (!xml.ok) return unreadable(runner, xml.failure);
  const root = xml.value;
  if (root.tag !== 'testsuites' && root.tag !== 'testsuite') return unreadable(runner, `its root is <${root.tag}>`);
  const found: Found[] = [];
  collect(root, root.tag === 'testsuite' ? [root] : [], found);
  const cases = found.map(read).filter((c) => c !== null);
  return ok({ cases: withIds(runner, finish(cases)), defects: defectsOf(root, found, text) });
}

function collect(node: XmlNode, suites: readonly XmlNode[], into: Found[]): void {
  for (const child of node.children) {
    if (child.tag === 'testcase') into.push({ node: child, suites });
    if (child.tag === 'testsuite') collect(child, [...suites, child], into);
  }
}

function generic({ node, suites }: Found, root: string): RawCase {
  const file = node.attributes['file'] ?? suites.findLast((s) => s.attributes['file'])?.attributes['file'] ?? '';
  const titles = suites.map((s) => s.attributes['name'] ?? '').filter((t) => t !== '');
  const className = node.attributes['classname'] ?? '';
  return {
    file: relativeTo(root, file),
    suite: className === '' || className === titles.at(-1) ? titles : [...titles, className],
    name: node.attributes['name'] ?? '',
    status: statusOf(node),
    ms: msOf(node),
    message: messageOf(node),
  };
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

/** A suite that counts failures but shows none hides one: a broken set-up, a crashed worker. */
function countDefects(root: XmlNode): string[] {
  const defects: string[] = [];
  const visit = (node: XmlNode): number => {
    let failing = node.children.filter((c) => c.tag === 'testcase' && statusOf(c) === 'failed').length;
    for (const child of node.children) if (child.tag === 'testsuite') failing += visit(child);
    const counted = count(node, 'failures') + count(node, 'errors');
    if (counted > 0 && failing === 0)
      defects.push(`${node.attributes['name'] || node.tag}: ${counted} counted failures are in no case`);
    return failing;
  };
  visit(root);
  return defects;
}

const count = (node: XmlNode, name: string): number => {
  const value = Number(node.attributes[name] ?? 0);
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
};
