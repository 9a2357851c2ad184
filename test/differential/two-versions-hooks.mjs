const wrapper = new URL('./two-versions.ts', import.meta.url).href;

/** Replaces the tool's generator by its wrapper, except in the wrapper itself. */
export async function resolve(specifier, context, nextResolve) {
  if (specifier !== './diff-gen.mjs' || context.parentURL === wrapper) return nextResolve(specifier, context);
  return { url: wrapper, shortCircuit: true };
}
