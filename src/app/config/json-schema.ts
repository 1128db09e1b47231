// The configuration as JSON Schema (draft 2020-12), for editors and for `harness config schema`. Keys in snake_case.
import * as z from 'zod/mini';
import { LATER, type LaterKey } from './later.ts';
import { configSchema } from './schema.ts';

type Part = { description?: string; properties?: { [key: string]: Part | undefined } };

/** What may be written (the input side). Keys that do not act yet say so in their description. */
export function configJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(configSchema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      delete jsonSchema['allowed']; // our own word, for errors and the reference
    },
  });
  for (const row of LATER) note(schema as Part, row);
  return {
    ...schema,
    title: 'Configuration of harness',
    description: 'Content of .harness.yaml or harness.config.json.',
  };
}

function note(schema: Part, { key, otherwise, today }: LaterKey): void {
  const part = key.split('.').reduce<Part | undefined>((at, name) => at?.properties?.[name], schema);
  if (part === undefined) return;
  const but = today.length === 0 ? '' : `, but for ${today.map((value) => JSON.stringify(value)).join(', ')}`;
  part.description =
    `${part.description ?? ''} ${otherwise === 'refused' ? 'Refused' : 'Does not act'} in this version${but}.`.trim();
}
