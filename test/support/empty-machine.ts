// Tests run as on an empty machine: a home folder of their own, no git configuration of the user or the system, no XDG folders, and
// nothing of a git that started them. Every process that a test starts inherits it.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** vitest calls it once, before the first worker starts. */
export function setup(): () => void {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'harness-home-')));
  for (const name of Object.keys(process.env)) if (/^(?:XDG|GIT)_/.test(name)) delete process.env[name];
  process.env['HOME'] = home;
  process.env['GIT_CONFIG_NOSYSTEM'] = '1';
  return () => rmSync(home, { recursive: true, force: true });
}
