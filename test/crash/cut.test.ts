// Deaths around sessions that are cut and continued, and around clean-up.
import { diesAnywhere } from './points.ts';
import { cleansUp, isCut } from './scenarios.ts';

diesAnywhere(isCut, { sample: 1, every: 1_200, chains: 1 });
diesAnywhere(cleansUp, { sample: 1, every: 840 });
