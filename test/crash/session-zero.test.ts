// Deaths in session 0: either everything is there and committed, or nothing has changed.
import { diesAnywhere } from './points.ts';
import { byHand, sessionZero, sessionZeroRefused } from './scenarios.ts';

diesAnywhere(sessionZero, { sample: 1, every: 18, chains: 1 });
diesAnywhere(sessionZeroRefused, { sample: 1, every: 12 });
diesAnywhere(byHand, { sample: 2 });
