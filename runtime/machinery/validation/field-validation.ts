/**
 * The treatment of unknown and duplicate fields: ignored, reported as warnings, or refused. (metav1 fieldValidation)
 */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';
