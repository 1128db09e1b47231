// Writes the reference of all operations in docs/operations.md from their table: node scripts/operations-reference.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { OPERATION_NAMES, schemaOf, type OperationSchema } from '../src/app/operations/schemas.ts';

const PAGE = 'docs/operations.md';
const START = '<!-- operations: written by scripts/operations-reference.ts -->';
const END = '<!-- end of operations -->';

/** The page with the reference of the table in it. */
export function withOperations(page: string): string {
  const [before = '', rest = ''] = page.split(START);
  const after = rest.split(END)[1] ?? '';
  return `${before}${START}\n\n${reference()}\n${END}${after}`;
}

const reference = (): string => OPERATION_NAMES.map((name) => section(name, schemaOf(name))).join('\n');

function section(name: string, { kind, about, command, input, output }: OperationSchema): string {
  const method = kind === 'read' ? 'GET' : 'POST';
  const takes = membersOf(input);
  const line = command === null ? '' : ` · \`harness ${command} --json\``;
  return [
    `### ${name}`,
    '',
    `${about} \`${method} /api/v1/${name}\`${line}`,
    '',
    ...(takes.length === 0 ? [] : [`Takes: ${takes.join(' · ')}`, '']),
    `Answers: ${membersOf(output).join(' · ')}`,
    '',
  ].join('\n');
}

type Schema = { readonly [key: string]: unknown };
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const schemasIn = (value: unknown): readonly (readonly [string, Schema])[] =>
  isSchema(value) ? Object.entries(value).filter((one): one is [string, Schema] => isSchema(one[1])) : [];

function membersOf(schema: object): readonly string[] {
  const { required: names, properties } = z.looseObject({}).parse(schema);
  const required = new Set(Array.isArray(names) ? names : []);
  return schemasIn(properties).map(([name, member]) => {
    const about = typeof member['description'] === 'string' ? ` (${member['description']})` : '';
    return `\`${name}${required.has(name) ? '' : '?'}: ${typeOf(member)}\`${about}`;
  });
}

function typeOf(schema: Schema): string {
  const choices = schema['anyOf'];
  if (Array.isArray(choices)) return choices.filter(isSchema).map(typeOf).join(' or ');
  if (Array.isArray(schema['enum'])) return schema['enum'].map((one) => JSON.stringify(one)).join(' or ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (schema['type'] === 'array') return `list of ${isSchema(schema['items']) ? typeOf(schema['items']) : 'values'}`;
  if (schema['type'] === 'object') {
    const names = schemasIn(schema['properties']).map(([name]) => name);
    return names.length === 0 ? 'object' : `{ ${names.join(', ')} }`;
  }
  return typeof schema['type'] === 'string' ? schema['type'] : 'value';
}

if (import.meta.main) writeFileSync(PAGE, withOperations(readFileSync(PAGE, 'utf8')));
