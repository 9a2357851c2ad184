export const maxSelectableFields = 8;
export const schemaTypes: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/**
 * How strict a validation is. A definition that was stored before a rule existed may go on violating it until it first
 * satisfies it. (validationOptions in validation.go)
 */
export interface ValidationOptions {
  readonly requireRecognizedConversionReviewVersion: boolean;
  readonly requireImmutableNames: boolean;
  readonly requireOpenAPISchema: boolean;
  readonly requireValidPropertyType: boolean;
  readonly requireStructuralSchema: boolean;
  readonly requirePrunedDefaults: boolean;
  readonly requireAtomicSetType: boolean;
  readonly requireMapListKeysMapSetValidation: boolean;
  readonly allowInvalidCABundle: boolean;
  /** Versions whose schema did not change: the cost of their rules is not checked again. */
  readonly versionsWithUnchangedSchemas: ReadonlySet<string>;
  /** Versions that may keep more selectable fields than allowed; "" stands for the fields that all versions share. */
  readonly versionsWithTooManySelectableFields: ReadonlySet<string>;
}

/** The options for the schema of one version. */
export interface SchemaValidationOptions extends ValidationOptions {
  /** The rules were accepted before: none is refused for its own cost. */
  readonly suppressPerExpressionCost: boolean;
}

export function optionsForCreate(): ValidationOptions {
  return {
    requireRecognizedConversionReviewVersion: true,
    requireImmutableNames: false,
    requireOpenAPISchema: true,
    requireValidPropertyType: true,
    requireStructuralSchema: true,
    requirePrunedDefaults: true,
    requireAtomicSetType: true,
    requireMapListKeysMapSetValidation: true,
    // the webhook is not called before the definition is established
    allowInvalidCABundle: true,
    versionsWithUnchangedSchemas: new Set(),
    versionsWithTooManySelectableFields: new Set(),
  };
}
