const wrapper = new URL('./two-versions.ts', import.meta.url).href;

/** Whoever imports the tool's generator gets the wrapper, except for the wrapper itself. */
export async function resolve(specifier, context, nextResolve) {
  if (specifier !== './diff-gen.mjs' || context.parentURL === wrapper) return nextResolve(specifier, context);
  return { url: wrapper, shortCircuit: true };
}
