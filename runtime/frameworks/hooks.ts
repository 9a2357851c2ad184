/** What frameworks for tests have in common. They call hooks in the order in which they were given. */
export interface Hooks {
  beforeAll(hook: () => Promise<void>, timeout?: number): void;
  beforeEach(hook: () => Promise<void>, timeout?: number): void;
  afterAll(hook: () => Promise<void>, timeout?: number): void;
}
