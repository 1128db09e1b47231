// Issue point 6: the harness dies after every durable write of a whole feature, and the next run reaches the same end.
import { diesAnywhere } from './points.ts';
import { catchesUp, isAsked, lands, puts } from './scenarios.ts';

diesAnywhere(lands, { sample: 1, every: 900, chains: 1 });
// While the user's index is locked: branch, evidence and index move.
const isNote = (call: string): boolean => call.endsWith('/landing.json');
diesAnywhere(
  {
    ...lands,
    name: 'a feature that lands, between branch and index',
    from: isNote,
    until: (call) => call.startsWith('remove') && isNote(call),
  },
  { sample: 1, every: 2 },
);
diesAnywhere(isAsked, { sample: 0, every: 1_800 });
diesAnywhere(puts, { sample: 0, every: 1_800 });
diesAnywhere(catchesUp, { sample: 0, every: 900 });
