// Deaths around sessions that are cut and continued, or rolled back for what they broke.
import { diesAnywhere, IS_EXHAUSTIVE } from './points.ts';
import { breaks, hangs, isCut } from './scenarios.ts';

diesAnywhere(isCut, { sample: 6, every: 3, chains: 1 });
diesAnywhere(breaks, { sample: 4, every: 3 });
if (IS_EXHAUSTIVE) diesAnywhere(hangs, { sample: 0, every: 9 });
