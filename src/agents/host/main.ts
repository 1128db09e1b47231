// The program of a wrapper process. What it loads comes from Node's compile cache.
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { serve } = await import('./wrapper.ts');
await serve();
