// The JSON Schema of every operation, from its own schemas.
import { z } from 'zod';
import { OPERATIONS, type OperationName } from './all.ts';

export type OperationSchema = {
  readonly kind: 'read' | 'write';
  readonly about: string;
  readonly command: string | null;
  readonly input: object;
  readonly output: object;
};

/** Loose where an answer may have more members: that is what the contract allows. */
export function schemaOf(name: OperationName): OperationSchema {
  const { kind, about, command, input, output } = OPERATIONS[name];
  return {
    kind,
    about,
    command,
    input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
    output: z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }),
  };
}

export const OPERATION_NAMES: readonly OperationName[] = Object.keys(OPERATIONS).filter((name): name is OperationName =>
  Object.hasOwn(OPERATIONS, name),
);

export const allSchemas = (): { readonly operations: { readonly [name: string]: OperationSchema } } => ({
  operations: Object.fromEntries(OPERATION_NAMES.map((name) => [name, schemaOf(name)])),
});
