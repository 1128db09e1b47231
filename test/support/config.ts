// A whole configuration for tests: the defaults of the schema, with commands for everything and no box.
import { fill } from '../../src/app/config/fill.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import type { Config } from '../../src/model/config.ts';

type Parts = { readonly [S in keyof Config]?: Config[S] extends object ? Partial<Config[S]> : Config[S] };

const WRITTEN = configSchema.parse({
  project: { name: 'my-api' },
  agents: { default: { provider: 'scripted' } },
  environment: { init: './init.sh', reset: './reset.sh', healthCheck: 'curl -sf :8000', timeoutMinutes: 5 },
  testing: {
    runner: 'pytest',
    feature: 'pytest {test_file} -v',
    full: 'pytest',
    sanity: { lint: 'ruff check' },
    timeoutMinutes: 10,
  },
  progress: { stuckWarning: 'You appear stuck.' },
  session: { idleSeconds: 600, maxOutputBytes: 10_000_000, onTimeout: { messagePrefix: 'WIP: Timeout - ' } },
  sandbox: { level: 'none' },
  push: { remote: null },
});
const { config: BASE } = fill('/target', '.harness.yaml', WRITTEN, { read: () => null, has: () => false }, []);

export function configOf(parts: Parts = {}): Config {
  const whole: Record<string, unknown> = { ...BASE };
  for (const [section, part] of Object.entries(parts)) {
    const was = whole[section];
    whole[section] =
      typeof was === 'object' && was !== null && !Array.isArray(was) ? { ...was, ...(part as object) } : part;
  }
  return whole as unknown as Config;
}
