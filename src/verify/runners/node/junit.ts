// The JUnit report of node:test, for commands that write it themselves; before Node 22 it names no file.
import { isAbsolute } from 'node:path';
import { relativeTo, UNLOADED, type RawCase } from '../cases.ts';
import { childOf, messageOf, msOf, parseJunit, type JunitCase } from '../junit-xml.ts';
import type { ReportReader } from '../runner.ts';
import type { XmlNode } from '../xml.ts';

export const parseNodeJunit: ReportReader['parse'] = (text, root) =>
  parseJunit(
    'node',
    text,
    (found) => read(found, root),
    (xml, found, whole) => [...loadDefects(found, root), ...hiddenFailures(xml, whole)],
  );

function read({ node: xml, suites }: JunitCase, root: string): RawCase | null {
  const name = xml.attributes['name'] ?? '';
  const file = relativeTo(root, xml.attributes['file'] ?? '');
  const base = { ms: msOf(xml), message: messageOf(xml) };
  if (isFileItself(xml, suites, root)) {
    // A file without tests counts as a passed test for the runner; for us nothing was executed.
    const failed = childOf(xml, 'failure') !== undefined;
    return failed ? { ...base, file: relativeTo(root, name), suite: [], name: UNLOADED, status: 'failed' } : null;
  }
  const suite = suites.map((s) => s.attributes['name'] ?? '');
  const skipped = childOf(xml, 'skipped') !== undefined; // a failing `todo` carries both, and fails nothing
  const status = skipped ? 'skipped' : childOf(xml, 'failure') !== undefined ? 'failed' : 'passed';
  return { ...base, file, suite, name, status };
}

/** The runner reports each file as a test of the file's name when it held no test or did not end well. */
function isFileItself(xml: XmlNode, suites: readonly XmlNode[], root: string): boolean {
  const name = xml.attributes['name'] ?? '';
  if (suites.length > 0) return false;
  const file = xml.attributes['file'];
  // Before Node 22 no file is named, and this title is an absolute path.
  return file === undefined ? isAbsolute(name) : relativeTo(root, name) === relativeTo(root, file);
}

const loadDefects = (found: readonly JunitCase[], root: string): string[] =>
  found
    .filter(({ node: xml, suites }) => isFileItself(xml, suites, root) && childOf(xml, 'failure') !== undefined)
    .map(({ node: xml }) => `${relativeTo(root, xml.attributes['name'] ?? '')}: ${UNLOADED}`);

/**
 * A test that fails after its subtests passed is written as a suite, and its failure is in no case. The summary
 * at the end counts it; so do suites around a failing case, hence the allowance for these.
 */
function hiddenFailures(root: XmlNode, text: string): string[] {
  let explained = 0;
  const visit = (xml: XmlNode): boolean => {
    const own = xml.children.filter((c) => c.tag === 'testcase' && childOf(c, 'failure') !== undefined);
    const below = xml.children.filter((c) => c.tag === 'testsuite').map(visit);
    explained += own.length + (xml.tag === 'testsuite' && (own.length > 0 || below.includes(true)) ? 1 : 0);
    return own.length > 0 || below.includes(true);
  };
  visit(root);
  const summary = (word: string): number =>
    Number([...text.matchAll(new RegExp(`^\\s*<!-- ${word} (\\d+) -->$`, 'gm'))].at(-1)?.[1] ?? 0);
  const hidden = summary('fail') + summary('cancelled') - explained;
  return hidden > 0 ? [`${hidden} counted failures are in no case`] : [];
}
