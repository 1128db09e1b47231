// Deaths around sessions that are cut and continued.
import { diesAnywhere, IS_EXHAUSTIVE } from './points.ts';
import { hangs, isCut } from './scenarios.ts';

diesAnywhere(isCut, { sample: 6, chains: 1 });
if (IS_EXHAUSTIVE) diesAnywhere(hangs, { sample: 0, every: 9 });
