// Owns a repository whose agent is the real Codex: the program called as a person would, the model on 127.0.0.1, and what an honest
// agent asks of its tools.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { codexHome, KEY } from './codex-home.ts';
import {
  added,
  fakeOpenAI,
  patch,
  patchOf,
  run,
  type FakeOpenAI,
  type Part,
  type Script,
  type Step,
} from './fake-openai.ts';
import { realPlace, SDK_FOLDER, testOf, type Place } from './harness-lab.ts';

export type CodexPlace = Place<FakeOpenAI> & { readonly home: string };
/** `fallback`: the substitute. */
export async function codexPlace(
  script: Script,
  env: { readonly [name: string]: string } = {},
  fallback: readonly object[] = [],
): Promise<CodexPlace> {
  const fake = await fakeOpenAI(script);
  onTestFinished(() => fake.close());
  const own = {
    CODEX_HOME: '${HOME}/codex',
    TMPDIR: '${HOME}/tmp',
    HARNESS_PROVIDERS_DIR: SDK_FOLDER,
    OUR_KEY: KEY,
    ...env,
  };
  const place = realPlace(fake, { provider: 'codex', env: own }, fallback);
  mkdirSync(join(place.home, 'tmp'));
  codexHome(join(place.home, 'codex'), fake.url);
  return place;
}

/** Several calls in one answer of the model. */
const calls = (...parts: readonly Part[]): Step => ({ does: 'say', parts });
const command = (cmd: string): Part => ({ type: 'call', name: 'exec_command', args: { cmd } });
const files = (...lines: readonly string[]): Part => ({ type: 'patch', patch: patchOf(lines) });

/** What an honest agent asks of its tools for a feature: read, write code and test, run it, claim it, log it. */
export function honestWork(id: number, name: string, body: string): readonly Step[] {
  const test = `tests/${name}.test.mjs`;
  return [
    calls(command(`cat ${test}`), command('cat features.json')),
    calls(
      files(...added(`src/${name}.mjs`, `export const ${name} = () => '${body}';\n`)),
      files(`*** Delete File: ${test}`),
    ),
    patch(...added(test, testOf(name, name))),
    run(`node --test ${test}`),
    calls(
      files(
        '*** Update File: features.json',
        '@@',
        `       "test_file": "${test}",`,
        '-      "passes": false',
        '+      "passes": true',
      ),
      command(`printf '\\nSESSION ${id}: wrote ${name}\\n' >> claude-progress.txt`),
    ),
  ];
}
