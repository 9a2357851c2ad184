/** The exports of Vitest that are used here. Users install the package. */
declare module 'vitest' {
  type Hooks = import('./hooks.ts').Hooks;
  export const afterAll: Hooks['afterAll'];
  export const beforeAll: Hooks['beforeAll'];
  export const beforeEach: Hooks['beforeEach'];
}
