/**
 * A path to a field as Kubernetes writes it: `spec.containers[0].ports`, `metadata.labels[a/b]`.
 * (apimachinery pkg/util/validation/field/path.go)
 *
 * A path is a linked list from leaf to root; it costs one small object a step and is only
 * rendered when an error is reported.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #segment: string;

  protected constructor(parent: FieldPath | undefined, segment: string) {
    this.#parent = parent;
    this.#segment = segment;
  }

  /** The path of no field: the object itself. */
  static readonly root = new FieldPath(undefined, '');

  static of(...names: string[]): FieldPath {
    return FieldPath.root.child(...names);
  }

  child(...names: string[]): FieldPath {
    let path: FieldPath = this;
    for (const name of names) path = new FieldPath(path, path.memberSegment(name));
    return path;
  }

  index(index: number): FieldPath {
    return new FieldPath(this, `[${index}]`);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, `[${key}]`);
  }

  /** The segment of a member: its name, behind a dot unless it comes first. */
  protected memberSegment(name: string): string {
    return this.#isRoot() ? name : `.${name}`;
  }

  #isRoot(): boolean {
    return this.#segment === '' && (this.#parent === undefined || this.#parent.#isRoot());
  }

  toString(): string {
    let text = '';
    for (let path: FieldPath | undefined = this; path; path = path.#parent) text = path.#segment + text;
    return text;
  }
}
