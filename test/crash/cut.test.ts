// Deaths around sessions that are cut and continued, or rolled back for what they broke.
import { IS_EXHAUSTIVE } from '../support/effort.ts';
import { diesAnywhere } from './points.ts';
import { breaks, cleansUp, hangs, isCut } from './scenarios.ts';

diesAnywhere(isCut, { sample: 1, every: 400, chains: 1 });
diesAnywhere(cleansUp, { sample: 1, every: 280 });
diesAnywhere(breaks, { sample: 1, every: 400 });
if (IS_EXHAUSTIVE) diesAnywhere(hangs, { sample: 0, every: 560 });
