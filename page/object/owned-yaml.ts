import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, stringify } from 'yaml';
import { fieldOf, isLeaf, itemOf } from './field-trees.ts';
import { type FieldTree, isRecord, type KubeObject, type ManagedFields, withoutManagedFields } from './kube-object.ts';

/** One entry of managed fields. */
export interface Owner {
  readonly name: string;
  readonly operation: string;
  readonly time: string;
  readonly tree: FieldTree;
}

/** An object as text, and who owns the field in each of its lines. */
export interface OwnedYaml {
  readonly text: string;
  readonly owners: readonly Owner[];
  /** The indexes of owners by line; line 1 is at 0. */
  readonly lines: readonly (readonly number[])[];
}

/** Returns a value as `kubectl get -o yaml` prints it. */
export const yamlOf = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, sortMapEntries: true });

export const ownersOf = (managedFields: readonly ManagedFields[] = []): readonly Owner[] =>
  managedFields.map(({ manager = '', operation = '', time = '', subresource = '', fieldsV1 = {} }) => ({
    name: subresource === '' ? manager : `${manager} (${subresource})`,
    operation,
    time,
    tree: fieldsV1,
  }));

export function ownedYaml(object: KubeObject): OwnedYaml {
  const plain = withoutManagedFields(object);
  const text = yamlOf(plain);
  const owners = ownersOf(object.metadata.managedFields);
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const lines: (readonly number[])[] = Array.from({ length: text.split('\n').length }, () => []);
  const lineAt = (node: Node | null | undefined): number => counter.linePos(node?.range?.[0] ?? 0).line - 1;

  /** @param trees what each owner has of the node @param whole the owners that have all of it */
  const visit = (node: unknown, value: unknown, trees: readonly (FieldTree | undefined)[], whole: readonly number[]): void => {
    if (isMap(node) && isRecord(value)) {
      for (const pair of node.items) {
        if (!isPair(pair) || !isScalar(pair.key)) continue;
        const name = String(pair.key.value);
        mark(
          pair.key,
          pair.value,
          value[name],
          trees.map((tree) => fieldOf(tree, name)),
          whole,
        );
      }
    } else if (isSeq(node) && Array.isArray(value)) {
      node.items.forEach((item, at) => {
        mark(
          item as Node,
          item,
          value[at],
          trees.map((tree) => itemOf(tree, value[at], at)),
          whole,
        );
      });
    }
  };
  const mark = (first: Node, node: unknown, value: unknown, trees: readonly (FieldTree | undefined)[], whole: readonly number[]): void => {
    const leaves = trees.flatMap((tree, at) => (isLeaf(tree) ? [at] : []));
    const all = [...new Set([...whole, ...leaves])];
    const isShown = isScalar(node) || all.length > 0;
    if (isShown) {
      const from = lineAt(first);
      const to = isScalar(node) && node.range ? counter.linePos(Math.max(node.range[0], node.range[1] - 1)).line - 1 : from;
      for (let line = from; line <= to; line++) lines[line] = all;
    }
    visit(node, value, trees, all);
  };
  visit(
    document.contents,
    plain,
    owners.map(({ tree }) => tree),
    [],
  );
  return { text, owners, lines };
}
