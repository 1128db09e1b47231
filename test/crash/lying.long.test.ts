// Deaths around sessions that lie: what they wrote over the harness's own files is never believed by the next run.
import { diesAnywhere } from './points.ts';
import { isStuck, lies } from './scenarios.ts';

diesAnywhere(lies, { sample: 2, every: 100, chains: 1 });
diesAnywhere(isStuck, { sample: 1, every: 36 });
