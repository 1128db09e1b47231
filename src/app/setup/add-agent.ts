// Installs a known agent into the user's data folder, with npm. A receipt is the last file that is written: without it nothing counts.
import { mkdirSync } from 'node:fs';
import { dirname, delimiter, join } from 'node:path';
import { addedFolder, receiptFile, receiptOf, type Receipt } from '../../agents/added.ts';
import { knownAgent, KNOWN_AGENTS, type KnownAgent } from '../../agents/known.ts';
import { agentEnvironment } from '../../host/environment.ts';
import { realIo } from '../../host/io.ts';
import { runCommand } from '../../host/process.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';

export type Added = {
  readonly known: KnownAgent;
  readonly receipt: Receipt;
  readonly folder: string;
  readonly isNew: boolean;
};
export type Adding = {
  readonly known: KnownAgent;
  readonly package: string;
  readonly version: string;
  readonly folder: string;
};

/** Some programs are several hundred megabytes. */
const INSTALL_MS = 30 * 60_000;

/** `name` or `name@version`. Fails where it is not known, or cannot be installed by npm. */
export function planOf(asked: string): Result<Adding> {
  const [name = '', version] = asked.split('@');
  const known = knownAgent(name);
  if (known === null) {
    const what = `'${name}' is not an agent that is known: ${KNOWN_AGENTS.map((one) => one.name).join(', ')}`;
    return err(failure('usage', { what, hint: 'harness agents' }));
  }
  if (known.package === null) return err(failure('agent-not-addable', { program: known.name, page: known.page }));
  const folder = addedFolder(known.name);
  if (folder === null) return err(failure('agents-folder-missing'));
  return ok({ known, package: known.package.name, version: version ?? known.package.version, folder });
}

/** Repeatable: the same version again changes nothing. */
export async function addAgent(
  { known, package: name, version, folder }: Adding,
  signal: AbortSignal,
): Promise<Result<Added>> {
  const before = receiptOf(known.name);
  if (before?.version === version) return ok({ known, receipt: before, folder, isNew: false });
  const env = agentEnvironment();
  if (!env.ok) return env;
  const io = realIo();
  io.remove(receiptFile(folder), 'for-good');
  mkdirSync(folder, { recursive: true });
  // Only the package itself may run an install script; npm versions without this setting let all of them.
  const manifest = { name: `harness-agent-${known.name}`, private: true, allowScripts: { [name]: true } };
  io.replace(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const argv = ['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--save-exact', `${name}@${version}`];
  const done = await io.effect('install an agent', () =>
    runCommand({
      argv,
      cwd: folder,
      // npm runs with our Node, as the agent will: it refuses versions that are too new for the Node it runs with.
      env: { ...env.value, PATH: [dirname(process.execPath), env.value['PATH'] ?? ''].join(delimiter) },
      token: `${folder}#add`,
      wallMs: INSTALL_MS,
      idleMs: null,
      keepBytes: 20_000,
      floodBytes: null,
      signal,
    }),
  );
  if (done.code !== 0)
    return err(
      failure('agent-not-added', {
        program: known.name,
        package: `${name}@${version}`,
        command: argv.join(' '),
        words: done.stderr.trim().split('\n').slice(-12).join('\n'),
      }),
    );
  const receipt: Receipt = { schema: 1, name: known.name, package: name, version };
  io.replace(receiptFile(folder), `${JSON.stringify(receipt)}\n`);
  return ok({ known, receipt, folder, isNew: true });
}
