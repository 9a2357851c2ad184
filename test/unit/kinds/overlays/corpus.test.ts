import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { fieldErrorMessage } from '../../../../runtime/machinery/validation/field-error.ts';
import { goPackage, TypeBook } from '../../../support/go-types.ts';
import { OverlayInterpreter } from '../../../support/overlays.ts';
import { describeShared } from '../../../support/shared.ts';
import type { TestObject } from '../../../support/test-object.ts';

const folderOf = (apiVersion: string): string => (apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`);

describeShared('manifests of real projects', (shared) => {
  const types = new TypeBook(join(shared, 'schemas', 'v1.35'));
  const interpreter = new OverlayInterpreter(types);
  const manifests = join(shared, 'corpus', 'manifests');

  function objects(text: string): TestObject[] {
    const documents = parseAllDocuments(text).map((document) => document.toJS() as TestObject | null);
    return documents.flatMap((document) => (document?.kind === 'List' ? document.items : document ? [document] : []));
  }

  test.each(readdirSync(manifests).filter((file) => /\.ya?ml$/.test(file)))('%s is valid', (file) => {
    const problems: string[] = [];
    for (const object of objects(readFileSync(join(manifests, file), 'utf8'))) {
      const inPackage = goPackage(folderOf(object.apiVersion ?? ''));
      if (!types.fields(inPackage, object.kind ?? '')) continue;
      interpreter.setDefaults(inPackage, object.kind ?? '', object);
      const errors = interpreter.validate(inPackage, object.kind ?? '', object);
      for (const error of errors) problems.push(`${object.kind} ${object.metadata?.name}: ${fieldErrorMessage(error)}`);
    }
    expect(problems).toEqual([]);
  });
});
