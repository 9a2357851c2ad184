/*
 * Makes modules unloadable: `register(new URL('unloadable.mjs', ...), { data: { pattern } })`. A process that asks for a module whose
 * URL the pattern matches fails as if the module were not there.
 */

let pattern;

export function initialize(data) {
  pattern = new RegExp(data.pattern);
}

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  if (pattern.test(resolved.url)) throw new Error(`${resolved.url} cannot be loaded`);
  return resolved;
}
