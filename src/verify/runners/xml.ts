// XML of test reports as a small tree. Untrusted code writes it, so document types are refused, everything is limited, and a
// text that is not well-formed to its last tag is refused rather than read in part.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { err, ok, type Result } from '../../model/result.ts';

export type XmlNode = {
  readonly tag: string;
  readonly attributes: { readonly [name: string]: string };
  readonly children: readonly XmlNode[];
  /** Text directly in this element, CDATA included. */
  readonly text: string;
};

/** The root element; the failure is the parser's message. */
export function parseXml(text: string): Result<XmlNode, string> {
  const body = text.replace(/^\uFEFF/, '').trim();
  if (body === '') return err('the file is empty');
  if (/^(?:<\?[^>]*\?>|<!--[\s\S]*?-->|\s)*<!DOCTYPE/i.test(body)) return err('it has a document type declaration');
  try {
    const valid = XMLValidator.validate(body, { allowBooleanAttributes: false });
    if (valid !== true) return err(`${plainly(valid.err.msg)} (line ${valid.err.line})`);
    const roots = nodesOf(newParser().parse(body));
    const [root] = roots.filter((node) => node.tag !== '?xml');
    return root === undefined ? err('it has no element') : ok(root);
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

/** The validator names elements that were not closed as a list in JSON. */
function plainly(message: string): string {
  const open = /^Invalid '\[(.*)\]' found\.?$/s.exec(message)?.[1];
  return open === undefined ? message.replace(/\.$/, '') : `not closed: ${open.replaceAll(/["\s]+/g, ' ').trim()}`;
}

function newParser(): XMLParser {
  return new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    maxNestedTags: 200,
    // Without a document type only the five entities of XML and numbers remain; reports of real suites have millions of them.
    processEntities: {
      enabled: true,
      maxEntityCount: 0,
      maxEntitySize: 0,
      maxExpansionDepth: 1,
      maxTotalExpansions: 50_000_000,
      maxExpandedLength: 256 * 1024 * 1024,
    },
    htmlEntities: true,
  });
}

/** The parser's ordered form: each element is an object with ':@' and one other key, whose value is the list of its children. */
function nodesOf(list: unknown): XmlNode[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    if (!isRecord(entry)) return [];
    const tag = Object.keys(entry).find((key) => key !== ':@');
    if (tag === undefined || tag === '#text') return [];
    const inner = entry[tag];
    return [{ tag, attributes: attributesOf(entry[':@']), children: nodesOf(inner), text: textOf(inner) }];
  });
}

function attributesOf(value: unknown): { [name: string]: string } {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, v]) => [name, String(v)]));
}

function textOf(list: unknown): string {
  if (!Array.isArray(list)) return '';
  return list.map((entry: unknown) => (isRecord(entry) && '#text' in entry ? String(entry['#text']) : '')).join('');
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
