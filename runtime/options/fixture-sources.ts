import type { KubeObject } from '../machinery/object.ts';

/** An object, or the path of a file or folder with objects. */
export type FixtureSource = string | KubeObject | Readonly<Record<string, unknown>>;

export type FixtureSources = FixtureSource | readonly FixtureSource[];
