// What a tool call does, for the field names of all agents: its command, its paths, whether it edits or tests. Pure; a call
// without such fields does none of these.
import type { Json } from './json.ts';

type Call = { readonly name: string; readonly input: Json };

const EDITS = /\b(?:write|edit|create|replace|patch|delete|move|rename|notebook)/i;
/** Common test commands. Configured ones are passed in `known`. */
const TEST_COMMANDS =
  /\b(?:pytest|vitest|jest|mocha|tap|rspec|phpunit|ctest|tox|nox)\b|\b(?:go|cargo|npm|pnpm|yarn|bun|deno|mvn|gradle|dotnet|make|swift|mix)\s+(?:run\s+)?test\b|\bnode\b.*\s--test\b/i;
const PATHS = ['path', 'file_path', 'filePath', 'abs_path', 'notebook_path'];

/** True if the tool changes files, by its name. */
export const isEditing = (tool: string): boolean => EDITS.test(tool);

/** The shell line of a call; null: it runs no command. */
export function commandIn({ name, input }: Call): string | null {
  const fields = fieldsOf(input);
  const line = fields['command'] ?? fields['cmd'];
  if (typeof line === 'string' && line.trim() !== '') return line;
  if (Array.isArray(line) && line.length > 0 && line.every((word) => typeof word === 'string')) return line.join(' ');
  return name.startsWith('$ ') ? name.slice(2) : null;
}

/** The paths of a call, as it names them. */
export function pathsIn(input: Json): readonly string[] {
  const fields = fieldsOf(input);
  const listed: readonly unknown[] = Array.isArray(fields['paths']) ? fields['paths'] : [fields['paths']];
  return [...PATHS.map((key) => fields[key]), ...listed].filter(
    (path): path is string => typeof path === 'string' && path !== '',
  );
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Whether the command runs tests. `known`: the project's own test commands. */
export const runsTests = (command: string, known: readonly string[]): boolean =>
  TEST_COMMANDS.test(command) || known.some((one) => one !== '' && plain(command).includes(plain(one)));

type Fields = { readonly [key: string]: unknown };
const isMap = (input: unknown): input is Fields => typeof input === 'object' && input !== null && !Array.isArray(input);
const fieldsOf = (input: Json): Fields => (isMap(input) ? input : {});
