/** What every emitter gets beside the model. */
export interface EmitContext {
  /** The first line of the file. */
  readonly header: string;
  /** Path from a group-version's folder to the runtime's, or the name of the package that has it. */
  readonly runtime: string;
}
