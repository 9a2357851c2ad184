import type { FieldModel, FieldRule } from '../model/model.ts';

/**
 * The checks that the markers of a Go field demand: `+k8s:maxItems=16`, `+k8s:format=k8s-uuid`. Upstream runs its hand-
 * written validation as well, and expects both to agree. (k8s.io/code-generator validation-gen)
 */
export function rulesOfMarkers({ json: field, markers }: FieldModel): FieldRule[] {
  const values = (name: string): string[] =>
    markers.filter((marker) => marker.startsWith(`+k8s:${name}=`)).map((marker) => marker.slice(name.length + 6));
  const rules: FieldRule[] = [];
  if (markers.includes('+k8s:required')) rules.push({ field, check: 'required' });
  for (const value of values('maxItems')) rules.push({ field, check: 'maxItems', value: Number(value) });
  for (const value of values('maxLength')) rules.push({ field, check: 'maxLength', value: Number(value) });
  for (const value of values('minimum')) rules.push({ field, check: 'min', value: Number(value) });
  for (const value of values('format')) rules.push({ field, check: 'format', value });
  const unique = values('unique')[0] ?? values('listType')[0];
  const keys = values('listMapKey');
  if (unique === 'set') rules.push({ field, check: 'unique' });
  if (unique === 'map' && keys.length > 0) rules.push({ field, check: 'unique', keys });
  return rules;
}
