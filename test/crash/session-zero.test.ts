// Deaths in session 0: either everything is there and committed, or nothing has changed.
import { diesAnywhere } from './points.ts';
import { byHand, sessionZero, sessionZeroRefused } from './scenarios.ts';

diesAnywhere(sessionZero, { sample: 1, every: 27, chains: 1 });
diesAnywhere(sessionZeroRefused, { sample: 1, every: 18 });
diesAnywhere(byHand, { sample: 2, every: 2 });
