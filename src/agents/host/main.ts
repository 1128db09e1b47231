// The wrapper process around one agent session: what it loads comes out of Node's compile cache.
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { serve } = await import('./serving.ts');
await serve();
