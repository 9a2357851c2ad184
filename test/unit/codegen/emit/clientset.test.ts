import { expect, test } from '@jest/globals';
import { emitClientset } from '../../../../codegen/emit/clientset.ts';
import { model } from '../model-fixture.ts';

test('the entry has a member for each served group-version', () => {
  const text = emitClientset(model, { header: '', runtime: '../../runtime' });
  expect(text).toContain('readonly example = { v1: new ExampleV1Client(this.restClient) };');
  expect(text).toContain('export function createClient(options: ClientOptions): Client');
  expect(text).not.toContain('meta/v1');
});
