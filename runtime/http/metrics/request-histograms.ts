import { BoundedHistogram } from '../../machinery/metrics/bounded-histogram.ts';

/** Upper bounds in seconds. (apiserver pkg/endpoints/metrics requestLatencies) */
const latencyBounds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
/** latencyBounds without the first two. (requestSliLatencies) */
const sliBounds = latencyBounds.slice(2);
/** Upper bounds in bytes. (responseSizes) */
const sizeBounds = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
/** Upper bounds in bytes: 1 KiB to 128 KiB. (WatchEventsSizes) */
const eventSizeBounds = [1, 2, 4, 8, 16, 32, 64, 128].map((kib) => kib * 1024);

export const latencyHistogram = (): BoundedHistogram => new BoundedHistogram(latencyBounds);
export const sliHistogram = (): BoundedHistogram => new BoundedHistogram(sliBounds);
export const sizeHistogram = (): BoundedHistogram => new BoundedHistogram(sizeBounds);
export const eventSizeHistogram = (): BoundedHistogram => new BoundedHistogram(eventSizeBounds);
