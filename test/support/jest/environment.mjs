import { ModuleMocker } from 'jest-mock';

/** This process, as it is: tests have no context of their own. Environment variables that a file sets are gone after it. */
export default class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #exit = process.exit;
  #env = { ...process.env };

  async setup() {
    // Jest's stacks have the lines of compiled code, Node's those of the sources
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
