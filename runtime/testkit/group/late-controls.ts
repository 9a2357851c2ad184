import { serviceUnavailable } from '../../machinery/errors/status.ts';
import type { TestControls } from './test-controls.ts';

/** The controls of a server, which are set after its assembly. */
export class LateControls {
  #controls: TestControls | undefined;

  set(controls: TestControls): void {
    this.#controls = controls;
  }

  /** @throws StatusError 503 before the server is ready */
  get(): TestControls {
    if (this.#controls === undefined) throw serviceUnavailable('the server is not ready');
    return this.#controls;
  }
}
