// Issue point 6: the harness dies after every durable write of a whole feature, and the next run reaches the same end.
import { diesAnywhere } from './points.ts';
import { isAsked, lands, puts } from './scenarios.ts';

diesAnywhere(lands, { sample: 16, chains: 2 });
diesAnywhere(isAsked, { sample: 4, every: 2 });
diesAnywhere(puts, { sample: 4, every: 2 });
