/** The steps of a JSON pointer (RFC 6901), undefined when it is not one: not empty and without a leading slash. */
export function pointerSteps(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  const steps = pointer.slice(1).split('/');
  return pointer.includes('~') ? steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')) : steps;
}
