// Deaths around sessions that lie or break what was done before: what they wrote over the harness's own files is never believed by the
// next run, and what they broke is rolled back.
import { diesAnywhere } from './points.ts';
import { breaks, isStuck, lies } from './scenarios.ts';

diesAnywhere(lies, { sample: 2, every: 100, chains: 1 });
diesAnywhere(isStuck, { sample: 1, every: 36 });
diesAnywhere(breaks, { sample: 1, every: 80 });
