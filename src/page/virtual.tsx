// A long list of rows of one height, of which only those on the screen exist. The window scrolls, as on any page.
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows beyond the screen, above and below, so that fast scrolling shows no gap. */
const BEYOND = 12;

export function Virtual<T>(props: {
  readonly rows: readonly T[];
  readonly height: number;
  readonly label: string;
  readonly keyOf: (row: T) => string | number;
  readonly children: (row: T, index: number) => ComponentChildren;
}): VNode {
  const { rows, height, label, keyOf, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<readonly [number, number]>([0, 40]);
  useLayoutEffect(() => {
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const top = box.current?.getBoundingClientRect().top ?? 0;
      const first = Math.max(0, Math.floor(-top / height) - BEYOND);
      const last = Math.max(0, Math.ceil((innerHeight - top) / height) + BEYOND);
      setRange((was) => (was[0] === first && was[1] === last ? was : [first, last]));
    };
    const soon = (): void => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
      cancelAnimationFrame(frame);
    };
  }, [height, rows.length]);
  const [first, last] = range;
  return (
    <div ref={box} class="virtual" role="list" aria-label={label} style={{ height: `${rows.length * height}px` }}>
      {rows.slice(first, last).map((row, i) => (
        <div
          key={keyOf(row)}
          role="listitem"
          aria-setsize={rows.length}
          aria-posinset={first + i + 1}
          class="virtual-row"
          style={{ transform: `translateY(${(first + i) * height}px)`, height: `${height}px` }}
        >
          {children(row, first + i)}
        </div>
      ))}
    </div>
  );
}
