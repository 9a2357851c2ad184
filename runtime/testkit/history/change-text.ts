import type { Json } from '../../machinery/object.ts';
import type { FieldChange } from './field-changes.ts';

/** `.spec.replicas: 1 -> 3`, `+.data.a: "x"`, `-.data.b: "y"`. @param longest the maximum characters of a value */
export function changeText({ path, before, after }: FieldChange, longest: number): string {
  if (before === undefined) return `+${path}: ${valueText(after, longest)}`;
  if (after === undefined) return `-${path}: ${valueText(before, longest)}`;
  return `${path}: ${valueText(before, longest)} -> ${valueText(after, longest)}`;
}

function valueText(value: Json | undefined, longest: number): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}
