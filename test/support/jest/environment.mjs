import { ModuleMocker } from 'jest-mock';

/** This process, as it is: tests have no context of their own. */
export default class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #exit = process.exit;

  async setup() {
    // Jest's stacks have the lines of compiled code, Node's those of the sources
    Error.prepareStackTrace = undefined;
  }

  async teardown() {
    process.exit = this.#exit;
  }

  getVmContext() {
    return null;
  }
}
