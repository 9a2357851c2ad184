export { load } from '../ts-hooks.mjs';

/* These run in Node's thread for module hooks. */

const globals = new URL('./globals.mjs', import.meta.url).href;

export function resolve(specifier, context, nextResolve) {
  return specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : nextResolve(specifier, context);
}
