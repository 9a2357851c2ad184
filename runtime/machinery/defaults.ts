/** The default function of kinds that have no defaults. */
export function nothingToDefault(_object: object): void {}
