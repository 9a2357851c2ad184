// What examples import from 'node:test': Jest's functions of the same meaning.
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
