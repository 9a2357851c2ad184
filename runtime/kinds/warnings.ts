import type { KubeObject } from '../machinery/object.ts';

/**
 * What the writer of an object is told that is no error. Objects are complete, with defaults filled in, and valid; each
 * function only reads. (apiserver pkg/registry/rest, WarningsOnCreate and WarningsOnUpdate of a kind's strategy)
 */
export interface WarningStrategy {
  warningsOnCreate?(object: KubeObject): readonly string[];
  /** Of writes of the object itself, and of its scale. */
  warningsOnUpdate?(object: KubeObject, old: KubeObject): readonly string[];
  /** Of writes of its status. */
  warningsOnStatusUpdate?(object: KubeObject): readonly string[];
}

/**
 * Whether there are more warnings than an answer's headers have room for, which is 4 KiB in all: rules that compare
 * everything with everything else may stop.
 */
export const areEnough = (warnings: readonly string[]): boolean => warnings.length > 4096;

export const none: readonly string[] = [];

/** The same on creation and update. */
export const always = (rule: (object: KubeObject) => readonly string[]): WarningStrategy => ({
  warningsOnCreate: rule,
  warningsOnUpdate: rule,
});
