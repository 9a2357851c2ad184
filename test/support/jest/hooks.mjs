export { load } from '../ts-hooks.mjs';

/* Module hooks, in Node's thread for them. */

const globals = new URL('./globals.mjs', import.meta.url).href;
const examples = new URL('../../../examples/', import.meta.url).href;

/** Examples import the package by its name, and their tests are written for `node --test`. */
const ofExamples = {
  kubeloom: new URL('../../../runtime/index.ts', import.meta.url).href,
  'node:test': new URL('./node-test.mjs', import.meta.url).href,
};

export function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
  if (context.parentURL?.startsWith(examples) && Object.hasOwn(ofExamples, specifier)) {
    return { url: ofExamples[specifier], shortCircuit: true };
  }
  return nextResolve(specifier, context);
}
