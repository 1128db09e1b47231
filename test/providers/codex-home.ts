// Owns the settings of a person whose own Codex speaks to a model server of theirs: what `CODEX_HOME` holds.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const KEY = 'dummy-key-of-a-test';

/** The lines of `config.toml`. `retries`: how often a request is tried again. */
export const codexSettings = (url: string, retries = 0): readonly string[] => [
  'model = "gpt-5.5"',
  'model_provider = "ours"',
  '[model_providers.ours]',
  'name = "ours"',
  `base_url = "${url}/v1"`,
  'wire_api = "responses"',
  'env_key = "OUR_KEY"',
  'requires_openai_auth = false',
  'supports_websockets = false',
  'request_max_retries = 0',
  `stream_max_retries = ${retries}`,
];

/** `rules`: commands they have allowed for good. `retries`: how often a request is tried again. */
export function codexHome(
  folder: string,
  url: string,
  { rules = [], retries = 0 }: { rules?: readonly string[]; retries?: number } = {},
): void {
  mkdirSync(join(folder, 'rules'), { recursive: true });
  // With the first line the program by itself does not start: the setting is of older versions.
  const settings = ['approval_policy = "untrusted"', ...codexSettings(url, retries), 'stream_idle_timeout_ms = 20000'];
  writeFileSync(join(folder, 'config.toml'), `${settings.join('\n')}\n`);
  const allowed = rules.map((command) => JSON.stringify(['/bin/bash', '-c', command]));
  const lines = allowed.map((pattern) => `prefix_rule(pattern=${pattern}, decision="allow")\n`);
  writeFileSync(join(folder, 'rules', 'default.rules'), lines.join(''));
}
