// The module behind 'node:test' for examples: Jest's functions of the same meaning.
export {
  afterAll as after,
  afterEach,
  beforeAll as before,
  beforeEach,
  describe,
  it,
  test,
  test as default,
} from './globals.mjs';
