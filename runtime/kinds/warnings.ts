import type { KubeObject } from '../machinery/object.ts';
import type { ReleaseRules } from '../machinery/validation/rule-changes.ts';

/**
 * Warnings about an object that is valid and has its defaults. The functions must not change it.
 * (apiserver pkg/registry/rest: WarningsOnCreate and WarningsOnUpdate of a strategy)
 */
export interface WriteWarnings<T = KubeObject> {
  warningsOnCreate?(object: T, rules?: ReleaseRules): readonly string[];
  /** Called on updates of the object itself and of its scale. */
  warningsOnUpdate?(object: T, old: T, rules?: ReleaseRules): readonly string[];
  /** Called on updates of the status. */
  warningsOnStatusUpdate?(object: T): readonly string[];
}

/** Reports whether the warnings exceed the headers of a response (4 KiB). Quadratic rules may stop then. */
export const areEnough = (warnings: readonly string[]): boolean => warnings.length > 4096;

export const none: readonly string[] = [];

/** Gives the same warnings on creation and on update. */
export const warningsOnWrite = <T>(warnings: (object: T) => readonly string[]): WriteWarnings<T> => ({
  warningsOnCreate: (object) => warnings(object),
  warningsOnUpdate: (object) => warnings(object),
});
