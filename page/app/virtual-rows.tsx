import { elementScroll, observeElementOffset, observeElementRect, type VirtualItem, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';

export const rowHeight = 30;

export interface VirtualRowsProps {
  readonly count: number;
  readonly scroller: RefObject<HTMLElement | null>;
  /** The row that has to be visible; -1 for none. */
  readonly active: number;
  /** Whether the end stays visible when rows are added, until somebody scrolls. */
  readonly showsEnd?: boolean;
  row(item: VirtualItem): ComponentChildren;
}

/** The visible rows of a long table. The others do not exist in the document. */
export function VirtualRows({ count, scroller, active, showsEnd = false, row }: VirtualRowsProps): ComponentChildren {
  const [, update] = useReducer((n: number, _: undefined) => n + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => update(undefined),
    // the head stays at the top
    scrollPaddingStart: rowHeight,
  };
  const virtualizer = useMemo(() => new Virtualizer<HTMLElement, HTMLElement>(options), []);
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  useEffect(() => {
    if (active >= 0) virtualizer.scrollToIndex(active, { align: 'auto' });
  }, [active]);
  const known = useRef(0);
  useLayoutEffect(() => {
    const frame = scroller.current;
    const before = known.current;
    known.current = count;
    if (!showsEnd || frame === null || count === before) return;
    const end = before * rowHeight + rowHeight - frame.clientHeight;
    if (before === 0 || frame.scrollTop >= end - 2 * rowHeight) virtualizer.scrollToIndex(count - 1, { align: 'end' });
  }, [count]);
  return (
    <div class="virtual" role="presentation" style={{ height: `${virtualizer.getTotalSize()}px` }}>
      {virtualizer.getVirtualItems().map(row)}
    </div>
  );
}
