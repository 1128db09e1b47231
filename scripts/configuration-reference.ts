// Writes the table of all keys into docs/configuration.md, from the schema itself: `node scripts/configuration-reference.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { LATER, type LaterKey } from '../src/app/config/later.ts';
import { ALL_ROLES } from '../src/app/config/roles.ts';
import { configSchema } from '../src/app/config/schema.ts';
import { allKeys, type KeyShape } from '../src/app/config/shape.ts';

const BEGIN = '<!-- keys: written by scripts/configuration-reference.ts -->';
const END = '<!-- end of keys -->';

/** The document with its table of keys made anew. */
export function withKeys(document: string): string {
  const [before, rest] = document.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/configuration.md has lost ${BEGIN} or ${END}`);
  return `${before}${BEGIN}\n\n${sections()}\n${END}${after}`;
}

/** All keys, one entry for the keys that every role has. */
export function documentedKeys(): readonly KeyShape[] {
  const [first, ...others] = ALL_ROLES;
  return allKeys(configSchema)
    .filter(({ key }) => !others.some((role) => key.startsWith(`agents.roles.${role}`) || key === `models.${role}`))
    .map((shape) => ({ ...shape, key: shape.key.replace(`.${first}`, '.<role>') }));
}

function sections(): string {
  const keys = documentedKeys();
  const alone = keys.filter(({ key, isSection }) => !key.includes('.') && (!isSection || key === 'playbook'));
  const parts = keys
    .filter(({ key, isSection }) => !key.includes('.') && isSection && key !== 'playbook')
    .map((part) => {
      const inside = keys.filter(({ key, isSection }) => key.startsWith(`${part.key}.`) && !isSection);
      return `### ${part.key}\n\n${part.describe}${effectOf(part.key) === 'acts' ? '' : ` **${words(effectOf(part.key))}.**`}\n\n${table(inside)}`;
    });
  return [`### Alone\n\n${table([...alone, ...keys.filter(({ key }) => key.startsWith('playbook.'))])}`, ...parts].join(
    '\n',
  );
}

function table(keys: readonly KeyShape[]): string {
  const rows = keys.map(({ key, allowed, standard, describe }) =>
    [
      `\`${key}\``,
      code(allowed),
      standard === undefined ? '' : code(JSON.stringify(standard)),
      words(effectOf(key)),
      describe,
    ]
      .map((cell) => cell.replaceAll('|', '\\|'))
      .join(' | '),
  );
  return `| key | allowed | default | today | meaning |\n|---|---|---|---|---|\n${rows.map((row) => `| ${row} |\n`).join('')}`;
}

const code = (text: string): string => `\`${text}\``;

function effectOf(key: string): LaterKey | 'acts' {
  return LATER.find((row) => key === row.key || key.startsWith(`${row.key}.`)) ?? 'acts';
}

function words(effect: LaterKey | 'acts'): string {
  if (effect === 'acts') return 'acts';
  const but =
    effect.today.length === 0 ? '' : ` (but for ${effect.today.map((one) => code(JSON.stringify(one))).join(', ')})`;
  return `${effect.otherwise === 'refused' ? 'refused' : 'accepted, does not act yet'}${but}`;
}

if (import.meta.main) {
  const file = new URL('../docs/configuration.md', import.meta.url);
  writeFileSync(file, withKeys(readFileSync(file, 'utf8')));
}
