// Property tests draw from the seed of the run, too: fixed, unless `npm run explore` sets another (effort.ts).
import { configureGlobal } from 'fast-check';
import { SEED } from './effort.ts';

configureGlobal({ seed: SEED });
