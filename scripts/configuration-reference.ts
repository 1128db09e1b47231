// Writes the table of all keys into docs/configuration.md, from the schema itself: `node scripts/configuration-reference.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { allKeys, type KeyRow } from '../src/app/config/describe.ts';
import { PLANNED_ROLES, ROLES } from '../src/app/config/schema.ts';

const BEGIN = '<!-- keys: written by scripts/configuration-reference.ts -->';
const END = '<!-- end of keys -->';

/** The document with a new table of keys. */
export function withKeys(document: string): string {
  const [before, rest] = document.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/configuration.md has lost ${BEGIN} or ${END}`);
  return `${before}${BEGIN}\n\n${sections()}\n${END}${after}`;
}

/** All keys, one entry for the keys that every role has. */
export function documentedKeys(): readonly KeyRow[] {
  const [first, ...others] = [...ROLES, ...PLANNED_ROLES];
  return allKeys()
    .filter(({ key }) => !others.some((role) => key.startsWith(`agents.roles.${role}`) || key === `models.${role}`))
    .map((row) => ({ ...row, key: row.key.replace(`.${first}`, '.<role>') }));
}

function sections(): string {
  const keys = documentedKeys();
  const alone = keys.filter(({ key, isSection }) => !key.includes('.') && (!isSection || key === 'playbook'));
  const parts = keys
    .filter(({ key, isSection }) => !key.includes('.') && isSection && key !== 'playbook')
    .map((part) => {
      const inside = keys.filter(({ key, isSection }) => key.startsWith(`${part.key}.`) && !isSection);
      const note = part.unsupported === '' ? '' : ` **${part.unsupported}**`;
      return `### ${part.key}\n\n${part.description}${note}\n\n${table(inside)}`;
    });
  return [`### Alone\n\n${table([...alone, ...keys.filter(({ key }) => key.startsWith('playbook.'))])}`, ...parts].join(
    '\n',
  );
}

function table(keys: readonly KeyRow[]): string {
  const rows = keys.map(({ key, allowed, standard, unsupported, description }) =>
    [
      code(key),
      code(allowed),
      standard === undefined ? '' : code(JSON.stringify(standard)),
      unsupported === '' ? 'acts' : unsupported,
      description,
    ]
      .map((cell) => cell.replaceAll('|', '\\|'))
      .join(' | '),
  );
  return `| key | allowed | default | today | meaning |\n|---|---|---|---|---|\n${rows.map((row) => `| ${row} |\n`).join('')}`;
}

const code = (text: string): string => `\`${text}\``;

if (import.meta.main) {
  const file = new URL('../docs/configuration.md', import.meta.url);
  writeFileSync(file, withKeys(readFileSync(file, 'utf8')));
}
