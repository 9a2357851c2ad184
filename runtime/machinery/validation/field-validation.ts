/** What becomes of unknown and duplicate fields: nothing, warnings, or an error. (metav1 fieldValidation) */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';
