// Whether a table of transitions answers everything once: for every stage and event that belong together, and every way its conditions
// can come out, exactly one row.
import { eventsIn, STAGE_NAMES } from '../../src/playbooks/workflow/table/stages.ts';
import type { Row } from '../../src/playbooks/workflow/table/transitions.ts';

/** The guards of these rows, and every way they can come out. */
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

/** What is answered twice, or not at all, or is no event of its stage. */
export function faults(table: readonly Row[]): readonly string[] {
  const strangers = table
    .filter(({ from, on }) => !eventsIn(from).includes(on))
    .map(({ from, on }) => `${from} does not hear ${on}`);
  const heard = STAGE_NAMES.flatMap((from) => eventsIn(from).map((on) => ({ from, on })));
  const unclear = heard.flatMap(({ from, on }) => {
    const rows = table.filter((row) => row.from === from && row.on === on);
    return outcomes(rows).flatMap((holds) => {
      const count = rows.filter((row) => fits(row, holds)).length;
      return count === 1 ? [] : [`${count} rows fit ${on} in ${from} where ${JSON.stringify([...holds])}`];
    });
  });
  return [...strangers, ...unclear];
}
