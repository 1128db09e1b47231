// The scripted agent: a separate program, started as `scripted --scenario FILE [--home DIR]`. Needs no model, account or network. What it loads
// comes from Node's compile cache.
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { serveScenario } = await import('./serve.ts');
await serveScenario();
