// `harness schema`: the JSON Schema of what commands answer with --json, over HTTP and to agents.
import { allSchemas, OPERATION_NAMES, schemaOf } from '../../app/operations/schemas.ts';
import { failure } from '../../model/failure.ts';
import { toJson } from '../../model/json.ts';
import { err, ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';

export const schema: CommandSpec = {
  name: 'schema',
  args: '[operation]',
  options: [],
  examples: ['harness schema', 'harness schema status'],
  run({ args }) {
    const [word] = args;
    const name = OPERATION_NAMES.find((one) => one === word);
    if (word !== undefined && name === undefined) {
      const what = `'${word}' is not one of ${OPERATION_NAMES.join(', ')}`;
      return Promise.resolve(err(failure('usage', { what, hint: 'harness schema' })));
    }
    const shown = name === undefined ? allSchemas() : { [name]: schemaOf(name) };
    return Promise.resolve(ok({ exit: 0, json: { schemas: toJson(shown) }, lines: [JSON.stringify(shown, null, 2)] }));
  },
};
