/**
 * The path of a field in Kubernetes' notation: `spec.containers[0].ports`, `metadata.labels[a/b]`. (apimachinery
 * pkg/util/validation/field/path.go)
 *
 * A path is a linked list from leaf to root. Each step costs one small object. The text is made only when an error is
 * reported.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #segment: string;

  protected constructor(parent: FieldPath | undefined, segment: string) {
    this.#parent = parent;
    this.#segment = segment;
  }

  /** The path of the object itself. */
  static readonly root = new FieldPath(undefined, '');

  /** A field with an empty name, as Go's field.NewPath("") makes it. */
  static readonly unnamed = new FieldPath(undefined, '[]');

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

  /** Returns the segment of a member: its name, after a dot unless it is the first. */
  protected memberSegment(name: string): string {
    return this.isRoot ? name : `.${name}`;
  }

  /** True for the path of the object itself. */
  get isRoot(): boolean {
    return this.#segment === '' && (this.#parent === undefined || this.#parent.isRoot);
  }

  /** The path as text. For the object itself, Go's text of a nil path. */
  get errorText(): string {
    return this.#isNil ? '<nil>' : this.toString();
  }

  get #isNil(): boolean {
    if (this.#parent !== undefined) return this.#segment === '' && this.#parent.#isNil;
    return this === FieldPath.root;
  }

  toString(): string {
    let text = '';
    for (let path: FieldPath | undefined = this; path; path = path.#parent) text = path.#segment + text;
    return text;
  }
}
