/** What Vitest exports, as far as it is used here. It is a package of those who use it. */
declare module 'vitest' {
  type Hooks = import('./hooks.ts').Hooks;
  export const afterAll: Hooks['afterAll'];
  export const beforeAll: Hooks['beforeAll'];
  export const beforeEach: Hooks['beforeEach'];
}
