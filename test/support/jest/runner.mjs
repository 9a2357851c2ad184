import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import { setGlobals } from './globals.mjs';

process.setSourceMapsEnabled(true);
register('./hooks.mjs', import.meta.url);

/**
 * Jest's runner, but with Node's module loader. Jest would load all modules again for each file, into a slower context.
 * Here a worker loads each module once for all files.
 */
export default function run(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  runtime.requireInternalModule = requireAnew;
  runtime.setGlobalsForRuntime = (globals) => setGlobals({ ...globals, jest: environment.moduleMocker });
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = (path) => import(pathToFileURL(path).href);
  return circus.default(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
}

/** Loads the part of jest-circus that holds one file's tests, without those of the last file. */
function requireAnew(path) {
  // a new function each time, because it caches its modules
  const require = createRequire(import.meta.url);
  delete require.cache[path];
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  return require(path);
}
