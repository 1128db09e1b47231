// Crashes around what is no fault of the work: providers that refuse, budgets that are used up, contexts that are full. A wait
// ends at its recorded moment, whichever run waits; nothing is spent or asked twice.
import { diesAnywhere } from './points.ts';
import { hangs, isDear, isRefused, isUnlucky, rests, wrapsUp } from './scenarios.ts';

diesAnywhere(isRefused, { sample: 1, every: 80, chains: 1 });
diesAnywhere(rests, { sample: 1, every: 80, chains: 1 });
diesAnywhere(isUnlucky, { sample: 1, every: 80 });
diesAnywhere(isDear, { sample: 1, every: 80 });
diesAnywhere(wrapsUp, { sample: 1, every: 80 });
diesAnywhere(hangs, { sample: 1, every: 80 });
