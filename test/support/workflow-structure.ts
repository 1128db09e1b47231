// Whether a table of transitions is complete and unambiguous: for every event of every stage, and every combination of its guards, exactly one
// row fits.
import { eventsIn, STAGE_NAMES } from '../../src/playbooks/workflow/table/stages.ts';
import type { Row } from '../../src/playbooks/workflow/table/transitions.ts';

/** Every combination of the guards of these rows. */
function outcomes(rows: readonly Row[]): readonly ReadonlyMap<string, boolean>[] {
  const names = [...new Set(rows.flatMap(({ when = [] }) => when.map((one) => one.replace(/^not /, ''))))];
  return Array.from(
    { length: 2 ** names.length },
    (_, bits) => new Map(names.map((name, n) => [name, (bits & (1 << n)) !== 0])),
  );
}
const fits = (row: Row, holds: ReadonlyMap<string, boolean>): boolean =>
  (row.when ?? []).every((one) =>
    one.startsWith('not ') ? holds.get(one.slice(4)) !== true : holds.get(one) === true,
  );

/** Events that two rows fit, or none, and rows whose event does not belong to their stage. */
export function faults(table: readonly Row[]): readonly string[] {
  const foreign = table
    .filter(({ from, on }) => !eventsIn(from).includes(on))
    .map(({ from, on }) => `${from} has no event ${on}`);
  const events = STAGE_NAMES.flatMap((from) => eventsIn(from).map((on) => ({ from, on })));
  const unclear = events.flatMap(({ from, on }) => {
    const rows = table.filter((row) => row.from === from && row.on === on);
    return outcomes(rows).flatMap((holds) => {
      const count = rows.filter((row) => fits(row, holds)).length;
      return count === 1 ? [] : [`${count} rows fit ${on} in ${from} where ${JSON.stringify([...holds])}`];
    });
  });
  return [...foreign, ...unclear];
}
