import { elementScroll, observeElementOffset, observeElementRect, type VirtualItem, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer } from 'preact/hooks';

export const rowHeight = 30;

export interface VirtualRowsProps {
  readonly count: number;
  readonly scroller: RefObject<HTMLElement | null>;
  /** The row that has to be visible; -1 for none. */
  readonly active: number;
  row(item: VirtualItem): ComponentChildren;
}

/** The visible rows of a long table. The others do not exist in the document. */
export function VirtualRows({ count, scroller, active, row }: VirtualRowsProps): ComponentChildren {
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
  return (
    <div class="virtual" role="presentation" style={{ height: `${virtualizer.getTotalSize()}px` }}>
      {virtualizer.getVirtualItems().map(row)}
    </div>
  );
}
