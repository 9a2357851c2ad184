/** The hooks that all test frameworks have. Frameworks call hooks in the order of their registration. */
export interface Hooks {
  beforeAll(hook: () => Promise<void>, timeout?: number): void;
  beforeEach(hook: () => Promise<void>, timeout?: number): void;
  afterAll(hook: () => Promise<void>, timeout?: number): void;
}
