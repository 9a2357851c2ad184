import type { Field } from '../../machinery/validation/field.ts';

/** The access modes of persistent volumes and claims. (pkg/apis/core/validation) */

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const volumeModes = ['Block', 'Filesystem'];

/** Errors name the list, not its items. */
export function validateAccessModes(modes: readonly string[] | null | undefined, field: Field): void {
  let isOncePod = false;
  let isOther = false;
  for (const mode of modes ?? []) {
    if (mode === 'ReadWriteOncePod') isOncePod = true;
    else if (accessModes.includes(mode)) isOther = true;
    else field.notSupported(mode, accessModes);
  }
  if (isOncePod && isOther) field.forbidden('may not use ReadWriteOncePod with other access modes');
}

const shortAccessModes: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** Formats access modes for columns. */
export const accessModesText = (modes: readonly string[] | undefined): string =>
  shortAccessModes
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
