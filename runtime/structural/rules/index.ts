/** The validation rules that overlays name as `custom`. */
export {};
