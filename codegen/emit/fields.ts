import type { FieldModel, TypeModel } from '../model/model.ts';

const typeMetaField = (json: string): FieldModel => ({
  json,
  type: { kind: 'scalar', name: 'string' },
  goType: 'string',
  pointer: false,
  omitEmpty: true,
  omitZero: false,
  required: false,
  markers: [],
});

/** Returns the fields of a type in the order of reading: kinds begin with kind and apiVersion. */
export function fieldsOnRead(type: TypeModel): readonly FieldModel[] {
  if (!type.gvk) return type.fields;
  const rest = type.fields.filter(({ json }) => json !== 'kind' && json !== 'apiVersion');
  return [typeMetaField('kind'), typeMetaField('apiVersion'), ...rest];
}

/** Returns the field that an overlay's rule names. Throws if the type lacks it. */
export function fieldOf(type: TypeModel, name: string): FieldModel {
  const field = type.fields.find(({ json }) => json === name);
  if (!field) throw new Error(`${type.id}: a rule names the field ${JSON.stringify(name)}, which the type lacks`);
  return field;
}
