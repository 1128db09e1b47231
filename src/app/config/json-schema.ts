// The configuration as JSON Schema (draft 2020-12), for editors and for `harness config schema`. Keys in snake_case.
import * as z from 'zod';
import { configSchema } from './schema.ts';

export function configJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }),
    title: 'Configuration of harness',
    description: 'Content of .harness.yaml or harness.config.json.',
  };
}
