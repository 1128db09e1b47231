// Deaths around work that a person looks at: asked once, answered once, and the answer is never lost or taken twice.
import { diesAnywhere } from './points.ts';
import { isLeftOut, isLookedAt } from './scenarios.ts';

diesAnywhere(isLookedAt, { sample: 3, every: 32 });
diesAnywhere(isLeftOut, { sample: 3, every: 32 });
