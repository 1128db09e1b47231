// What depends on what: items in columns, each to the right of what it needs. Landed work that nothing open needs is left out.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Answers } from './api.ts';
import { plain } from './format.ts';
import { Badge, Empty, Loading, Wrong } from './parts.tsx';
import { useAnswer } from './store.ts';

type Item = Answers['items']['items'][number];
type Placed = { readonly item: Item; readonly column: number; readonly row: number };

const WIDTH = 232;
const HEIGHT = 58;
const [GAP_X, GAP_Y] = [56, 14];
/** More cannot be read as a picture; the list has all of them. */
const MOST = 300;
const OVER = new Set(['landed', 'skipped']);

export function Graph(): VNode {
  const { value, error } = useAnswer('items', {}, 'seldom');
  const [isWhole, setWhole] = useState(false);
  if (value === null) return error === null ? <Loading /> : <Wrong error={error} />;
  const known = new Map(value.items.map((item) => [item.id, item]));
  const needed = new Set(value.items.filter(({ status }) => !OVER.has(status)).flatMap((item) => item.depends_on));
  const wanted = value.items.filter((item) => isWhole || !OVER.has(item.status) || needed.has(item.id));
  const shown = wanted.slice(0, MOST);
  const placed = placesOf(shown, known);
  const at = new Map(placed.map((one) => [one.item.id, one]));
  const columns = Math.max(0, ...placed.map(({ column }) => column + 1));
  const rows = Math.max(0, ...placed.map(({ row }) => row + 1));
  const edges = placed.flatMap((to) =>
    to.item.depends_on.flatMap((id) => {
      const from = at.get(id);
      return from === undefined ? [] : [{ from, to, isOver: OVER.has(from.item.status) }];
    }),
  );
  return (
    <section>
      <h1>Items</h1>
      <div class="filters">
        <ItemViews current="graph" />
        <button type="button" class="chip" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          With all that has landed
        </button>
        {wanted.length > shown.length ? (
          <span class="muted small">
            the first {shown.length} of {wanted.length}
          </span>
        ) : null}
      </div>
      {shown.length === 0 ? <Empty>Nothing is open.</Empty> : null}
      <div class="graph" tabIndex={0} role="group" aria-label="Items by what they depend on">
        <div
          class="graph-area"
          style={{ width: `${columns * (WIDTH + GAP_X)}px`, height: `${rows * (HEIGHT + GAP_Y)}px` }}
        >
          <svg aria-hidden="true" width={columns * (WIDTH + GAP_X)} height={rows * (HEIGHT + GAP_Y)}>
            {edges.map(({ from, to, isOver }) => (
              <path key={`${from.item.id} ${to.item.id}`} class={isOver ? 'over' : ''} d={curve(from, to)} />
            ))}
          </svg>
          {placed.map(({ item, column, row }) => (
            <a
              key={item.id}
              class={`node ${item.status}`}
              href={`#/items/${encodeURIComponent(item.id)}`}
              style={{ left: `${xOf(column)}px`, top: `${yOf(row)}px`, width: `${WIDTH}px`, height: `${HEIGHT}px` }}
            >
              <span class="node-head">
                <span class="id">#{plain(item.id)}</span>
                <Badge word={item.status} />
              </span>
              <span class="title">{plain(item.title)}</span>
            </a>
          ))}
        </div>
      </div>
    </section>
  );
}

export const ItemViews = ({ current }: { readonly current: 'list' | 'graph' }): VNode => (
  <div class="views" role="group" aria-label="How items are shown">
    <a href="#/items" aria-current={current === 'list' ? 'true' : undefined}>
      List
    </a>
    <a href="#/graph" aria-current={current === 'graph' ? 'true' : undefined}>
      Graph
    </a>
  </div>
);

const xOf = (column: number): number => column * (WIDTH + GAP_X);
const yOf = (row: number): number => row * (HEIGHT + GAP_Y);

function curve(from: Placed, to: Placed): string {
  const [x1, y1] = [xOf(from.column) + WIDTH, yOf(from.row) + HEIGHT / 2];
  const [x2, y2] = [xOf(to.column), yOf(to.row) + HEIGHT / 2];
  const bend = Math.max(28, (x2 - x1) / 2);
  return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/** The column is the longest way to an item that needs nothing; in a column, an item is near what it needs. */
function placesOf(items: readonly Item[], known: ReadonlyMap<string, Item>): readonly Placed[] {
  const shown = new Set(items.map(({ id }) => id));
  const depth = new Map<string, number>();
  const depthOf = (id: string, path: ReadonlySet<string>): number => {
    const found = depth.get(id);
    if (found !== undefined) return found;
    if (path.has(id)) return 0; // a circle, which the harness reports elsewhere
    const next = new Set([...path, id]);
    const needs = (known.get(id)?.depends_on ?? []).filter((one) => shown.has(one));
    const own = needs.length === 0 ? 0 : 1 + Math.max(...needs.map((one) => depthOf(one, next)));
    depth.set(id, own);
    return own;
  };
  const columns = Map.groupBy(items, ({ id }) => depthOf(id, new Set()));
  const rows = new Map<string, number>();
  const placed: Placed[] = [];
  for (const column of [...columns.keys()].sort((a, b) => a - b)) {
    const weight = (item: Item): number => {
      const needs = item.depends_on.flatMap((id) => rows.get(id) ?? []);
      return needs.length === 0 ? Number.POSITIVE_INFINITY : needs.reduce((sum, row) => sum + row, 0) / needs.length;
    };
    const own =
      column === 0
        ? (columns.get(column) ?? [])
        : (columns.get(column) ?? []).toSorted((a, b) => weight(a) - weight(b));
    for (const [row, item] of own.entries()) {
      rows.set(item.id, row);
      placed.push({ item, column, row });
    }
  }
  return placed;
}
