// The role of an agent: a Markdown file whose front matter is for the harness and whose body is for the agent.
import { parseDocument, LineCounter, isMap, isScalar } from 'yaml';
import { z } from 'zod';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { guardHeading } from './context.ts';

const words = z.array(z.string().min(1)).min(1);
/** What the harness looks for in what the agent leaves: one of these, parsed by the room of agents. */
const output = z.discriminatedUnion('contract', [
  z.strictObject({ contract: z.literal('markdown') }),
  z.strictObject({ contract: z.literal('sentinel'), words }),
  z.strictObject({ contract: z.literal('first-line'), words }),
  z.strictObject({ contract: z.literal('json'), schema: z.record(z.string(), z.json()) }),
  z.strictObject({ contract: z.literal('files'), files: words }),
]);
const frontMatter = z.strictObject({
  role: z.string(),
  /** exec may write, review reads only, complete has no tools. */
  mode: z.enum(['exec', 'review', 'complete']),
  /** The slot under `models:` in the configuration that names this role's model. */
  model: z.string().min(1),
  tools: z.array(z.enum(['read', 'write', 'shell', 'web'])),
  output,
});

export type OutputContract = z.infer<typeof output>;
export type Role = Readonly<z.infer<typeof frontMatter>> & {
  readonly playbook: string;
  /** The stable beginning of every prompt of this role; no white space at either end. */
  readonly prompt: string;
  /** Where it was read from. */
  readonly file: string;
};
export type RoleName = { readonly playbook: string; readonly role: string; readonly file: string };

/**
 * Reads a role. With `base` the text is a target repository's own version of that role: it may replace the prompt and
 * the model slot and give up tools; what it leaves out stays. Mode, output and further tools are what the machine
 * relies on and cannot be changed. Fails with `role-invalid`, at the line where that is known.
 */
export function parseRole(text: string, name: RoleName, base: Role | null = null): Result<Role> {
  const invalid = (detail: string, place: { line?: number; key?: string } = {}): Result<Role> =>
    err(failure('role-invalid', { ...name, detail }, { at: { file: name.file, ...place } }));

  const { head, body } = split(text);
  if (head === null && body.startsWith('---\n'))
    return invalid('its front matter has no end: a second line of --- is missing', { line: 1 });
  if (head === null && base === null) return invalid('it must begin with front matter between two lines of ---');
  const lines = new LineCounter();
  const document = parseDocument(head ?? '', { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): number => lines.linePos(offset).line + 1; // the first line is ---
  const [mistake] = document.errors;
  if (mistake) return invalid(mistake.message, { line: lineAt(mistake.pos[0]) });

  const written: unknown = document.toJS() ?? {};
  const read = frontMatter.safeParse(base && isRecord(written) ? { ...frontMatterOf(base), ...written } : written);
  if (!read.success) {
    const [first] = read.error.issues;
    const key = first?.code === 'unrecognized_keys' ? first.keys[0] : first?.path.join('.');
    const pair = isMap(document.contents)
      ? document.contents.items.find((p) => isScalar(p.key) && p.key.value === key?.split('.')[0])
      : undefined;
    const line = isScalar(pair?.key) && pair.key.range ? { line: lineAt(pair.key.range[0]) } : {};
    const details = read.error.issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': '));
    return invalid(details.join('; '), { ...line, ...(key ? { key } : {}) });
  }
  const role: Role = { ...read.data, playbook: name.playbook, prompt: body || (base?.prompt ?? ''), file: name.file };
  const wrong = contradiction(role, name) ?? (base && overreach(role, base));
  return wrong ? invalid(wrong.detail, { key: wrong.key }) : ok(role);
}

type Wrong = { readonly key: string; readonly detail: string };

function contradiction(role: Role, name: RoleName): Wrong | null {
  if (role.role !== name.role) return { key: 'role', detail: `it says it is the role ${role.role}` };
  if (role.mode === 'complete' && role.tools.length > 0)
    return { key: 'tools', detail: 'a role of mode complete has no tools' };
  if (role.mode === 'review' && role.tools.includes('write'))
    return { key: 'tools', detail: 'a role of mode review does not write' };
  if (role.prompt === '') return { key: 'body', detail: 'there is no text after the front matter' };
  if (guardHeading(role.prompt) !== role.prompt)
    return { key: 'body', detail: 'a line reads like the heading "Runtime context", which only the harness writes' };
  return null;
}

function overreach(role: Role, base: Role): Wrong | null {
  if (role.mode !== base.mode) return { key: 'mode', detail: `the mode of this role is ${base.mode}` };
  if (JSON.stringify(role.output) !== JSON.stringify(base.output))
    return { key: 'output', detail: `the output of this role is ${JSON.stringify(base.output)}` };
  const added = role.tools.filter((tool) => !base.tools.includes(tool));
  if (added.length > 0) return { key: 'tools', detail: `this role cannot be given ${added.join(', ')}` };
  return null;
}

/** Line ends are made one kind, so that the stable beginning has the same bytes on every checkout. */
function split(text: string): { readonly head: string | null; readonly body: string } {
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const match = /^---\n(?:([\s\S]*?)\n)?---(?:\n|$)/.exec(plain);
  return match
    ? { head: match[1] ?? '', body: plain.slice(match[0].length).trim() }
    : { head: null, body: plain.trim() };
}

const frontMatterOf = ({ role, mode, model, tools, output }: Role) => ({ role, mode, model, tools, output });

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
