// Reads JUnit XML of any producer.
import { relativeTo, type RawCase } from '../cases.ts';
import { messageOf, msOf, parseJunit, statusOf, type JunitCase } from '../junit-xml.ts';
import type { ReportReader } from '../runner.ts';
import type { XmlNode } from '../xml.ts';

export const parse: ReportReader['parse'] = (text, root) =>
  parseJunit('junit', text, (found) => read(found, root), countDefects);

function read({ node, suites }: JunitCase, root: string): RawCase {
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
