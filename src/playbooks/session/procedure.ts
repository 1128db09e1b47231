// A procedure as a playbook hands it over.
import type { Procedure } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Json } from '../../model/json.ts';

/** A procedure's input and output are JSON by construction; here its own types are given back to it. */
export const procedure =
  <I, O>(written: (run: Parameters<Procedure<Actions, I, O>>[0], input: I, config: Config) => Promise<O>) =>
  (config: Config): Procedure<Actions, Json, Json> =>
  async (run, input) =>
    (await written(run, input as unknown as I, config)) as unknown as Json;
