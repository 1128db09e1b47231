// Deaths around what is no fault of the work: providers that refuse, budgets that are used up, contexts that are full. Waits
// end at the moment they were to end, whoever waits; nothing is spent or asked twice.
import { diesAnywhere } from './points.ts';
import { isDear, isRefused, isUnlucky, rests, wrapsUp } from './scenarios.ts';

diesAnywhere(isRefused, { sample: 3, every: 8, chains: 1 });
diesAnywhere(rests, { sample: 4, every: 12, chains: 1 });
diesAnywhere(isUnlucky, { sample: 2, every: 12 });
diesAnywhere(isDear, { sample: 3, every: 12 });
diesAnywhere(wrapsUp, { sample: 3, every: 12 });
