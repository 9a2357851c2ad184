import type { ComponentChildren } from 'preact';
import { ResourcesView } from '../resources/resources-view.tsx';
import { later } from './later.tsx';

export interface View {
  /** The first part of its address. */
  readonly name: string;
  readonly title: string;
  /** The key after `g`; "" for a view that is part of another. */
  readonly key: string;
  readonly show: () => ComponentChildren;
}

export const views: readonly View[] = [
  { name: 'resources', title: 'Resources', key: 'r', show: ResourcesView },
  { name: 'object', title: 'Object', key: '', show: later(async () => (await import('../object/object-view.tsx')).ObjectView) },
  { name: 'timeline', title: 'Timeline', key: 't', show: later(async () => (await import('../timeline/timeline-view.tsx')).TimelineView) },
  { name: 'time', title: 'Time', key: 's', show: later(async () => (await import('../time/time-view.tsx')).TimeView) },
  { name: 'traffic', title: 'Traffic', key: 'f', show: later(async () => (await import('../traffic/traffic-view.tsx')).TrafficView) },
  { name: 'health', title: 'Health', key: 'h', show: later(async () => (await import('../health/health-view.tsx')).HealthView) },
];
