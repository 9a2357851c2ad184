/**
 * Imports a module by its URL. Code of the program has to import by this function, which is no part of it: `import()` in a script that
 * V8 took from compiled code has no loader.
 */
export const importModule = (url: string): Promise<unknown> => import(url);
