import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import { setGlobals } from './globals.mjs';

process.setSourceMapsEnabled(true);
register('./hooks.mjs', import.meta.url);

/**
 * Jest's own runner, but Node loads the tests. Jest would load them, and all that they import, anew for each file, into a
 * context of its own, where everything is slower; this way a worker loads a module once, whichever files import it.
 */
export default function run(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  runtime.requireInternalModule = requireAnew;
  runtime.setGlobalsForRuntime = (globals) => setGlobals({ ...globals, jest: environment.moduleMocker });
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = (path) => import(pathToFileURL(path).href);
  return circus.default(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
}

/** Loads the part of jest-circus that has the tests of one file, without those of the last. */
function requireAnew(path) {
  // a function of its own, since it would keep what it loaded before
  const require = createRequire(import.meta.url);
  delete require.cache[path];
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  return require(path);
}
