export const maxLengthText = (length: number): string => `must be no more than ${length} characters`;
export const rangeText = (low: number, high: number): string => `must be between ${low} and ${high}, inclusive`;

export const portNumber = (value: number): string[] => (value >= 1 && value <= 65535 ? [] : [rangeText(1, 65535)]);

/** Users and groups of Linux. */
export const userId = (value: number | bigint): string[] =>
  value >= 0 && value <= 2147483647 ? [] : [rangeText(0, 2147483647)];
