import { ModuleMocker } from 'jest-mock';

/** Runs tests in the process's own context. Environment variables that a file sets are removed after it. */
export default class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #exit = process.exit;
  #env = { ...process.env };

  async setup() {
    // Jest's stacks have lines of compiled code, Node's have lines of sources
    Error.prepareStackTrace = undefined;
  }

  async teardown() {
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(this.#env, name)) delete process.env[name];
    Object.assign(process.env, this.#env);
  }

  getVmContext() {
    return null;
  }
}
